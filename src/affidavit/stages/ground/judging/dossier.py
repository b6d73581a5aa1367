"""What a judge is shown: each claim in doubt with what the ledger found of it, over the records that bear on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.models.judge import AskedClaim, Record
from affidavit.report import CHECKER, CITED, ClaimVerdict
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.linking import Evidence
from affidavit.stages.ground.linking.premise import chosen, length

BEST = 260
"""About how many word pieces of evidence are chosen for a claim."""
WHOLE = 600
"""Records of no more word pieces are shown whole where anything of them is."""
_FOUND = 8
"""Findings that are told of one claim."""
_WHO = {"system": "the system prompt", "user": "the user", "tool_definition": "the declaration of"}


@dataclass(frozen=True)
class Doubtful:
    """A claim of the answer that is to be asked about. ``index`` is its place in the report."""

    index: int
    verdict: ClaimVerdict
    case: Case

    def lines(self) -> list[Passage]:
        """The lines that bear on it most."""
        case = self.case
        return chosen(
            case.linked, case.evidence, BEST, case.claim.before, case.first, case.cited.apart
        )

    def content(self) -> str:
        """All that the judge's word may depend on, in one text."""
        lines = (f"{_place(line)}: {line.text}" for line in self.lines())
        said = (self.case.claim.before, self.case.linked.statement)
        return "\n".join((*said, *lines, *found_of(self)))


@dataclass(frozen=True)
class Dossier:
    """What is asked in one request, and the lines of each record by the id that it is shown under."""

    claims: tuple[AskedClaim, ...]
    records: tuple[Record, ...]
    lines: Mapping[str, tuple[Passage, ...]]


def dossier_of(doubtful: Sequence[Doubtful]) -> Dossier:
    """The dossier of some claims of one answer. Records and claims bear ids of ours: what stands in them cannot
    pass for another."""
    picked = {one.index: one.lines() for one in doubtful}
    evidence = doubtful[0].case.evidence
    lines = _with_whole(evidence, [line for some in picked.values() for line in some])
    ids = {place: f"R{n}" for n, place in enumerate(lines, 1)}
    records = tuple(
        Record(ids[place], _title(some[0]), tuple(line.text for line in some))
        for place, some in lines.items()
    )
    claims = tuple(
        AskedClaim(
            f"C{n}",
            one.case.linked.statement,
            tuple(dict.fromkeys(ids[_place(line)] for line in picked[one.index])),
            tuple(found_of(one, ids)),
            one.case.claim.before,
        )
        for n, one in enumerate(doubtful, 1)
    )
    return Dossier(claims, records, {ids[place]: tuple(some) for place, some in lines.items()})


def _with_whole(evidence: Evidence, picked: Sequence[Passage]) -> dict[str, list[Passage]]:
    """The lines that were picked, by the record they are of, in the order of the run: all of a short record."""
    wanted = {id(line) for line in picked}
    places = {_place(line) for line in picked}
    whole: dict[str, list[Passage]] = {}
    for line in evidence.lines:
        if (place := _place(line)) in places:
            whole.setdefault(place, []).append(line)
    return {
        place: some
        if sum(length(line.text) for line in some) <= WHOLE
        else [line for line in some if id(line) in wanted]
        for place, some in whole.items()
    }


def _place(line: Passage) -> str:
    """What a line is a part of: a call with its result, or one thing that was said."""
    source = line.source
    return f"call {source.call_id}" if source.call_id else f"source {source.id}"


def _title(line: Passage) -> str:
    source = line.source
    if source.kind == "tool_result":
        return f"call {source.call_id or '?'} of {source.tool or 'a tool'}"
    return f"{_WHO.get(source.kind, source.kind)} {source.tool or ''}".strip()


def found_of(one: Doubtful, ids: Mapping[str, str] | None = None) -> list[str]:
    """What the ledger found of a claim: each of its values linked, worked out or absent, and what else was noticed.
    With the ``ids`` of the records it says in which of them."""
    told: dict[str, None] = {}
    for check in one.verdict.checks:
        if not check.detail or check.name in ("entailment", CHECKER, CITED):
            continue
        calls = (span.call_id for span in check.evidence_spans)
        where = dict.fromkeys(i for call in calls if (i := (ids or {}).get(f"call {call}")))
        told[f"{check.detail} [{', '.join(where)}]" if where else check.detail] = None
    return list(told)[:_FOUND]
