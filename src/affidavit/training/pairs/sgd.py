"""Grounded answers over API results (Schema-Guided Dialogue), and faulty twins of each.

An answer's sentences carry annotated slots; the results hold the canonical values behind them. What
is true of a sentence is known from that, and what would make it false: another row's value, a digit,
a value from another conversation in the sentence; another value, a flipped flag or a lacking field
in the passage.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affidavit.ledger.passages import render_record, sentences
from affidavit.ledger.records import records_of, words_of
from affidavit.training.pairs.faults import perturb_value
from affidavit.training.pairs.pair import Pair, read_rows

_RELATIVE = ("today", "tomorrow", "next", "this ", "later", "day after", "same", "tonight", "now")
_FLAG_WORDS = {
    "has_live_music": ("live music",),
    "serves_alcohol": ("alcohol", "liquor", "drinks"),
    "refundable": ("refund",),
    "is_unisex": ("unisex",),
    "free_entry": ("free", "entry fee", "admission"),
    "good_for_kids": ("kid", "child"),
    "pets_welcome": ("pet",),
    "pets_allowed": ("pet",),
    "has_wifi": ("wi-fi", "wifi"),
    "smoking_allowed": ("smok",),
    "furnished": ("furnish",),
    "has_laundry_service": ("laundry",),
    "offers_cosmetic_services": ("cosmetic",),
}
_SUCCESS = ("booked", "reserved", "confirmed", "scheduled", "success", "made", "transferred", "set")
_STATUS_GOOD = ("success", "confirmed", "completed", "booked", "ok")
_STATUS_BAD = ("failed", "rejected", "error", "declined", "not completed")

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Span:
    """A slot value as a sentence writes it, and the value behind it."""

    slot: str
    start: int
    end: int
    surface: str
    canonical: str


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of an answer with what its annotations say about it."""

    text: str
    spans: tuple[Span, ...]
    count: str | None = None
    flags: tuple[tuple[str, str], ...] = ()


class Surfaces:
    """How each value of each slot was ever written: where twins take their values from."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._written: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._values: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            for action in row["actions"]:
                pairs = zip(action["canonical_values"], action["values"], strict=False)
                for canonical, surface in pairs:
                    if action["slot"] and action["slot"] != "count" and not _relative(surface):
                        self._written[action["slot"], canonical].add(surface)
                        self._values[action["slot"]].add(canonical)
        self._sorted = {slot: sorted(values) for slot, values in self._values.items()}

    def write(self, slot: str, canonical: str, rng: random.Random) -> str:
        """A value as someone wrote it, or as the data holds it."""
        written = self._written.get((slot, canonical))
        return rng.choice(sorted(written)) if written else canonical

    def elsewhere(self, slot: str, canonical: str, rng: random.Random) -> str | None:
        """A value of this slot from some other conversation."""
        others = rng.sample(self._sorted.get(slot, []), k=min(4, self._count(slot)))
        return next((v for v in others if v != canonical), None)

    def _count(self, slot: str) -> int:
        return len(self._sorted.get(slot, []))


def sgd_pairs(data: Path, rng: random.Random, *, split: str = "train") -> Iterator[Pair]:
    """The pairs of one part of the corpus."""
    return sgd_pairs_of(list(read_rows(data / "agent" / f"sgd.{split}.jsonl.gz")), rng)


def sgd_pairs_of(rows: Sequence[Mapping[str, Any]], rng: random.Random) -> Iterator[Pair]:
    """True sentences over the record they speak about, and two or three twins of each."""
    surfaces = Surfaces(rows)
    for row in rows:
        for said in said_of(row):
            yield from _pairs_of(row, said, surfaces, rng)
            if said.spans and rng.random() < 0.08:
                yield from _unrelated(said, row["service"], rng.choice(rows), rng)


def _unrelated(
    said: Said, service: str, other: Mapping[str, Any], rng: random.Random
) -> Iterator[Pair]:
    """The sentence over a result of another service."""
    if other["results"] and other["service"].split("_")[0] != service.split("_")[0]:
        premise = rendered(rng.choice(other["results"]), other["call"]["method"])
        yield Pair(premise, said.text, "neutral", "sgd", "unrelated")


def said_of(row: Mapping[str, Any]) -> Iterator[Said]:
    """The statements of an answer; questions and words relative to the day of talking left out."""
    answer = row["answer"]
    values = _canonical_values(row["actions"])
    spans = [
        Span(s["slot"], s["start"], s["exclusive_end"], text, values[s["slot"], text])
        for s in row["slots"]
        if (s["slot"], text := answer[s["start"] : s["exclusive_end"]]) in values
    ]
    count = next((a["values"][0] for a in row["actions"] if a["act"] == "INFORM_COUNT"), None)
    for left, right in sentences(answer):
        text = answer[left:right]
        cut = any(s["start"] < right < s["exclusive_end"] for s in row["slots"])
        if "?" in text or cut or _relative(text):
            continue
        inside = tuple(
            Span(s.slot, s.start - left, s.end - left, s.surface, s.canonical)
            for s in spans
            if left <= s.start and s.end <= right
        )
        said_count = count if count and count in text.replace(",", " ").split() else None
        yield Said(text, inside, said_count, tuple(_flags(row["actions"], text)))


def _pairs_of(
    row: Mapping[str, Any], said: Said, surfaces: Surfaces, rng: random.Random
) -> Iterator[Pair]:
    results: list[Row] = row["results"]
    if said.spans or said.flags:
        home = next((r for r in results if _holds(r, said)), None)
        if home is not None:
            yield from _fact_pairs(row, said, home, surfaces, rng)
    elif said.count:
        yield from _count_pairs(row, said, rng)
    else:
        yield from _outcome_pairs(row, said, rng)


def _fact_pairs(
    row: Mapping[str, Any], said: Said, home: Row, surfaces: Surfaces, rng: random.Random
) -> Iterator[Pair]:
    names = name_slot(home)
    rivals = [r for r in row["results"] if r != home]
    named = any(s.slot == names for s in said.spans)
    premise_rows = [home]
    # Only a sentence that names its subject can be judged beside a second record.
    if named and rivals and rng.random() < 0.3:
        premise_rows.insert(rng.randint(0, 1), rng.choice(rivals))
    shown = len(row["results"]) if said.count is None else int(said.count)
    needed = {s.slot for s in said.spans} | {slot for slot, _ in said.flags} | {names}
    spare = [key for key in home if key not in needed]
    keys = [*needed, *rng.sample(spare, k=rng.randint(min(1, len(spare)), min(6, len(spare))))]
    show = _Rendering(row["call"]["method"], shown, said.count is not None, keys, rng)
    case = Case(said, premise_rows, home, rivals, names, surfaces, show)
    premise = case.shown()
    yield Pair(premise, said.text, "entailment", "sgd")
    makers = [_wrong_value, _wrong_evidence, _lacking_field, _wrong_value]
    for make in rng.sample(makers, k=2):
        twin = make(case, rng)
        if twin is not None and twin.hypothesis + twin.premise != said.text + premise:
            yield twin


class _Rendering:
    """The evidence around some rows of one call, the same way for a claim and its twins."""

    def __init__(
        self, method: str, count: int, counted: bool, keys: Sequence[str], rng: random.Random
    ) -> None:
        words = words_of(method)
        self._root = rng.choice([method, words.replace(" ", "_"), words, ""])
        self._wrap = rng.choice(["results", "items", words.split()[-1].removesuffix("s") + "s", ""])
        self._count_key = rng.choice(["count", "total", "total_results", "num_results"])
        self._count = count
        self._counted = counted or rng.random() < 0.1
        self._typed = rng.random() < 0.75
        self._keys = frozenset(keys)

    def __call__(self, rows: Sequence[Row]) -> str:
        items = [self._row(r) for r in rows]
        value: Any = items[0] if len(items) == 1 and not self._wrap else items
        if self._counted:
            value = {self._count_key: self._count, self._wrap or "results": items}
        elif self._wrap and len(items) > 1:
            value = {self._wrap: items}
        return rendered(value, self._root)

    def _row(self, row: Row) -> dict[str, Any]:
        kept = {key: value for key, value in row.items() if key in self._keys}
        return {key: _typed(value) for key, value in kept.items()} if self._typed else kept


@dataclass(frozen=True, slots=True)
class Case:
    """A true sentence with its evidence, and what twins can be made from.

    ``home`` is the row that the sentence speaks about, one of the ``rows`` shown; ``rivals`` are the
    other rows of the result; ``names`` is the slot that says which thing a row is.
    """

    said: Said
    rows: list[Row]
    home: Row
    rivals: Sequence[Row]
    names: str
    surfaces: Surfaces
    show: _Rendering

    def shown(self) -> str:
        return self.show(self.rows)

    def shown_with(self, home: Row) -> str:
        """The evidence with another row in the place of ``home``."""
        return self.show([home if row is self.home else row for row in self.rows])


def rendered(value: object, root: str) -> str:
    """JSON-like data as the passages that the ledger makes of it, one a line."""
    records = records_of(value, root=root)
    return "\n".join(p.text for record in records for p in render_record(record))


def _wrong_value(case: Case, rng: random.Random) -> Pair | None:
    """Another row's value, a digit, or a value from nowhere, put into the sentence."""
    if not case.said.spans:
        return None
    span = rng.choice(case.said.spans)
    surface, fault = _other_surface(span, case.rivals, case.surfaces, rng)
    if surface is None or surface.lower() == span.surface.lower():
        return None
    text = case.said.text[: span.start] + surface + case.said.text[span.end :]
    # Another name makes it a sentence about another thing, of which the passage says nothing,
    # unless it shows that thing too.
    about_other = span.slot == case.names and len(case.rows) == 1
    return Pair(case.shown(), text, "neutral" if about_other else "contradiction", "sgd", fault)


def _other_surface(
    span: Span, rivals: Sequence[Row], surfaces: Surfaces, rng: random.Random
) -> tuple[str | None, str]:
    values = sorted(
        {r[span.slot] for r in rivals if r.get(span.slot) not in (None, span.canonical)}
    )
    way = rng.random()
    if values and way < 0.45:
        return surfaces.write(span.slot, rng.choice(values), rng), "row"
    if way < 0.75 and (changed := perturb_value(span.surface, rng)):
        return changed, "digit"
    other = surfaces.elsewhere(span.slot, span.canonical, rng)
    return (surfaces.write(span.slot, other, rng), "nowhere") if other else (None, "")


def _wrong_evidence(case: Case, rng: random.Random) -> Pair | None:
    """The sentence stays; the passage says something else: a flipped flag or another value."""
    if case.said.flags:
        slot, value = rng.choice(case.said.flags)
        flipped = {**case.home, slot: "False" if value == "True" else "True"}
        return Pair(case.shown_with(flipped), case.said.text, "contradiction", "sgd", "flag")
    spans = [s for s in case.said.spans if s.slot != case.names and s.slot in case.home]
    if not spans:
        return None
    span = rng.choice(spans)
    value = case.surfaces.elsewhere(span.slot, span.canonical, rng) or ""
    if not value or value.lower() == span.canonical.lower():
        return None
    changed = {**case.home, span.slot: value}
    return Pair(case.shown_with(changed), case.said.text, "contradiction", "sgd", "evidence")


def _lacking_field(case: Case, rng: random.Random) -> Pair | None:
    """The passage does not hold what the sentence says."""
    slots = [s.slot for s in case.said.spans if s.slot != case.names] + [
        slot for slot, _ in case.said.flags
    ]
    if not slots:
        return None
    gone = rng.choice(slots)
    lacking = {key: value for key, value in case.home.items() if key != gone}
    value = case.home.get(gone, "")
    # "San Jose" may also stand in an address: then the passage still holds it.
    if not lacking or any(value.lower() in other.lower() for other in lacking.values() if value):
        return None
    return Pair(case.shown_with(lacking), case.said.text, "neutral", "sgd", "lacking")


def _count_pairs(row: Mapping[str, Any], said: Said, rng: random.Random) -> Iterator[Pair]:
    """ "I found 7 restaurants", where the passage shows how many there were."""
    if said.count is None or not said.count.isdigit():
        return
    true = int(said.count)
    wrong = max(0, true + rng.choice([-3, -2, -1, 1, 2, 3, 10]))
    first = row["results"][:1]
    for count, label in ((true, "entailment"), (wrong, "contradiction")):
        if count == true and label == "contradiction":
            continue
        show = _Rendering(row["call"]["method"], count, True, list(first[0]) if first else [], rng)
        yield Pair(show(first), said.text, label, "sgd", "" if count == true else "count")  # type: ignore[arg-type]


def _outcome_pairs(row: Mapping[str, Any], said: Said, rng: random.Random) -> Iterator[Pair]:
    """Sentences that only say that it worked, or that nothing was found."""
    acts = {a["act"] for a in row["actions"]}
    method = row["call"]["method"]
    text = said.text.lower()
    if "NOTIFY_SUCCESS" in acts and any(word in text for word in _SUCCESS) and rng.random() < 0.35:
        record = row["results"][0] if row["results"] else row["call"]["parameters"]
        for statuses, label in ((_STATUS_GOOD, "entailment"), (_STATUS_BAD, "contradiction")):
            value = {"status": rng.choice(statuses), **record}
            yield Pair(rendered(value, method), said.text, label, "sgd", "status")  # type: ignore[arg-type]
    if "NOTIFY_FAILURE" in acts and not row["results"] and "sorry" not in text.split()[-1:]:
        negative = any(w in text for w in ("n't", "no ", "not ", "unable", "unfortunately", "fail"))
        if not negative:
            return
        if method.startswith(("Find", "Search", "Get", "Lookup")):
            for n, label in ((0, "entailment"), (rng.randint(1, 9), "contradiction")):
                value = {"count": n, "query": row["call"]["parameters"]}
                yield Pair(rendered(value, method), said.text, label, "sgd", "empty")  # type: ignore[arg-type]
        else:
            for statuses, label in ((_STATUS_BAD, "entailment"), (_STATUS_GOOD, "contradiction")):
                value = {"status": rng.choice(statuses), **row["call"]["parameters"]}
                yield Pair(rendered(value, method), said.text, label, "sgd", "status")  # type: ignore[arg-type]


def _canonical_values(actions: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    return {
        (action["slot"], surface): canonical
        for action in actions
        for canonical, surface in zip(action["canonical_values"], action["values"], strict=False)
    }


def _flags(actions: Sequence[Mapping[str, Any]], text: str) -> Iterator[tuple[str, str]]:
    """Yes-or-no slots that the sentence speaks about: they are not annotated as spans."""
    for action in actions:
        values = action["canonical_values"]
        words = _FLAG_WORDS.get(action["slot"], ())
        if values[:1] in (["True"], ["False"]) and any(w in text.lower() for w in words):
            yield action["slot"], values[0]


def _holds(row: Row, said: Said) -> bool:
    spans = all(row.get(s.slot) == s.canonical for s in said.spans)
    return spans and all(row.get(slot) == value for slot, value in said.flags)


def name_slot(row: Row) -> str:
    """The slot that says which thing a row is: a name or title, of the thing rather than a place."""
    names = [key for key in row if key.endswith("_name") and not key.endswith("station_name")]
    return next((key for key in (*names, "title", "name", "address") if key in row), "")


def _typed(value: str) -> str | int | float | bool:
    if value in ("True", "False"):
        return value == "True"
    if value.isdigit() and len(value) < 9 and not value.startswith("0"):
        return int(value)
    return value


def _relative(text: str) -> bool:
    return any(word in text.lower() for word in _RELATIVE)
