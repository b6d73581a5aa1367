"""The run log as pages on this machine: runs, a timeline, each report, and verdicts to be reviewed."""

from affidavit.records.page.serve.server import LogServer as LogServer
from affidavit.records.page.serve.site import Site as Site

__all__ = ["LogServer", "Site"]
