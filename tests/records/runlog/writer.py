"""A process that appends to a run log and tells of each record that was acknowledged.

    python writer.py ADDRESS NAME COUNT SIZE

It prints the number of each record when ``append`` has returned, until COUNT are there or it is killed.
"""

from __future__ import annotations

import sys

from affidavit.records.runlog import open_log
from affidavit.testing import claim_verdict, report_of


def main(address: str, name: str, count: int, size: int) -> None:
    log = open_log(address)
    report = report_of(claim_verdict("It costs $5."), answer="It costs $5. " + "x" * size)
    for number in range(count):
        record = log.report(report.model_copy(update={"run_id": f"{name}-{number}"}))
        sys.stdout.write(f"{record.seq}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
