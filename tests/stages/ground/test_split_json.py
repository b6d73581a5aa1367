"""JSON answers: one claim for each leaf, with its path and its name."""

from __future__ import annotations

import json

import pytest

from affidavit.stages.ground.split import split_claims

HEALTH = (
    '{\n  "gateway": {"status": "healthy", "version": "5.12.0"},\n  "up": true, "total": 40.00\n}'
)


@pytest.mark.parametrize("answer", [HEALTH, f"```json\n{HEALTH}\n```", f"  {HEALTH}\n"])
def test_a_leaf_spans_its_key_and_the_first_its_owners(answer: str) -> None:
    claims = split_claims(answer)
    assert [(claim.text, claim.statement) for claim in claims] == [
        ('"gateway": {"status": "healthy"', "gateway status: healthy"),
        ('"version": "5.12.0"', "gateway version: 5.12.0"),
        ('"up": true', "up: true"),
        ('"total": 40.00', "total: 40.00"),
    ]
    assert claims[0].json_path == ("gateway", "status")


def test_items_of_lists_go_by_their_names() -> None:
    answer = (
        '{"orders": [{"id": "W1", "total_due": 5}, {"id": "W2", "total_due": 6}], "tags": ["a"]}'
    )
    assert [(claim.statement, claim.json_path) for claim in split_claims(answer)] == [
        ("orders 1 id: W1", ("orders", 0, "id")),
        ("orders W1 total due: 5", ("orders", 0, "total_due")),
        ("orders 2 id: W2", ("orders", 1, "id")),
        ("orders W2 total due: 6", ("orders", 1, "total_due")),
        ("tags 1: a", ("tags", 0)),
    ]


def test_nothing_is_an_absence() -> None:
    answer = '{"a": null, "b": [], "c": "", "d": "n/a", "e": {}}'
    assert {claim.kind for claim in split_claims(answer)} == {"absence"}
    assert len(split_claims(answer)) == 5


def test_prose_in_json_is_read_as_prose() -> None:
    message = "Thanks, Mia. I’ve cancelled order #W1.\n\n- Refund: $5\n\nAnything “else”?"
    answer = json.dumps({"message": message, "ok": True})
    claims = split_claims(answer)
    assert [claim.kind for claim in claims] == ["greeting", "action", "fact", "offer", "fact"]
    assert claims[1].statement == "I’ve cancelled order #W1."
    assert all(claim.text == answer[claim.start : claim.end] for claim in claims)
    assert claims[0].text.startswith('"message"')


@pytest.mark.parametrize("answer", ["{not json}", "[1, 2", '{"a": 1} and so on', "{}x"])
def test_what_is_no_json_is_prose(answer: str) -> None:
    assert all(claim.json_path is None for claim in split_claims(answer))


def test_an_object_that_was_never_closed_is_read_to_its_end() -> None:
    answer = '{"pump": {"seals": 3, "note": "It runs.\nIt is \\"loud\\" {"}, "valves": [4, 5'
    assert [(claim.statement, claim.json_path) for claim in split_claims(answer)] == [
        ("pump seals: 3", ("pump", "seals")),
        ("It runs.", None),
        ('It is "loud" {', None),
        ("valves 1: 4", ("valves", 0)),
        ("valves 2: 5", ("valves", 1)),
    ]


def test_small_talk_in_json() -> None:
    claims = split_claims('{"reply": "Hi! How can I help?"}')
    assert {claim.kind for claim in claims} <= {"greeting", "offer", "question"}


def test_values_are_those_of_the_leaf_not_of_its_key() -> None:
    answer = '{"eligible_action": "return", "orders_summary": [{"order_id": "#W1774"}], "note_2": "Up to 3\\nnights"}'
    values = [[(v.kind, v.text) for v in claim.values] for claim in split_claims(answer)]
    assert values[0] == [("quoted", "return")]
    assert values[1] == [("identifier", "#W1774")]
    assert all("note_2" not in text for _, text in values[2])


@pytest.mark.parametrize(
    "answer",
    [
        '{"order_id": "#W1774", "state',
        'Here: {"order_id": "#W1774"} and {',
        '[{"order_id": "#W1774",',
    ],
)
def test_keys_of_broken_json_are_no_values(answer: str) -> None:
    found = [v for claim in split_claims(answer) for v in claim.values]
    assert all("order_id" not in v.text for v in found) or not answer.startswith(("{", "["))
    for claim in split_claims(answer):
        assert all(claim.text[v.start : v.end] == v.text for v in claim.values)


def test_talk_in_broken_json_is_talk() -> None:
    [claim, *_] = split_claims('{"message": "All set, Mia! \\nBye')
    assert claim.kind == "greeting"
