"""Search by meaning: it adds to what is found by words, and bounds what it encodes."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
import pytest
from pydantic import JsonValue

from affidavit import Detector, Policy
from affidavit.errors import EncoderError
from affidavit.ledger.ledger import Ledger
from affidavit.ledger.meaning import Meaning
from affidavit.ledger.search import Search, search_of
from affidavit.models.embedding import load_encoder
from affidavit.models.embedding.protocol import Vectors
from affidavit.models.entailment.protocol import Entailment
from affidavit.stages.ground import ground
from affidavit.trace import DataPart, Message, RunTrace, ToolCallPart, ToolResultPart

NOTES = [
    "Guests may keep a dog in the room if it is on a lead.",
    "The pool is heated from May to September.",
    "Breakfast is served in the conservatory.",
    "Towels are changed every second day.",
]


class Counting:
    """The embedded encoder, with a list of what it was asked to encode."""

    def __init__(self) -> None:
        self._inner = load_encoder()
        self.name, self.dimensions = self._inner.name, self._inner.dimensions
        self.encoded: list[str] = []

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        self.encoded += texts
        return self._inner.encode_documents(texts)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self._inner.encode_queries(texts)


class Broken:
    name, dimensions = "broken/1", 2

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        raise EncoderError("no memory left")

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 2), np.float32)


class Reading:
    """An entailment model that supports nothing and remembers what it was shown."""

    name = "reading/1"

    def __init__(self) -> None:
        self.shown: list[str] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        self.shown += [premise for premise, _ in pairs]
        return [Entailment(0.1, 0.8, 0.1) for _ in pairs]


def trace_of(notes: Sequence[str], answer: str = "") -> RunTrace:
    rows: list[JsonValue] = [{"n": n, "note": note} for n, note in enumerate(notes)]
    call = ToolCallPart(id="1", name="read_rules", arguments={})
    result = ToolResultPart(id="1", content=(DataPart(value=rows),))
    messages = (Message(role="assistant", parts=(call,)), Message(role="tool", parts=(result,)))
    return RunTrace(run_id="r", messages=messages, answer=answer)


def search(notes: Sequence[str]) -> Search:
    return search_of(Ledger.of(trace_of(notes)))


def test_what_says_the_same_in_other_words_is_found() -> None:
    found = Meaning(load_encoder()).nearest("Are pets such as puppies permitted?", search(NOTES), 1)
    assert "dog" in found[0].text


def test_a_passage_is_encoded_once_for_all_claims_and_drafts() -> None:
    encoder = Counting()
    meaning = Meaning(encoder)
    for claim in ("Pets are welcome.", "You can swim in spring.", "Pets are welcome."):
        meaning.nearest(claim, search(NOTES), 2)
    assert sorted(encoder.encoded) == sorted(p.text for p in search(NOTES).passages)


def test_of_large_evidence_only_the_best_by_words_are_encoded() -> None:
    encoder = Counting()
    many = search([f"Rule {n}: towels of room {n} are changed." for n in range(500)])
    found = Meaning(encoder, candidates=20).nearest("Are the towels of room 77 washed?", many, 3)
    assert len(encoder.encoded) == 20
    assert any("room 77 " in p.text for p in found)


def test_evidence_that_shares_no_word_is_not_encoded_where_it_is_large() -> None:
    encoder = Counting()
    many = search([f"Rule {n}: towels of room {n} are changed." for n in range(100)])
    assert Meaning(encoder, candidates=20).nearest("Xylophone?", many, 3) == []
    assert not encoder.encoded


def test_nothing_is_encoded_for_what_a_passage_says_in_its_own_words() -> None:
    encoder = Counting()
    rules = search(NOTES)
    said = "The pool is heated from May to September."
    chosen = [p for p, _ in rules.by_words(said, 2)]
    assert Meaning(encoder).besides(chosen, said, rules, 2) == []
    assert not encoder.encoded


def test_what_is_found_besides_was_not_chosen_before() -> None:
    rules = search(NOTES)
    chosen = rules.passages[:2]
    found = Meaning(load_encoder()).besides(chosen, "Pets are permitted.", rules, 2)
    assert len(found) == 2
    assert not {p.id for p in found} & {p.id for p in chosen}


def test_an_encoder_that_fails_leaves_what_is_found_by_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        assert Meaning(Broken()).nearest("Pets are welcome.", search(NOTES), 2) == []
    assert "by words alone" in caplog.text


@pytest.mark.parametrize("meaning", [None, Meaning(load_encoder())])
def test_the_model_is_shown_more_and_still_decides(meaning: Meaning | None) -> None:
    model = Reading()
    claim = "Pets such as puppies are permitted inside."
    # Few passages are all shown; of many, those that share words, or say the like.
    notes = [
        *NOTES,
        "Parking is behind the house.",
        "Keys are at the desk.",
        "The lift stops at ten.",
        *(f"Room {number} has a balcony." for number in range(201, 215)),
    ]
    found = ground(claim, Ledger.of(trace_of(notes)), Policy(), model, meaning=meaning)
    assert meaning is None or any("dog" in text for text in model.shown)
    assert len(found.claims) == 1


@pytest.mark.parametrize(
    ("detector", "models"),
    [
        (Detector(entailment=Reading()), {"entailment"}),
        (Detector(Policy(encoder="embedded"), entailment=Reading()), {"entailment", "encoder"}),
        (Detector(entailment=Reading(), encoder=Counting()), {"entailment", "encoder"}),
    ],
)
def test_a_detector_searches_by_meaning_where_it_is_told_to(
    detector: Detector, models: set[str]
) -> None:
    report = detector.check(trace_of(NOTES, "Pets such as puppies are permitted inside."))
    assert set(report.models) == models
    assert report.claims[0].score is not None


def test_an_unknown_encoder_is_refused_at_once() -> None:
    with pytest.raises(EncoderError, match="unknown encoder"):
        Detector(Policy(encoder="word2vec"))
