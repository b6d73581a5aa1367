"""Pairs made by machine: every claim over evidence for it and evidence against it, and labels that can be worked out again."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from affidavit.training.pairs import Pair
from affidavit.training.pairs.made import FAMILIES, Call, Case, Family, made_pairs
from affidavit.training.pairs.mix import given_away, held_back, mixed
from affidavit.training.settings import default_mix

BY_NAME = {family.name: family for family in FAMILIES}
SEEDS = range(40)


def of_family(family: Family, count: int, seed: int) -> list[Pair]:
    return list(made_pairs(random.Random(seed), count, [family]))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_claim_comes_with_both_labels_over_different_evidence(family: Family) -> None:
    pairs = of_family(family, 8, seed=3)
    for holds, fails in zip(pairs[::2], pairs[1::2], strict=True):
        assert (holds.label, fails.label) == ("entailment", "not_entailment")
        assert holds.claim == fails.claim and holds.subject == fails.subject
        assert holds.premise != fails.premise
        assert holds.claim[:1] == holds.claim[:1].upper()
        assert not re.search(r"[{}]", holds.claim)


def test_the_same_seed_makes_the_same_pairs() -> None:
    random.seed(1)
    first = list(made_pairs(random.Random(5), 60))
    random.seed(2)
    assert list(made_pairs(random.Random(5), 60)) == first
    assert list(made_pairs(random.Random(6), 60)) != first


def test_every_family_is_drawn_as_often_as_any_other() -> None:
    pairs = list(made_pairs(random.Random(1), 2 * len(FAMILIES)))
    found = Counter(pair.subject.partition(":")[0] for pair in pairs)
    assert found == dict.fromkeys(BY_NAME, 2)


def test_claims_alone_say_nothing() -> None:
    pairs = list(made_pairs(random.Random(2), 400))
    assert given_away({"made": pairs})["made"] == pytest.approx(0.5)


def test_both_pairs_of_a_claim_stay_on_one_side_of_a_split() -> None:
    pairs = list(made_pairs(random.Random(2), 400))
    kept, held = held_back(pairs, 0.1)
    assert held and not {pair.claim for pair in kept} & {pair.claim for pair in held}
    assert Counter(pair.label for pair in held) == dict.fromkeys(
        ("entailment", "not_entailment"), len(held) // 2
    )


def test_the_recipe_takes_as_many_as_it_asks_for(tmp_path: Any) -> None:
    assert "made" in default_mix()
    made = mixed(tmp_path, tmp_path, {"made": 40}, seed=7)
    assert [len(pairs) for pairs in made.values()] == [40]
    assert mixed(tmp_path, tmp_path, {"made": 40}, seed=7) == made


# What follows works labels out again from the records that the calls return.


def leaves(value: Any) -> dict[str, Any]:
    """The fields within a result, by name."""
    if isinstance(value, dict):
        found = {key: inner for key, inner in value.items() if not isinstance(inner, dict | list)}
        for inner in value.values():
            found |= leaves(inner)
        return found
    if isinstance(value, list):
        found = {}
        for inner in value:
            found |= leaves(inner)
        return found
    return {}


def figure(text: str) -> float:
    return float(text.replace(",", ""))


def up_or_down(claim: str, fields: dict[str, Any]) -> bool:
    (value,) = (v for k, v in fields.items() if re.search("change|delta|diff", k, re.IGNORECASE))
    up = re.search(r"\b(rose|went up|increased?|up|gained|higher|climbed)\b", claim) is not None
    return (float(str(value).rstrip("%")) > 0) == up


def left_over(claim: str, fields: dict[str, Any]) -> bool:
    numbers = [v for v in fields.values() if isinstance(v, int)]
    used, limit = (
        next(v for k, v in fields.items() if re.search(word, k, re.IGNORECASE))
        for word in ("used|taken", "limit|total|max")
    )
    assert used in numbers and limit in numbers
    return str(limit - used) in re.findall(r"\d+", claim)


def done_by(claim: str, fields: dict[str, Any]) -> bool:
    start = dt.datetime.fromisoformat(
        next(v for k, v in fields.items() if k.lower().startswith(("start", "begin")))
    )
    minutes = next(v for k, v in fields.items() if re.search("duration|length", k, re.IGNORECASE))
    end = start + dt.timedelta(minutes=minutes)
    said = re.search(r"(\d{1,2})(?::(\d\d))?( am| pm)?\.$", claim)
    assert said is not None
    hour = int(said[1]) % 12 + (12 if said[3] == " pm" else 0) if said[3] else int(said[1])
    return (hour, int(said[2] or 0)) == (end.hour, end.minute)


def in_bounds(claim: str, fields: dict[str, Any]) -> bool:
    low, high = (int(n) for n in re.findall(r"\d+", claim)[-2:])
    values = [v for k, v in fields.items() if type(v) is int and k != "version"]
    assert len(values) == 1
    return low <= values[0] <= high


def winner(claim: str, fields: dict[str, Any]) -> bool:
    home, away = fields["home"], fields["away"]
    goals = {
        home: fields.get("home_goals", fields.get("homeGoals")),
        away: fields.get("away_goals", fields.get("awayGoals")),
    }
    one, two = sorted(goals, key=lambda team: claim.find(team) if team in claim else 999)
    if "lost" in claim:
        one, two = two, one
    score = re.search(r"(\d+)-(\d+)", claim)
    if score and {int(score[1]), int(score[2])} != set(goals.values()):
        return False
    return bool(goals[one] > goals[two])


CHECKED: dict[str, tuple[Callable[[str, dict[str, Any]], bool], Callable[[Case], bool]]] = {
    "change": (up_or_down, lambda case: True),
    "remaining": (left_over, lambda case: True),
    "ending": (done_by, lambda case: True),
    "between": (in_bounds, lambda case: not re.search(r"[A-Z]-?\d", case.claim)),
    "played": (winner, lambda case: "home_goals" in str(case.holds) or "homeGoals" in str(case.holds)),
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKED)
def test_a_claim_holds_where_its_record_says_so(name: str) -> None:
    truth, applies = CHECKED[name]
    seen = 0
    for seed in SEEDS:
        case = BY_NAME[name].draw(random.Random(seed))
        holds, fails = (leaves(calls[-1].result) for calls in (case.holds, case.fails))
        if holds and applies(case) and case.holds != case.fails:
            seen += 1
            assert truth(case.claim, holds), case
            assert not truth(case.claim, fails), case
    assert seen > 5


def rows_of(call: Call) -> list[dict[str, Any]]:
    result = call.result
    if isinstance(result, str):
        head, *lines = (line.split(",") for line in result.split("\n"))
        return [dict(zip(head, line, strict=True)) for line in lines]
    if isinstance(result, dict) and all(isinstance(v, dict) for v in result.values()):
        return [{"name": name, **row} for name, row in result.items()]
    found: list[dict[str, Any]] = (
        next(iter(result.values())) if isinstance(result, dict) else result
    )
    return found


MEASURES = {
    "price_eur",
    "guests",
    "score",
    "sales",
    "distance_km",
    "hours",
    "stock",
    "age",
    "errors",
    "latency_ms",
}


def ranks(rows: list[dict[str, Any]]) -> list[str]:
    """The first texts of the rows, by their measure, highest first."""
    (key,) = MEASURES & set(rows[0])
    ordered = sorted(rows, key=lambda row: -float(row[key]))
    return [str(next(iter(row.values()))) for row in ordered]


@pytest.mark.parametrize("seed", SEEDS)
def test_ranks_are_those_of_the_rows(seed: int) -> None:
    case = BY_NAME["rank"].draw(random.Random(seed))
    place = 1 if "second" in case.claim else 2
    for calls, truth in ((case.holds, True), (case.fails, False)):
        assert (ranks(rows_of(calls[0]))[place] in case.claim) is truth, case


@pytest.mark.parametrize("seed", SEEDS)
def test_sums_are_those_of_the_rows(seed: int) -> None:
    case = BY_NAME["total"].draw(random.Random(seed))
    said = figure(re.findall(r"[\d,]+", case.claim)[0])
    for calls, truth in ((case.holds, True), (case.fails, False)):
        rows = rows_of(calls[0])
        (key,) = MEASURES & set(rows[0])
        assert (sum(float(row[key]) for row in rows) == said) is truth, case


@pytest.mark.parametrize("name", ["done", "done_to_another", "only_queued"])
def test_a_deed_holds_where_a_call_did_it(name: str) -> None:
    """Of the calls over which the claim holds, one did it, and none of those over which it does not."""
    for seed in SEEDS:
        case = BY_NAME[name].draw(random.Random(seed))
        did = [call for call in case.holds if succeeded(call) and call not in case.fails]
        assert len(did) == 1, case


@pytest.mark.parametrize("seed", SEEDS)
def test_what_two_results_say_together_is_read_through_their_identifier(seed: int) -> None:
    case = BY_NAME["joined"].draw(random.Random(seed))
    for (one, many), truth in ((case.holds, True), (case.fails, False)):
        (number,) = (value for key, value in one.result.items() if key.endswith("_id"))
        (row,) = (row for row in many.result if row["id"] == number)
        assert any(str(v) in case.claim for k, v in row.items() if k != "id") is truth, case


def succeeded(call: Call) -> bool:
    said = str(call.result).lower()
    undone = "false|error|pending|awaiting|draft|dry_run|found"  # a tool that only looks says what it found
    return not call.failed and not re.search(undone, said)
