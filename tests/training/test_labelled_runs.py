"""Labelled runs: every statement with evidence for it and against it, and a mix that claims alone do not give away."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from affidavit.training.claim_only import claim_only_auroc
from affidavit.training.exchange import exchange
from affidavit.training.pairs import Pair
from affidavit.training.pairs.mix import GivenAway, given_away, held_back
from affidavit.training.pairs.natural import natural_pairs
from affidavit.training.pairs.statements import Statement, even, statement_pairs
from affidavit.training.runs import apply_edits, labelled, mixed_up, over, part_of, twins

RESULT = {
    "kiln": "K2",
    "fires": [{"day": "Monday", "peak_c": 1240}, {"day": "Tuesday", "peak_c": 1180}],
}
ROW: dict[str, Any] = {
    "id": "kiln", "domain": "pottery studio", "system": "You keep the kiln log.",
    "tools": [{"name": "read_log", "description": "The log", "input_schema": {"type": "object"}}],
    "messages": [
        {"role": "user", "content": "How hot was K2?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t0", "name": "read_log", "input": {}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t0", "content": json.dumps(RESULT)}]},
    ],
    "answer": "On Monday it peaked at 1240 °C. On Tuesday it stayed at 1180 °C.",
    "false": [{"kind": "row", "edits": [{"old": "peaked at 1240", "new": "peaked at 1180"}],
               "evidence": [{"call": "t0", "old": '"peak_c": 1240', "new": '"peak_c": 1180'}]},
              {"kind": "digit", "edits": [{"old": "stayed at 1180", "new": "stayed at 1810"}]}],
}  # fmt: skip


def test_an_edit_makes_one_claim_false_and_its_evidence_makes_it_true() -> None:
    found = {one.variant: one for one in labelled(ROW)}
    assert set(found) == {"true", "false0", "patched0", "wrong0", "false1"}
    assert all(label is True for label in found["true"].labels)
    told = {
        variant: [
            (c.text, label)
            for c, label in zip(one.claims, one.labels, strict=True)
            if label is not None
        ]
        for variant, one in found.items()
    }
    assert told["false0"] == [("On Monday it peaked at 1180 °C.", False)]
    assert told["patched0"] == [("On Monday it peaked at 1180 °C.", True)]
    assert told["wrong0"] == [("On Monday it peaked at 1240 °C.", False)]
    assert told["false1"] == [("On Tuesday it stayed at 1810 °C.", False)]
    assert '"peak_c": 1240' in ROW["messages"][2]["content"][0]["content"]


def test_the_words_that_differ_are_found_whole() -> None:
    answer, new, old = apply_edits(
        "It is due on Friday.", [{"old": "due on Friday", "new": "due on Monday"}]
    )
    assert answer == "It is due on Monday."
    assert [answer[a:b] for a, b in new] == ["Monday"]
    assert [("It is due on Friday.")[a:b] for a, b in old] == ["Friday"]


def test_a_claim_of_a_mixture_holds_where_edit_and_evidence_agree() -> None:
    seen: set[tuple[bool, bool]] = set()
    for seed in range(40):
        one = mixed_up(ROW, random.Random(seed))
        said = next(n for n, claim in enumerate(one.claims) if "Monday" in claim.text)
        edited = "1180" in one.claims[said].text
        patched = '"peak_c": 1240' not in one.messages[2]["content"][0]["content"]
        assert one.labels[said] is (edited == patched)
        assert said in one.changed
        seen.add((edited, patched))
    assert len(seen) == 4


def test_mixtures_show_each_claim_with_evidence_for_and_against_it() -> None:
    pairs = list(natural_pairs([ROW], random.Random(1), each=30))
    shown = [pair for pair in pairs if "peak c" in pair.premise]
    labels = {pair.label for pair in shown if "peaked at 1240" in pair.claim}
    assert labels == {"entailment", "not_entailment"}
    assert {pair.label for pair in pairs if pair not in shown} <= {"not_entailment"}
    assert all(pair.subject == "pottery studio" for pair in pairs)


def test_twins_say_the_same_over_evidence_of_either_side() -> None:
    patchable = {**ROW, "false": ROW["false"][:1]}
    seen: set[bool | None] = set()
    for seed in range(20):
        one, other = twins(patchable, random.Random(seed))
        assert one.trace.answer == other.trace.answer
        (said,) = one.changed
        assert one.labels[said] is not other.labels[said]
        assert one.messages != other.messages
        seen.add(one.labels[said])
    assert seen == {True, False}


LONG = "On Monday it peaked at 1240 °C, and it was fired again on Tuesday."
TWO_CLAUSES: dict[str, Any] = {
    **ROW,
    "answer": LONG,
    "false": [{"kind": "day", "edits": [{"old": "again on Tuesday", "new": "again on Sunday"}],
               "evidence": [{"call": "t0", "old": "Tuesday", "new": "Sunday"}]}],
}  # fmt: skip


def test_of_a_sentence_that_is_edited_the_clause_that_the_edit_bears_on_is_false() -> None:
    pairs = list(natural_pairs([TWO_CLAUSES], random.Random(2), each=40))
    by_claim: dict[str, set[str]] = {}
    for pair in pairs:
        whole_evidence = "1240" in pair.premise and (
            "Tuesday" in pair.premise or "Sunday" in pair.premise
        )
        if whole_evidence:
            by_claim.setdefault(pair.claim, set()).add(pair.label)
    assert by_claim["and it was fired again on Sunday."] == {"entailment", "not_entailment"}
    assert by_claim["and it was fired again on Tuesday."] == {"entailment", "not_entailment"}
    assert by_claim["On Monday it peaked at 1240 °C"] == {"entailment"}
    assert by_claim[LONG] == {"entailment", "not_entailment"}


def test_what_holds_is_told_without_the_lines_that_bear_it_out_as_well() -> None:
    plain = {**ROW, "false": []}
    pairs = list(natural_pairs([plain], random.Random(1), each=40))
    without = [p for p in pairs if p.claim.startswith("On Monday") and "Monday" not in p.premise]
    assert without and all(p.label == "not_entailment" for p in without)


def test_however_many_processes_make_them_the_pairs_are_the_same() -> None:
    rows = [ROW, TWO_CLAUSES]
    alone, together = (
        list(natural_pairs(rows, random.Random(4), each=8, jobs=jobs)) for jobs in (1, 2)
    )
    assert alone and together == alone


def test_rows_that_exchange_a_field_make_what_is_said_of_either_false() -> None:
    made: set[bool] = set()
    for seed in range(40):
        plain = mixed_up({**ROW, "false": []}, random.Random(seed))
        one, messages = exchange(plain, random.Random(seed))
        if one.changed:
            bound = [one.labels[n] for n in one.changed]
            assert bound == [messages is None] * len(bound)
            made.add(messages is not None)
        if messages is not None:
            result = over(ROW, one, messages).messages[2]["content"][0]["content"]
            assert result != ROW["messages"][2]["content"][0]["content"]
            assert sorted(result) == sorted(ROW["messages"][2]["content"][0]["content"])
    assert made == {True, False}


def test_rows_that_a_call_was_given_are_not_exchanged() -> None:
    asked = [{"day": "Sunday", "peak_c": 1005}, {"day": "Friday", "peak_c": 1015}]
    called, *rest = ROW["messages"][1:]
    use = {**called["content"][0], "input": {"planned": asked}}
    messages = [ROW["messages"][0], {**called, "content": [use]}, *rest]
    for seed in range(40):
        plain = mixed_up({**ROW, "messages": messages, "false": []}, random.Random(seed))
        changed = exchange(plain, random.Random(seed))[1] or messages
        assert changed[1] == messages[1]


def test_subjects_stay_on_one_side() -> None:
    assert part_of(ROW) == part_of({**ROW, "domain": "Pottery classes"})
    pairs = [Pair(f"p{n}", "h", "entailment", "made", subject=f"s{n // 3}") for n in range(300)]
    kept, held = held_back(pairs, 0.2)
    assert held and not {p.subject for p in kept} & {p.subject for p in held}


def test_statements_that_sound_alike_are_taken_evenly() -> None:
    row = {"tool": "t", "args": {}, "result": {"a": 1}}
    loud = [
        Statement({**row, "tool": f"t{n % 7}"}, f"All {n} will surely fail", "contradiction")
        for n in range(60)
    ]
    calm = [
        Statement({**row, "tool": f"t{n % 7}"}, f"Number {n} is listed", "entailment")
        for n in range(60)
    ]
    both = [Statement({**row, "tool": f"t{n % 7}"}, f"Lot {n} is open", label)
            for n in range(60) for label in ("entailment", "contradiction")]  # fmt: skip
    chosen = even([*loud, *calm, *both], random.Random(3))
    holds = [s.label == "entailment" for s in chosen]
    assert sum(holds) * 2 == len(holds)
    assert sum("Lot" in s.text for s in chosen) > len(chosen) / 2
    assert next(statement_pairs(chosen[:1])).claim == chosen[0].text


def test_a_mix_that_claims_give_away_is_refused() -> None:
    loud = [
        Pair("p", "", "not_entailment", "m", f"s{n % 9}", f"everything always {n}")
        for n in range(60)
    ]
    calm = [Pair("p", "", "entailment", "m", f"s{n % 9}", f"some of it {n}") for n in range(60)]
    with pytest.raises(GivenAway, match="claims alone rank this mix"):
        given_away({"m": [*loud, *calm]})
    fair = [Pair("p", "", label, "m", f"s{n % 9}", f"line {n}")
            for n in range(60) for label in ("entailment", "not_entailment")]  # fmt: skip
    assert given_away({"m": fair})["all"] == pytest.approx(0.5, abs=0.05)


def test_claims_of_one_kind_have_no_figure() -> None:
    assert claim_only_auroc(["a b", "c d"], [True, True], ["x", "y"]) is None


def test_rows_are_read_from_files(tmp_path: Path) -> None:
    from affidavit.training.runs import read_rows

    file = tmp_path / "runs.jsonl"
    file.write_text(json.dumps(ROW) + "\n\n", encoding="utf-8")
    assert [row["id"] for row in read_rows([file])] == ["kiln"]
