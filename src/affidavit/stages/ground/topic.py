"""Which rows a claim speaks about: the price of the other plan is not the price of this one.

A *group* is a set of like records: the rows of one list, or what one tool returned for several
things. A claim names a row when it says something that only some rows of the group hold: a name, an
identifier, a date. Values are then looked for in the rows that were named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

Group: TypeAlias = tuple[str, str]
Row: TypeAlias = tuple[int, str] | str


@dataclass(frozen=True)
class Topic:
    """The rows named, by group. A group that is absent has no row named."""

    rows: Mapping[Group, frozenset[Row]] = field(default_factory=dict)

    def fits(self, chain: Sequence[tuple[Group, Row]]) -> bool:
        """Whether a record lies in the named rows of every group it belongs to. What another tool tells
        of a thing of another number is not of a named row either."""
        return all(
            row in self.rows[group] if group in self.rows else not self._is_another(row)
            for group, row in chain
        )

    def names(self, chain: Sequence[tuple[Group, Row]]) -> bool:
        """Whether a record lies in a row that is named, and in none of a group of which others are."""
        return self.fits(chain) and self.touches(chain)

    def touches(self, chain: Sequence[tuple[Group, Row]]) -> bool:
        """Whether a record lies in any row that is named."""
        return any(row in self.rows.get(group, ()) for group, row in chain)

    def _is_another(self, row: Row) -> bool:
        named = self._numbers.get(label_of(row))
        return named is not None and row not in named

    @cached_property
    def _numbers(self) -> dict[str, frozenset[Row]]:
        """The named things that bear a number, by what the number is called: ``order id``."""
        found: dict[str, frozenset[Row]] = {}
        for rows in self.rows.values():
            for row in rows:
                if label := label_of(row):
                    found[label] = found.get(label, frozenset()) | {row}
        return found

    def narrowed_by(self, other: Topic) -> Topic:
        """This topic with fewer rows where the other names some of them only: of two speakers of one
        name, the one whose number is given."""
        return Topic(
            {
                g: other.rows[g] if other.rows.get(g, rows) < rows else rows
                for g, rows in self.rows.items()
            }
        )

    def within(self, other: Topic) -> Topic:
        """This topic with those rows only that the other names too, in groups where there are some: under
        "Rex's values:" the haemoglobin is that of Rex."""
        return Topic({g: rows & other.rows.get(g, rows) or rows for g, rows in self.rows.items()})

    def without(self, other: Topic) -> Topic:
        """The groups of this topic of which the other names no row."""
        return Topic({g: rows for g, rows in self.rows.items() if g not in other.rows})

    def joined_with(self, other: Topic) -> Topic:
        """The rows of both, of things that are compared."""
        groups = self.rows.keys() | other.rows.keys()
        none: frozenset[Row] = frozenset()
        return Topic({g: self.rows.get(g, none) | other.rows.get(g, none) for g in groups})

    def widened_by(self, other: Topic) -> Topic:
        """This topic with the rows of another in the groups that it names a row of."""
        none: frozenset[Row] = frozenset()
        return Topic({g: rows | other.rows.get(g, none) for g, rows in self.rows.items()})

    def or_else(self, other: Topic) -> Topic:
        """This topic, completed by another one for the groups that it leaves open."""
        return Topic({**other.rows, **self.rows})


def label_of(row: Row) -> str:
    """What a thing calls its number, "" where it has none: "order id #W12"."""
    label, _, number = row.rpartition(" ") if isinstance(row, str) else ("", "", "")
    return (
        label if any(map(str.isdigit, number)) and label.endswith((" id", " number", " no")) else ""
    )
