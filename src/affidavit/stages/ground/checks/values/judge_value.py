"""One value of a claim: found and rightly bound, found elsewhere, or nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from affidavit.ledger.search import Hit, counts_time
from affidavit.ledger.values import Value, compare, fold
from affidavit.ledger.values.countries import SELF_NAMING
from affidavit.ledger.values.field_paths import field_words
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.absence.free_hours import free_hours
from affidavit.stages.ground.checks.derived import asks_for_arithmetic
from affidavit.stages.ground.checks.lists.miscounts import (
    miscounted,
    more_than_logged,
    not_called_for,
)
from affidavit.stages.ground.checks.lists.none_such import is_of_none
from affidavit.stages.ground.checks.lists.places import placed
from affidavit.stages.ground.checks.lists.tallies import is_tallied
from affidavit.stages.ground.checks.lists.universals import is_bound_of_all
from affidavit.stages.ground.checks.order.comparisons import is_limit
from affidavit.stages.ground.checks.sources.echoes import has_rival, is_asked_for, is_told
from affidavit.stages.ground.checks.values.binding import Binding, bind
from affidavit.stages.ground.checks.values.edges import is_other_edge
from affidavit.stages.ground.checks.values.labels import under_another_label
from affidavit.stages.ground.checks.values.open_then import open_then
from affidavit.stages.ground.checks.values.outdated import comparable_cells
from affidavit.stages.ground.checks.values.phrase import local_stems
from affidavit.stages.ground.checks.values.proves_nothing import (
    counts_the_same,
    is_by_accident,
    is_of_some,
    picks_row,
)
from affidavit.stages.ground.checks.values.ranges import is_other_end
from affidavit.stages.ground.checks.values.routes import turned_round
from affidavit.stages.ground.checks.values.running_text import Elsewhere, said_of_another
from affidavit.stages.ground.checks.values.searched import searched_for
from affidavit.stages.ground.checks.values.senses import other_senses
from affidavit.stages.ground.checks.values.value_verdict import SOFT, Outcome, ValueVerdict
from affidavit.stages.ground.checks.values.verbatim import verbatim
from affidavit.stages.ground.checks.values.windows import in_a_name, names_a_field
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.denial import is_denied
from affidavit.stages.ground.finding import GroundContext
from affidavit.stages.ground.orders import is_ordered

_COMMON = frozenset("1 2 3 4 5 6 7 8 9 10 12 24 30 100".split())
"""Numbers so frequent that finding one somewhere proves little without a word that links it."""


def judge_value(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict:
    """One value: found and rightly bound, found elsewhere, or nowhere."""
    if (rank := placed(value, claim, context)) is not None:
        return rank
    counted = is_tallied(value, claim, context) or is_bound_of_all(value, claim, context)
    if counted or is_of_none(value, claim, context):
        return ValueVerdict(value, "open")  # the count that it is of has been made
    if value.moment is not None and value.moment.clock and free_hours(claim, context) is not None:
        return ValueVerdict(value, "open")  # the hours between have been looked into
    unbounded = value if value.approx else replace(value, bound="")
    every = context.search.hits(unbounded, today=context.today)
    if every and all(is_ordered(h, claim) for h in every):
        return replace(_nowhere(value, claim, context), derivable=False)
    every = [h for h in every if not is_ordered(h, claim)]
    if not any(counts_the_same(value, h) for h in every):
        wrong_log = more_than_logged(value, claim, context)
        if wrong_log is not None:
            return wrong_log
    opposed = [h for h in every if _opposite_bound(value, h, claim)]
    hits = [h for h in every if not any(_is_read_there(h, o) for o in opposed)]
    others = [h for h in hits if is_other_end(value, h, claim)]
    if others and len(others) == len(hits):
        span = others[0].passage.span(others[0].cell)
        detail = f"“{value.text}” is the other end of the range"
        return ValueVerdict(
            value, "contradicted", span, "contradicts_evidence", detail, derivable=False
        )
    edges = [h for h in hits if is_other_edge(value, h, claim)]
    if edges and len(edges) == len(hits):
        return _at_other_edge(value, edges[0])
    apart = [*others, *edges]
    hits = [h for h in hits if h not in apart and not _counts_others(value, h)]
    senses = list(zip(hits, other_senses(hits, claim), strict=True))
    if hits and all(how for _, how in senses):
        return _in_other_sense(value, senses, context)
    hits = [h for h, how in senses if not how]
    if (then := open_then(value, hits, claim, context)) is not None:
        return then
    if opposed and not hits:
        return _reversed(value, opposed[0])
    labelled = under_another_label(value, hits, claim, context) if claim.is_datum else None
    if labelled is not None:
        return _said_elsewhere(value, labelled)
    if not hits and is_limit(value, claim):
        return ValueVerdict(value, "open")
    if not hits:
        return (
            miscounted(value, claim, context)
            or not_called_for(value, claim, context)
            or in_a_name(value, claim, context)
            or verbatim(value, claim, context)
            or searched_for(value, claim, context)
            or _small(value, claim)
            or _scale(value, claim)
            or _in_unnamed_unit(value, claim, context)
            or _undated(value, context)
            or _nowhere(value, claim, context)
        )
    if _only_asked_about(value, hits, claim, context):
        detail = f"“{value.text}” was asked about; nothing that was retrieved speaks of it"
        return ValueVerdict(value, "missing", None, "value_not_in_evidence", detail)
    binding = bind(value, hits, claim, context)
    if _is_loose(value, binding):
        hits = [h for h in hits if h.value.kind == value.kind]
        if not hits:
            return _in_unnamed_unit(value, claim, context) or _nowhere(value, claim, context)
        binding = bind(value, hits, claim, context)
    span = binding.hit.passage.span(binding.hit.cell)
    if binding.verdict != "right":
        wrong_count = miscounted(value, claim, context)
        if wrong_count is not None:
            return wrong_count
        if _small(value, claim) is not None:
            return ValueVerdict(value, "open")
        detail = _wrong(value, binding)
        # Where no field is the total, ``total_savings`` is what the items above it come to.
        instead = binding.instead
        totalled = instead is not None and _is_total(instead[0].span(instead[1]))
        summed = claim.is_datum and asks_for_arithmetic(claim) and not totalled
        derivable = binding.verdict == "wrong_row" or summed
        return ValueVerdict(value, "contradicted", span, "contradicts_evidence", detail, derivable)
    if (other_way := turned_round(value, claim, context)) is not None:
        return other_way
    elsewhere = said_of_another(value, hits, claim, context)
    if elsewhere is not None:
        return _said_elsewhere(value, elsewhere)
    if (
        _is_record(value, claim)
        and binding.hit.cell is not None
        and len(binding.hit.cell.text) < 40
    ):
        return _nowhere(value, claim, context)
    if not claim.presumes and is_denied(value, claim) and _is_certain(binding.hit, claim, context):
        detail = f"“{value.text}” is denied, the evidence has {span.text}"
        return ValueVerdict(value, "contradicted", span, "meaning_changed", detail, derivable=False)
    linked = binding.linked or value.kind not in ("number", "percent") or _distinct(value)
    by_accident = is_by_accident(value, binding.hit, claim)
    if (by_accident and value.number is not None) or (
        not linked and _small(value, claim) is not None
    ):
        return ValueVerdict(value, "open")
    detail = f"{value.text} = {span.text}" if span.text != value.text else ""
    here = (hit for hit in hits if hit.passage is binding.hit.passage)
    named = any(
        _is_whole(value, hit) and (_names_field(hit, claim) or _names_itself(hit)) for hit in here
    )
    outcome: Outcome = "found" if linked else "unlinked"
    nothing = (
        by_accident
        or picks_row(value, binding.hit)
        or is_of_some(binding.hit, hits, claim, context)
    )
    return ValueVerdict(
        value, outcome, span, None, detail,
        named_field=named or claim.is_datum, proves_nothing=nothing,
    )  # fmt: skip


def _said_elsewhere(value: Value, elsewhere: Elsewhere) -> ValueVerdict:
    there, said = elsewhere.found.text.strip()[:120], elsewhere.nearer.text.strip()[:120]
    detail = f"“{value.text}” is said in “{there}”; “{said}” has {elsewhere.instead.text}"
    span = elsewhere.found.passage.span()
    return ValueVerdict(value, "contradicted", span, "contradicts_evidence", detail)


def _counts_others(value: Value, hit: Hit) -> bool:
    """Whether running text counts other things by the same small number: "two papers" are not found in
    "over two summers"."""
    if value.kind != "number" or not value.text.isalpha() or not (value.unit and hit.value.unit):
        return False
    if hit.value.kind != "number" or (hit.cell is not None and len(hit.cell.text) <= _SHORT):
        return False
    said, counted = content_stems(value.unit), content_stems(hit.value.unit)
    return bool(said and counted) and not named_in(said, counted)


_SHORT = 40


def _is_certain(hit: Hit, claim: Claim, context: GroundContext) -> bool:
    """Whether the claim names the field, and its row is the one spoken of or the only one."""
    chain = context.rows.chain(hit.passage)
    if not chain or not context.topic.fits(chain):
        return False
    group, row = chain[0]
    spoken_of = row in context.topic.rows.get(group, ()) or context.rows.is_sole(group)
    return spoken_of and _names_field(hit, claim)


def _is_loose(value: Value, binding: Binding) -> bool:
    """Whether a measure was found as a bare number of a field that the claim does not name, where the same
    record has a field of its kind: five seconds are not the 5 of ``replicas`` beside ``interval_s: 300``."""
    hit = binding.hit
    if binding.linked or hit.cell is None or value.kind not in ("duration", "quantity"):
        return False
    if hit.value.kind != "number" or not field_words(hit.cell.path):
        return False
    if value.text.replace(" ", "").isalpha() and value.face is not None and value.face <= _FEW:
        return True  # "an hour" of ``no: 1``, "two weeks" of ``doses: 2``
    return any(
        other.kind == value.kind and other.unit == value.unit and cell is not hit.cell
        for cell, other in hit.passage.cell_values
    )


_FEW = 12
"""Up to here a bare number is met everywhere."""


def _is_whole(value: Value, hit: Hit) -> bool:
    """Whether a value is all that a cell holds: word for word, or spelled out, "Kenya" of ``nat: KEN``."""
    cell = hit.cell
    if cell is None or fold(cell.text) == fold(value.text):
        return cell is not None
    if hit.value.kind == "name" and hit.value.key == fold(value.text) != fold(hit.value.text):
        return True  # one of several codes: "fr-CA, en"
    spans = (hit.value.start, hit.value.end) == (0, len(cell.text))
    alike = {value.kind, hit.value.kind} <= SOFT and compare(hit.value, value) == "same"
    return spans and alike and not _LISTED.search(cell.text)


_LISTED = re.compile(r"[,;/|>→]")


def _names_itself(hit: Hit) -> bool:
    """Whether a field holds what needs no naming of the field: "of Kenya" is of the country, "in French" of
    the language. Not where two fields of a record hold one each, ``from_country`` and ``to_country``."""
    words = set(field_words(hit.cell.path)) if hit.cell else set()
    return bool(words & SELF_NAMING) and words <= SELF_NAMING | {"code", "name", "iso"}


def _names_field(hit: Hit, claim: Claim) -> bool:
    key = content_stems(hit.cell.key) if hit.cell else frozenset()
    return bool(key) and len(named_in(key, content_stems(claim.statement))) * 2 >= len(key)


def _only_asked_about(
    value: Value, hits: Sequence[Hit], claim: Claim, context: GroundContext
) -> bool:
    """A thing that is named in the question and in the search for it, but in nothing found: the
    manual of another model answers no question about this one, nor last year's rate about this year's.
    """
    if claim.kind != "fact" or not claim.covered or is_negated(claim.text):
        return False
    if len(claim.values) < 2 or not any(e.outcome == "ok" for e in context.ledger.calls):
        return False
    if value.kind == "moment":
        dated = value.moment is not None and value.moment.year is not None
        said = all(hit.passage.source.kind == "user" for hit in hits)
        asked = is_asked_for(value, context) or names_a_field(value, context)
        return dated and said and not asked
    if value.kind not in ("name", "identifier", "quoted") or " " not in value.text.strip():
        return False
    if is_told(value, context) or _with_its_field(value, context):
        return False
    return not is_asked_for(value, context) or has_rival(value, context)


def _with_its_field(value: Value, context: GroundContext) -> bool:
    """Whether a name is a field and what it holds: "Color Red" of ``color: red``."""
    first, _, rest = fold(value.text).partition(" ")
    return any(
        fold(cell.text) == rest and fold(cell.key).endswith(first)
        for passage in context.fitting
        if passage.source.kind == "tool_result"
        for cell, _, _ in passage.cells
    )


def _is_read_there(hit: Hit, other: Hit) -> bool:
    """Whether two hits are readings of the same place."""
    same = hit.passage is other.passage and hit.cell is other.cell
    return same and hit.value.start < other.value.end and other.value.start < hit.value.end


def _opposite_bound(value: Value, hit: Hit, claim: Claim) -> bool:
    """Whether the evidence bounds the other way. What the user wished for ("under $100") does not, but
    where it is retold."""
    opposite = {value.bound, hit.value.bound} == {"min", "max"}
    return opposite and (hit.passage.source.kind != "user" or claim.kind == "restatement")


def _at_other_edge(value: Value, hit: Hit) -> ValueVerdict:
    span = hit.passage.span(hit.cell)
    detail = f"“{value.text}” is told of the other edge: the evidence has {span.text}"
    return ValueVerdict(value, "contradicted", span, "meaning_changed", detail, derivable=False)


def _in_other_sense(
    value: Value, senses: Sequence[tuple[Hit, str]], context: GroundContext
) -> ValueVerdict:
    hit, how = next((s for s in senses if s[1] == "beside"), senses[0])
    if how == "alone":
        detail = (
            f"“{value.text}” is only {hit.passage.span(hit.cell).text}, which tells the opposite"
        )
        return ValueVerdict(value, "missing", None, "value_not_in_evidence", detail)
    chain = context.rows.chain(hit.passage)
    one_of_many = bool(chain) and not context.rows.is_sole(
        chain[0][0]
    )  # what all rows come to may be alike
    span = hit.passage.span(hit.cell)
    detail = f"“{value.text}” is {span.text}, which tells the opposite"
    return ValueVerdict(
        value, "contradicted", span, "contradicts_evidence", detail, derivable=one_of_many
    )


def _reversed(value: Value, hit: Hit) -> ValueVerdict:
    said, held = ("most", "least") if value.bound == "max" else ("least", "most")
    detail = f"“{value.text}” is said as at {said}, the evidence has it as at {held}"
    span = hit.passage.span(hit.cell)
    return ValueVerdict(value, "contradicted", span, "meaning_changed", detail, derivable=False)


def _small(value: Value, claim: Claim) -> ValueVerdict | None:
    """A small number in words ("one of them", "in three regions") counts what need not be listed."""
    if value.kind == "number" and value.text.isalpha() and claim.cell is None:
        return None if _is_record(value, claim) else ValueVerdict(value, "open")
    return None


_OUT_OF = re.compile(
    r"(?P<rated>\d(?:[.,]\d+)?)(?:\sstars?)?\s?(?:/|out of|von|sur|de|su)\s?$", re.I
)
_RATING = re.compile(
    r"\b(?:rat(?:ed|ing|ings|es)|stars?|scor(?:e|ed|es)|review\w*|graded?|marks?|bewert\w+|not(?:e|é|ée)|valora\w+|punt\w+)\b",
    re.I,
)


def _scale(value: Value, claim: Claim) -> ValueVerdict | None:
    """The 5 of "rated 4.6 out of 5": the least scale that a rating fits on need not be told."""
    rated = _OUT_OF.search(claim.text[: value.start])
    if rated is None or value.kind != "number" or not _RATING.search(claim.text):
        return None
    held = Decimal(rated["rated"].replace(",", "."))
    least = 5 if held <= 5 else 10
    return ValueVerdict(value, "open") if value.number == least else None


def _in_unnamed_unit(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict | None:
    """ "11 of her 28 days" of ``vacation: {entitled: 28, taken: 11}``: whether a bare number is meant in the unit that
    is told of it is for the model to say, where the claim names another field beside it."""
    if value.kind not in ("duration", "quantity") or value.face is None or not value.face_unit:
        return None
    said = content_stems(claim.statement)
    bare = Value("number", f"{value.face:f}", value.start, value.end, number=value.face)
    for hit in context.search.hits(bare):
        if _is_bare(hit) and context.topic.fits(context.rows.chain(hit.passage)):
            if any(named_in(content_stems(str(path[-1])), said) for path in _beside(hit)):
                return ValueVerdict(value, "open")
    return None


def _is_bare(hit: Hit) -> bool:
    """Whether a hit is a whole number in a map, of which nothing says what it counts or measures."""
    if hit.cell is None or len(hit.cell.path) < 2 or hit.passage.source.kind != "tool_result":
        return False
    raw = hit.cell.raw
    return isinstance(raw, int) and not isinstance(raw, bool) and hit.value.kind == "number"


def _beside(hit: Hit) -> list[tuple[str | int, ...]]:
    """The other fields of the map that a hit is in."""
    own = hit.cell.path if hit.cell else ()
    return [c.path for c, _, _ in hit.passage.cells if c.path[:-1] == own[:-1] and c.path != own]


def _undated(value: Value, context: GroundContext) -> ValueVerdict | None:
    """ "Today" of results that bear no date at all: they tell how things stand now."""
    if value.moment is None or value.moment.relative_days != 0:
        return None
    dated = context.search.once("results bear dates", lambda: _bears_dates(context))
    return None if dated else ValueVerdict(value, "open")


def _bears_dates(context: GroundContext) -> bool:
    passages = (p for p in context.search.passages if p.source.kind == "tool_result")
    moments = (value.moment for p in passages for value in p.values)
    return any(m is not None and (m.day or m.weekday is not None) for m in moments)


def _is_record(value: Value, claim: Claim) -> bool:
    return any(m.start() <= value.start < m.end() for m in _RECORD.finditer(claim.text))


_RECORD = re.compile(
    r"\b\w+ (?:out )?of (?:their|its|his|her|the|our|your|my) (?:last|past|previous|first|final) \w+\b",
    re.I,
)
"""A record, "four of their last five games", which somebody would have to have counted."""


def _distinct(value: Value) -> bool:
    return (
        value.number is not None
        and str(abs(value.number).normalize()) not in _COMMON
        and (abs(value.number) >= 32 or value.number != value.number.to_integral_value())
    )


def _nowhere(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict:
    """A value that is in no evidence: contradicted where its field holds another one."""
    if value.kind in SOFT:
        detail = f"“{value.text}” appears nowhere in the evidence"
        return ValueVerdict(value, "missing", None, "value_not_in_evidence", detail)
    bare = value.kind == "number" and (not value.unit or counts_time(value))
    if bare and not claim.is_datum:
        detail = f"“{value.text}” appears nowhere in the evidence"
        return ValueVerdict(value, "missing", None, "value_not_in_evidence", detail)
    local = local_stems(claim, value)
    best: tuple[int, EvidenceSpan] | None = None
    for passage, cell, other in comparable_cells(context.fitting, value):
        if compare(value, other, today=context.today) != "different":
            continue
        named = len(named_in(content_stems(cell.key), local))
        if named and (best is None or named > best[0]):
            best = (named, passage.span(cell))
    computed = asks_for_arithmetic(claim) and best is not None and not _is_total(best[1])
    if best is not None and not is_negated(claim.text) and not computed:
        detail = f"“{value.text}” is not in the evidence, which has {best[1].text}"
        return ValueVerdict(value, "contradicted", best[1], "value_not_in_evidence", detail)
    detail = f"“{value.text}” appears nowhere in the evidence"
    return ValueVerdict(value, "missing", None, "value_not_in_evidence", detail)


def _is_total(span: EvidenceSpan) -> bool:
    """A field that holds a total is what a claim about the total means."""
    return bool(content_stems(span.text) & content_stems("total sum average mean difference net"))


def _wrong(value: Value, binding: Binding) -> str:
    hit, instead = binding.hit, binding.instead
    where = hit.passage.record.header if hit.passage.record else hit.passage.text[:60]
    key = hit.cell.key if hit.cell else ""
    has = f"; the one spoken of has {instead[0].span(instead[1]).text}" if instead else ""
    match binding.verdict:
        case "wrong_row" | "wrong_item":
            return f"“{value.text}” belongs to {where or key}{has}"
        case "wrong_field":
            return f"“{value.text}” is {key}{has}"
        case _:
            return f"“{value.text}” was {key} before a later result changed it{has}"
