"""A policy learnt from labelled runs: at which rate claims hold, and how sure an answer must be to go out."""

from affidavit.audit.tune.answers import Answer, Gathered, answer_of
from affidavit.audit.tune.fit import Point, Tuned, judged_on, tune
from affidavit.audit.tune.gather import from_log, from_reports
from affidavit.audit.tune.labels import Labels, labels_in_log, read_labels

__all__ = [
    "Answer",
    "Gathered",
    "Labels",
    "Point",
    "Tuned",
    "answer_of",
    "from_log",
    "from_reports",
    "judged_on",
    "labels_in_log",
    "read_labels",
    "tune",
]
