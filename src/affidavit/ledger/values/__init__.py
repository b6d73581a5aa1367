"""Values of claims and evidence in one normal form, and whether two of them are the same."""

from affidavit.ledger.values.cells import read_cell, read_cells
from affidavit.ledger.values.compare import compare
from affidavit.ledger.values.lookup import lookup_reach, lookup_sizes, lookup_words
from affidavit.ledger.values.match import Match
from affidavit.ledger.values.money_of_fields import is_count
from affidavit.ledger.values.parse import parse_values
from affidavit.ledger.values.text import fold
from affidavit.ledger.values.units_of_fields import is_by_time
from affidavit.ledger.values.value import AMOUNTS, Moment, Value, ValueKind
from affidavit.ledger.values.written import (
    epoch_range,
    written_dates,
    written_months,
    written_numbers,
)

__all__ = [
    "AMOUNTS",
    "Match",
    "Moment",
    "Value",
    "ValueKind",
    "compare",
    "epoch_range",
    "fold",
    "is_by_time",
    "is_count",
    "lookup_reach",
    "lookup_sizes",
    "lookup_words",
    "parse_values",
    "read_cell",
    "read_cells",
    "written_dates",
    "written_months",
    "written_numbers",
]
