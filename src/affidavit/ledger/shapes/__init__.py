"""Results of any shape as records and prose.

One shape a file; :mod:`affidavit.ledger.shapes.read` tries them from the strictest to the loosest.
"""

from __future__ import annotations

from affidavit.ledger.shapes.page import Prose
from affidavit.ledger.shapes.read import read_data, read_text

__all__ = ["Prose", "read_data", "read_text"]
