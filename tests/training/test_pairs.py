"""Training pairs: the same for the same seed, and twins that are twins in name and in deed."""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.training.pairs import Pair
from affidavit.training.pairs.boxscores import box_score_pairs
from affidavit.training.pairs.cases import case_pairs
from affidavit.training.pairs.cells import infotabs_cells, sgd_cells, tabfact_cells
from affidavit.training.pairs.conjoined import conjoined_pairs
from affidavit.training.pairs.documents import document_pairs
from affidavit.training.pairs.faults import other_number, perturb_number, perturb_value
from affidavit.training.pairs.flags import flag_pairs
from affidavit.training.pairs.handbook import handbook_pairs, turned
from affidavit.training.pairs.kinds import Clock, Day, Duration, Flag, Kind, Money, Share
from affidavit.training.pairs.long import long_pairs
from affidavit.training.pairs.mix import held_back, mixed
from affidavit.training.pairs.nli import nli_pairs, number_pairs
from affidavit.training.pairs.pair import content_words
from affidavit.training.pairs.records import record_pairs
from affidavit.training.pairs.responses import is_trained_on, response_pairs
from affidavit.training.pairs.rules import rule_pairs
from affidavit.training.pairs.sgd import sgd_pairs
from affidavit.training.pairs.statuses import status_pairs
from affidavit.training.pairs.strangers import stranger_pairs
from affidavit.training.pairs.swaps import swap_pairs
from affidavit.training.pairs.tables import infotabs_pairs, tabfact_pairs
from affidavit.training.pairs.voice import vaguely

NLI = [
    {"premise": "The bridge opened in 1931.", "hypothesis": "It opened.", "label": "entailment"},
    {"premise": "A dog sleeps.", "hypothesis": "A dog runs.", "label": "contradiction"},
]
TABLE = {
    "caption": "ferry times",
    "header": ["port", "leaves", "fare"],
    "rows": [["north quay", "08:15", "12"], ["old harbour", "09:40", "15"]],
    "supported": "the ferry at old harbour leaves at 09:40 .",
    "refuted": "the ferry at old harbour leaves at 08:15 .",
}
BOX = {
    "record": {
        "title": ["Mount Hale"],
        "Height": ["2310 m"],
        "First ascent": ["1872"],
        "Range": ["Grey Alps", "Inner Alps"],
    },
    "hypothesis": "Mount Hale is over two kilometres high.",
    "label": "entailment",
}
ANSWER = "Olive Tree is a cheap place in Utrecht. It has live music. Shall I book it?"
ROWS = [
    {"city": "Utrecht", "restaurant_name": "Olive Tree", "price_range": "cheap",
     "has_live_music": "True", "phone_number": "030-555-0110"},
    {"city": "Utrecht", "restaurant_name": "Blue Spoon", "price_range": "expensive",
     "has_live_music": "False", "phone_number": "030-555-0199"},
]  # fmt: skip
DIALOGUE = {
    "service": "Restaurants_1",
    "call": {"method": "FindRestaurants", "parameters": {"city": "Utrecht"}},
    "results": ROWS,
    "answer": ANSWER,
    "slots": [
        {"slot": "restaurant_name", "start": 0, "exclusive_end": 10},
        {"slot": "price_range", "start": 16, "exclusive_end": 21},
        {"slot": "city", "start": 31, "exclusive_end": 38},
    ],
    "actions": [
        {"act": "OFFER", "slot": "restaurant_name", "canonical_values": ["Olive Tree"], "values": ["Olive Tree"]},
        {"act": "INFORM", "slot": "price_range", "canonical_values": ["cheap"], "values": ["cheap"]},
        {"act": "OFFER", "slot": "city", "canonical_values": ["Utrecht"], "values": ["Utrecht"]},
        {"act": "INFORM", "slot": "has_live_music", "canonical_values": ["True"], "values": ["True"]},
    ],
}  # fmt: skip
DOCUMENT = {
    "id": "d1", "title": "Fees",
    "content": "The wire fee is $25.00 for each transfer. " * 9 + "\n\nBranches open at nine on weekdays. " * 12,
}  # fmt: skip
_STORY = (
    "The harbour museum in Port Amity opened again on Monday after a fire. Nobody was hurt, said its director, Ines Moro. "
    "The fire began in the kitchen of the café. The model ships of the Lowe collection were saved by two guards. "
    "Repairs took eleven months. Tickets are sold at the north door only."
)
_RESPONSE = (
    "The museum in Port Amity opened again on Monday after a fire in the café. "
    "Ines Moro, its director, said that nobody was hurt. The repairs cost two million dollars."
)
_MADE_UP = "The repairs cost two million dollars."
_MARK = {
    "start": _RESPONSE.index(_MADE_UP), "end": len(_RESPONSE), "text": _MADE_UP, "implicit_true": False,
    "label_type": "Evident Baseless Info",
}  # fmt: skip
RESPONSES = [
    {"source_id": number, "source": _STORY, "responses": [{"response": _RESPONSE, "labels": [_MARK]}]}
    for number in (10, 11)
]  # fmt: skip

FILES: dict[str, list[Any]] = {
    "nli/snli.train": NLI, "nli/cad.train": NLI, "nli/conjnli.train": NLI, "nli/wiki.train": NLI,
    "tables/tabfact.train": [TABLE], "tables/infotabs.train": [BOX],
    "agent/sgd.train": [DIALOGUE] * 12, "knowledge/banking_documents": [DOCUMENT],
    "grounded/ragtruth_qa": [], "grounded/ragtruth_summary": RESPONSES,
}  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("data")
    for name, rows in FILES.items():
        path = root / f"{name}.jsonl.gz"
        path.parent.mkdir(exist_ok=True)
        with gzip.open(path, "wt", encoding="utf-8") as lines:
            lines.writelines(json.dumps(row) + "\n" for row in rows)
    return root


GENERATORS: dict[str, Callable[[Path, int], Iterator[Pair]]] = {
    "records": lambda _, seed: record_pairs(random.Random(seed), 60),
    "sgd": lambda data, seed: sgd_pairs(data, random.Random(seed)),
    "tabfact": lambda data, seed: tabfact_pairs(data, random.Random(seed)),
    "infotabs": lambda data, seed: infotabs_pairs(data),
    "numbers": lambda data, seed: number_pairs(data, random.Random(seed)),
    "documents": lambda data, seed: document_pairs(data, random.Random(seed)),
    "snli": lambda data, seed: nli_pairs(data, "snli"),
    "responses": lambda data, seed: response_pairs(data, random.Random(seed)),
    "handbook": lambda data, seed: handbook_pairs(data, random.Random(seed)),
    "rules": lambda _, seed: rule_pairs(random.Random(seed), 60),
    "cases": lambda _, seed: case_pairs(random.Random(seed), 60),
    "swaps": lambda _, seed: swap_pairs(random.Random(seed), 60),
    "flags": lambda _, seed: flag_pairs(random.Random(seed), 60),
    "statuses": lambda _, seed: status_pairs(random.Random(seed), 60),
    "boxscores": lambda _, seed: box_score_pairs(
        random.Random(seed), 40, ["Ana Ruiz", "Bo Li", "Cy"]
    ),
    "tabfact cells": lambda data, seed: tabfact_cells(data, random.Random(seed)),
    "infotabs cells": lambda data, seed: infotabs_cells(data, random.Random(seed)),
    "sgd cells": lambda data, seed: sgd_cells(data, random.Random(seed)),
    "long": lambda _, seed: long_pairs(
        list(rule_pairs(random.Random(seed), 30)), random.Random(seed)
    ),
    "conjoined": lambda _, seed: conjoined_pairs(
        list(record_pairs(random.Random(seed), 40)), random.Random(seed)
    ),
}


@pytest.mark.parametrize("name", GENERATORS)
def test_the_same_seed_gives_the_same_pairs(name: str, data: Path) -> None:
    made = list(GENERATORS[name](data, 3))
    assert made
    assert made == list(GENERATORS[name](data, 3))


@pytest.mark.parametrize("name", GENERATORS)
def test_twins_differ_from_what_they_were_made_of(name: str, data: Path) -> None:
    labels: dict[tuple[str, str], set[str]] = defaultdict(set)
    for pair in GENERATORS[name](data, 5):
        labels[pair.premise, pair.hypothesis].add(pair.label)
    assert all(len(found) == 1 for found in labels.values())


def test_what_is_said_in_one_breath_holds_only_where_all_of_it_does() -> None:
    alone = list(record_pairs(random.Random(2), 60))
    true = {(p.premise, p.hypothesis) for p in alone if p.label == "entailment"}
    joined = list(conjoined_pairs(alone, random.Random(2)))
    assert {p.label for p in joined} >= {"entailment", "contradiction"}
    for pair in joined:
        parts = [h for premise, h in true if premise == pair.premise and h in pair.hypothesis]
        covered = sum(map(len, parts)) + len(parts) - 1 >= len(pair.hypothesis)
        assert covered == (pair.label == "entailment")


def test_made_up_records_give_all_labels_and_faults() -> None:
    pairs = list(record_pairs(random.Random(1), 400))
    assert {p.label for p in pairs} == {"entailment", "neutral", "contradiction"}
    faults = {p.fault for p in pairs}
    assert faults >= {"value", "field", "row", "negation", "absence", "null", "lacking", "stranger"}
    assert faults >= {"joined", "bound", "count", "unrelated"}


def test_a_claim_of_a_flag_is_entailed_by_the_flag_that_says_so() -> None:
    for pair in flag_pairs(random.Random(4), 300):
        if " is fragile" not in pair.hypothesis or pair.label == "neutral":
            continue
        fragile = any(f"fragile: {w}" in pair.premise for w in ("yes", "Y", "true", "1", "on"))
        fragile |= any(
            f"fragile flag: {w}" in pair.premise for w in ("yes", "Y", "true", "1", "on")
        )
        said = " not fragile" not in pair.hypothesis
        assert (fragile == said) == (pair.label == "entailment")


def test_swapped_claims_stand_over_the_same_passage_as_the_true_ones() -> None:
    labels: dict[str, list[str]] = defaultdict(list)
    for pair in swap_pairs(random.Random(5), 200):
        labels[pair.premise].append(pair.label)
    assert all({"entailment", "contradiction"} == set(found) for found in labels.values())


def test_strangers_are_neutral_and_share_few_words() -> None:
    sources = {
        "rules": list(rule_pairs(random.Random(1), 30)),
        "flags": list(flag_pairs(random.Random(1), 30)),
    }
    pairs = list(stranger_pairs(sources, 80, random.Random(2)))
    assert pairs
    assert all(p.label == "neutral" for p in pairs)
    assert all(len(content_words(p.premise) & content_words(p.hypothesis)) < 2 for p in pairs)


def test_no_claim_about_a_rule_has_two_labels() -> None:
    labels: dict[tuple[str, str], set[str]] = defaultdict(set)
    for pair in rule_pairs(random.Random(4), 2000):
        labels[pair.premise, pair.hypothesis].add(pair.label)
    torn = [claim for claim, found in labels.items() if len(found) > 1]
    assert len(torn) * 400 < len(labels), torn[:3]  # two rules of one passage may meet by chance


def test_a_conclusion_is_open_without_its_rule() -> None:
    pairs = list(case_pairs(random.Random(3), 400))
    told: dict[tuple[str, str], set[str]] = {}
    for pair in pairs:
        told.setdefault((pair.premise, pair.hypothesis), set()).add(pair.label)
    assert all(len(labels) == 1 for labels in told.values())
    assert {p.label for p in pairs if p.fault == "no rule"} == {"neutral"}
    assert {p.label for p in pairs if p.fault == "conclusion"} == {"contradiction"}


def test_a_vague_adverb_changes_no_label() -> None:
    rng = random.Random(1)
    told = {vaguely("You'll receive an email", rng, 1.0) for _ in range(40)}
    assert "You'll receive an email shortly" in told
    assert all(text.startswith("You'll receive an email ") for text in told)
    assert vaguely("The order was sent", rng, 1.0) == "The order was sent"


def test_a_turned_rule_is_another_rule() -> None:
    rule = "The customer must be verified before the card is closed."
    assert all(turned(rule, random.Random(n)) not in (rule, None) for n in range(20))
    assert turned("Blue savings.", random.Random(0)) is None


def test_long_passages_keep_the_fact_they_surround() -> None:
    pairs = list(rule_pairs(random.Random(2), 60))
    premises = {p.premise for p in pairs}
    for pair in long_pairs(pairs, random.Random(3)):
        assert pair.origin == "long"
        assert any(p in pair.premise and p != pair.premise for p in premises)


def test_answers_lose_their_questions_and_keep_their_flags(data: Path) -> None:
    pairs = list(sgd_pairs(data, random.Random(0)))
    assert not any("?" in p.hypothesis for p in pairs)
    music = [p for p in pairs if p.hypothesis == "It has live music."]
    assert {p.label for p in music} >= {"entailment", "contradiction"}
    for pair in music:
        entailed = "has live music: yes" in pair.premise or "has live music: True" in pair.premise
        assert entailed == (pair.label == "entailment")


def test_what_readers_marked_as_made_up_is_not_entailed(data: Path) -> None:
    labels: dict[str, set[str]] = defaultdict(set)
    for pair in response_pairs(data, random.Random(0)):
        labels[pair.hypothesis].add(pair.label)
    assert labels[_MADE_UP] == {"neutral"}
    told = next(said for said in labels if said.startswith("Ines Moro"))
    assert labels[told] >= {"entailment"}


def test_half_of_the_sources_of_responses_is_kept_for_measuring(data: Path) -> None:
    assert [is_trained_on(row["source_id"]) for row in RESPONSES] == [True, False]
    made = [p for p in response_pairs(data, random.Random(0)) if p.hypothesis == _MADE_UP]
    assert len(made) == 1


def test_a_table_that_fits_is_shown_whole(data: Path) -> None:
    pairs = list(tabfact_pairs(data, random.Random(0)))
    true = next(p for p in pairs if p.label == "entailment")
    assert "ferry times[1] | port: old harbour; leaves: 09:40; fare: 15" in true.premise
    assert true.hypothesis == "the ferry at old harbour leaves at 09:40."


KINDS: list[Kind] = [Money(), Day(), Clock(), Duration(), Share(), Flag()]


@given(st.sampled_from(KINDS), st.integers())
def test_a_near_miss_is_another_value(kind: Kind, seed: int) -> None:
    rng = random.Random(seed)
    truth = kind.draw(rng)
    assert kind.near(truth, rng) != truth


@given(st.decimals(0, 10**6, places=2), st.integers())
def test_another_number_is_another_number(number: object, seed: int) -> None:
    changed = other_number(str(number), random.Random(seed))
    assert float(changed) != float(str(number))


@given(st.integers())
def test_values_are_changed_where_they_can_be(seed: int) -> None:
    rng = random.Random(seed)
    for text in ("March 9", "2:30 pm", "three", "$1,204.50", "W-1042B"):
        changed = perturb_value(text, rng)
        assert changed is not None
        assert changed != text
    assert perturb_value("blue", rng) is None
    assert perturb_number("no number here", rng) is None


def test_the_mix_takes_what_it_asks_for(data: Path) -> None:
    made = mixed(data, {"snli": 1, "records": 50, "sgd": 5}, seed=1)
    assert {name: len(pairs) for name, pairs in made.items()} == {
        "snli": 1,
        "records": 50,
        "sgd": 5,
    }
    assert made == mixed(data, {"snli": 1, "records": 50, "sgd": 5}, seed=1)


def test_no_premise_is_both_trained_on_and_held_back() -> None:
    pairs = list(record_pairs(random.Random(2), 200))
    kept, held = held_back(pairs, 0.2)
    assert held
    assert len(kept) + len(held) == len(pairs)
    assert not {p.premise for p in kept} & {p.premise for p in held}
