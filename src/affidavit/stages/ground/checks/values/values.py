"""Values: every one a claim states is in the evidence, in the row and field the claim speaks about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Literal

from affidavit.ledger.search import Hit, counts_time
from affidavit.ledger.values import Value, compare, fold, parse_values
from affidavit.ledger.values.countries import SELF_NAMING
from affidavit.ledger.values.field_paths import field_words
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.absence.free_hours import free_hours
from affidavit.stages.ground.checks.derived import asks_for_arithmetic, derive
from affidavit.stages.ground.checks.derived.aggregate import EACH, OF_QUARTER
from affidavit.stages.ground.checks.derived.derivation import Derivation
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
from affidavit.stages.ground.checks.states.flags import OPPOSITES
from affidavit.stages.ground.checks.values.binding import (
    Binding,
    bind,
    local_stems,
)
from affidavit.stages.ground.checks.values.edges import is_other_edge
from affidavit.stages.ground.checks.values.labels import under_another_label
from affidavit.stages.ground.checks.values.open_then import open_then
from affidavit.stages.ground.checks.values.outdated import comparable_cells
from affidavit.stages.ground.checks.values.ranges import is_other_end
from affidavit.stages.ground.checks.values.routes import turned_round
from affidavit.stages.ground.checks.values.running_text import Elsewhere, said_of_another
from affidavit.stages.ground.checks.values.searched import searched_for
from affidavit.stages.ground.checks.values.value_verdict import SOFT, Outcome, ValueVerdict
from affidavit.stages.ground.checks.values.verbatim import verbatim
from affidavit.stages.ground.checks.values.windows import in_a_name, names_a_field
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.denial import is_denied
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.orders import is_ordered
from affidavit.stages.ground.phrases import PLACEHOLDER

NAME = "values"

_COMMON = frozenset("1 2 3 4 5 6 7 8 9 10 12 24 30 100".split())
"""Numbers so frequent that finding one somewhere proves little without a word that links it."""


def check_values(claim: Claim, context: GroundContext) -> tuple[Finding, Finding]:
    """Hold every value of the claim against the evidence: quoted from it, or derived from it.

    Gives one finding for the values that are quoted and one for those that are derived.
    """
    if not claim.values:
        none = "the claim states no value"
        return Finding.skip(NAME, none), Finding.skip("derived", none)
    quoted: list[ValueVerdict] = []
    derived: list[tuple[Value, Derivation]] = []
    for value in _stated_values(claim):
        verdict = judge_value(value, claim, context)
        tried = verdict.outcome != "found" and verdict.derivable
        derivation = _derived_here(value, claim, context) if tried else None
        if derivation is not None:
            derived.append((value, derivation))
        else:
            quoted.append(verdict)
    summed = any(derivation.operation == "sum" for _, derivation in derived)
    if summed or OF_QUARTER.search(claim.text):
        # "135 new members and 42 lost": another column may hold a 42, and the sum of its own is meant.
        for verdict in [v for v in quoted if v.outcome == "contradicted" and v.value.number]:
            total = _derived_here(verdict.value, claim, context)
            if total is not None and total.operation == "sum":
                derived.append((verdict.value, total))
                quoted.remove(verdict)
    used = {n for _, derivation in derived for n in derivation.factors}
    quoted = [v for v in quoted if v.outcome == "found" or v.value.number not in used]
    return _quoted(quoted, claim), _derived(derived, claim)


def _derived_here(value: Value, claim: Claim, context: GroundContext) -> Derivation | None:
    """How a value was computed, by this claim's words or by those of an earlier one that gave it first:
    the $71.96 that will be charged are the difference that was worked out above."""
    found = derive(value, claim, context)
    if found is not None or value.number is None or value.kind in ("name", "quoted"):
        return found
    for n, earlier in enumerate(context.before):
        if bool(EACH.search(claim.text)) != bool(EACH.search(earlier.text)):
            continue  # what two cost together they do not cost each
        for told in earlier.values:
            if (told.kind, told.number) == (value.kind, value.number):
                return derive(told, earlier, replace(context, before=context.before[:n]))
    return None


def _stated_values(claim: Claim) -> list[Value]:
    """The values of a claim. What an offer puts in quotes ("say “use item 3778566150”") is put into the
    user's mouth and quotes nothing: only what it names is looked up."""
    if not claim.presumes:
        return [part for value in claim.values for part in _parts_of(value, claim)]
    values: list[Value] = []
    for value in claim.values:
        if value.kind in ("name", "number"):
            continue  # an offer may call and count things as it likes
        if value.kind != "quoted":
            values.append(value)
            continue
        inside = parse_values(value.text.strip("\"'“”‘’«»").strip())
        values += [replace(v, start=value.start, end=value.end) for v in inside]
    return values


_ASIDE = re.compile(r"\W*([^()]*\w)\s*\(([^()]*\w[^()]*)\)\W*")


_ON_FILE = re.compile(r"\s\(?(?:on file|on record|on the account)\)?(\W*)$", re.I)


def _parts_of(value: Value, claim: Claim) -> list[Value]:
    """A datum that tells which one in brackets, "original payment method (card_21)", says two things."""
    if not claim.is_datum or value.kind != "quoted":
        return [value]
    if fold(value.text) in OPPOSITES:
        return []  # "availability: in stock" is a yes or no, which the flags decide
    value = replace(value, text=_ON_FILE.sub(r"\1", value.text))
    aside = _ASIDE.fullmatch(value.text)
    inside = parse_values(aside[2]) if aside else []
    if aside is None or not inside:
        return [value]
    inside = [v for v in inside if not PLACEHOLDER.fullmatch(v.text)]
    return [
        replace(value, text=aside[1]),
        *(replace(v, start=value.start, end=value.end) for v in inside),
    ]


def _quoted(verdicts: list[ValueVerdict], claim: Claim) -> Finding:
    if not verdicts:
        return Finding.skip(NAME, "every value is derived")
    worst = min(verdicts, key=lambda v: _ORDER.index(v.outcome))
    spans = tuple(dict.fromkeys(v.span for v in verdicts if v.span is not None))
    if worst.outcome == "contradicted":
        return Finding(
            NAME, "checked", "contradicts", 0.03, worst.reason, worst.detail, spans=spans
        )
    if worst.outcome == "missing":
        score = 0.3 if worst.value.kind in SOFT else 0.08
        return Finding(NAME, "checked", "missing", score, worst.reason, worst.detail, spans=spans)
    detail = "; ".join(v.detail for v in verdicts if v.detail)
    if all(v.outcome == "open" for v in verdicts):
        return Finding.skip(NAME, "only small numbers, which the evidence need not spell out")
    # That its names occur together is no proof of what is said of them: who lent what to whom.
    settles: Literal["values", "nothing"] = (
        "nothing"
        if claim.is_elliptic
        or all(
            v.value.kind in SOFT and not v.named_field or _is_reference(v.value, claim)
            for v in verdicts
            if v.outcome != "open"
        )
        or _only_from_user(verdicts, claim)
        or any(is_denied(v.value, claim) for v in verdicts)
        else "values"
    )
    score = 0.7 if worst.outcome == "unlinked" else 0.95
    return Finding(NAME, "checked", "supports", score, None, detail, spans=spans, settles=settles)


_REFERENCE = re.compile(
    r"(?:§+|\b(?:sections?|sec\.|articles?|art\.|clauses?|paragraphs?|para\.|rules?|chapters?|pages?|pp?\.|appendix|annex|footnote))\s*$",
    re.I,
)
"""What stands before the number of a place in a document."""


def _is_reference(value: Value, claim: Claim) -> bool:
    """Whether a value only says where something is told, "(§ 9)": that there is such a place proves nothing."""
    return bool(_REFERENCE.search(claim.text[: value.start]))


def _only_from_user(verdicts: list[ValueVerdict], claim: Claim) -> bool:
    """Values that only the user gave prove what the user said, not what became of it."""
    if claim.kind == "restatement" or re.search(r"\byou(?:['’]re|r)?\b", claim.text, re.I):
        return False
    spans = [v.span for v in verdicts if v.span is not None]
    return bool(spans) and all(span.source == "user" for span in spans)


_ALL = re.compile(r"\b(?:all|none|neither) (?:of )?(?:the |these |those |your |our |my )?$", re.I)


def _derived(derived: list[tuple[Value, Derivation]], claim: Claim) -> Finding:
    if not derived:
        return Finding.skip("derived", "nothing to derive")
    formula = "; ".join(d.formula for _, d in derived)
    spans = tuple(dict.fromkeys(span for _, d in derived for span in d.spans))
    # That there are three says nothing of what "all three" of them did.
    counted = all(d.operation == "count" and _ALL.search(claim.text[: v.start]) for v, d in derived)
    settles: Literal["values", "nothing"] = "nothing" if counted else "values"
    return Finding(
        "derived", "checked", "supports", 0.93, None, formula, formula, spans, settles=settles
    )


_ORDER = ("contradicted", "missing", "unlinked", "open", "found")


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
    if not any(_counts_the_same(value, h) for h in every):
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
            return _nowhere(value, claim, context)
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
    if not linked and _small(value, claim) is not None:
        return ValueVerdict(value, "open")
    detail = f"{value.text} = {span.text}" if span.text != value.text else ""
    here = (hit for hit in hits if hit.passage is binding.hit.passage)
    named = any(
        _is_whole(value, hit) and (_names_field(hit, claim) or _names_itself(hit)) for hit in here
    )
    outcome: Outcome = "found" if linked else "unlinked"
    return ValueVerdict(value, outcome, span, None, detail, named_field=named or claim.is_datum)


def _said_elsewhere(value: Value, elsewhere: Elsewhere) -> ValueVerdict:
    there, said = elsewhere.found.text.strip()[:120], elsewhere.nearer.text.strip()[:120]
    detail = f"“{value.text}” is said in “{there}”; “{said}” has {elsewhere.instead.text}"
    span = elsewhere.found.passage.span()
    return ValueVerdict(value, "contradicted", span, "contradicts_evidence", detail)


def _counts_the_same(value: Value, hit: Hit) -> bool:
    """Whether the evidence counts by its noun, or in a field of its name, what a value counts."""
    counted = content_stems(f"{hit.value.unit} {hit.cell.key if hit.cell else ''}")
    return bool(content_stems(value.unit) & counted)


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
    return any(
        other.kind == value.kind and other.unit == value.unit and cell is not hit.cell
        for cell, other in hit.passage.cell_values
    )


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
