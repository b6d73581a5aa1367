"""The run log: a record that outlives the process, and shows when it was tampered with."""

from affidavit.records.runlog.agreement import Agreement as Agreement
from affidavit.records.runlog.agreement import agreement as agreement
from affidavit.records.runlog.chain import Fault as Fault
from affidavit.records.runlog.chain import Verification as Verification
from affidavit.records.runlog.labels import Label as Label
from affidavit.records.runlog.labels import labels as labels
from affidavit.records.runlog.log import RunLog as RunLog
from affidavit.records.runlog.record import Anchor as Anchor
from affidavit.records.runlog.record import Entry as Entry
from affidavit.records.runlog.record import Facets as Facets
from affidavit.records.runlog.record import Record as Record
from affidavit.records.runlog.review import Review as Review
from affidavit.records.runlog.review import ReviewKey as ReviewKey
from affidavit.records.runlog.reviewed import reviewed_cases as reviewed_cases
from affidavit.records.runlog.store import Query as Query
from affidavit.records.runlog.url import open_log as open_log
