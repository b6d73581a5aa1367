"""The embedded entailment model: what it tells apart, and that a score is a pair's own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.errors import ScorerError
from affidavit.models.entailment import Entailment, EntailmentModel, load_entailment_model
from affidavit.models.entailment.onnx import EMBEDDED, EmbeddedModel
from affidavit.models.entailment.windows import over_hypotheses, over_premises, windowed, windows
from affidavit.training.evaluate import probed

ORDER = "get_order | order id: W1042; status: shipped; shipped at: 2026-03-09; total: 668.99"
BOOKING = "reservations[0] | hotel: Harbor Inn; refundable: no; nights: 3; notes: none"


@pytest.fixture(scope="module")
def model() -> EmbeddedModel:
    return EmbeddedModel(threads=2)


def likeliest(score: Entailment) -> str:
    return max(("entailment", "neutral", "contradiction"), key=lambda label: getattr(score, label))


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (ORDER, "The order has been shipped."),
        (ORDER, "Your order total is $668.99."),
        (BOOKING, "The booking is not refundable."),
        (BOOKING, "The stay is three nights."),
        ("A man is playing a guitar on stage.", "A man is playing an instrument."),
    ],
)
def test_what_is_entailed(model: EmbeddedModel, premise: str, hypothesis: str) -> None:
    assert likeliest(model.score([(premise, hypothesis)])[0]) == "entailment"


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (ORDER, "Your order has been cancelled."),
        (ORDER, "Your order total is ∅ $120.50."),  # as a run shows a value that stands nowhere
        (ORDER, "The order was shipped on March 21."),
        (BOOKING, "The chance of rain is 40%."),
        ("A man is playing a guitar on stage.", "The man is asleep in bed."),
    ],
)
def test_what_is_not_entailed(model: EmbeddedModel, premise: str, hypothesis: str) -> None:
    assert model.score([(premise, hypothesis)])[0].entailment < 0.3


def test_a_flag_is_not_its_opposite(model: EmbeddedModel) -> None:
    assert model.score([(BOOKING, "The booking is refundable.")])[0].entailment < 0.2


def test_probes_of_what_the_model_should_read(model: EmbeddedModel) -> None:
    found = probed(model)
    assert sum(total for _, total in found.values()) == 110
    assert sum(right for right, _ in found.values()) >= 90
    assert found["field"][0] >= 12
    assert found["row"][0] >= 10
    assert found["flag"][0] >= 18
    assert found["rule"][0] >= 15


def test_a_supported_claim_scores_above_its_faulty_twin(model: EmbeddedModel) -> None:
    true, day, amount = model.score(
        [
            (ORDER, "The order was shipped on March 9."),
            (ORDER, "The order was shipped on March 21."),
            (ORDER, "The total came to $868.99."),
        ]
    )
    assert true.entailment > max(day.entailment, amount.entailment)


def test_probabilities_sum_to_one(model: EmbeddedModel) -> None:
    for score in model.score([(ORDER, "It was shipped."), ("", "Something."), ("Something.", "")]):
        assert score.entailment + score.neutral + score.contradiction == pytest.approx(1)


def test_nothing_to_score(model: EmbeddedModel) -> None:
    assert model.score([]) == []


PAIRS = [
    (ORDER, "The order has been shipped."),
    (BOOKING, "The stay is three nights."),
    ("Rain.", "Wet."),
    (ORDER + "; " + "item: desk lamp; " * 30, "There is a desk lamp in the order."),
    ("A long walk. " * 120 + "The gate is B7.", "The gate is B7."),
    ("Short.", "This is a rather longer statement about an order of many things. " * 6),
]


@settings(max_examples=8, deadline=None)
@given(st.permutations(range(len(PAIRS))), st.integers(1, len(PAIRS)))
def test_scores_do_not_depend_on_order_or_batch(order: list[int], size: int) -> None:
    model = EmbeddedModel(threads=2, cache=0)
    model._loaded = _shared_model()._loaded
    alone = _alone()
    chosen = order[:size]
    for i, score in zip(chosen, model.score([PAIRS[i] for i in chosen]), strict=True):
        assert score.entailment == pytest.approx(alone[i].entailment, abs=1e-4)
        assert score.contradiction == pytest.approx(alone[i].contradiction, abs=1e-4)


_kept: dict[str, EmbeddedModel] = {}


def _shared_model() -> EmbeddedModel:
    if "model" not in _kept:
        _kept["model"] = EmbeddedModel(threads=2)
        _kept["model"].score([("a", "b")])
    return _kept["model"]


def _alone() -> list[Entailment]:
    return [_shared_model().score([pair])[0] for pair in PAIRS]


def test_the_last_words_of_a_long_premise_are_read(model: EmbeddedModel) -> None:
    filler = "The committee met to discuss the garden, the fence and the colour of the shed. " * 200
    fact = "The flight to Oslo leaves at 2:30 pm from gate C4."
    found, lost = model.score(
        [
            (filler + fact, "The flight to Oslo leaves from gate C4."),
            (filler, "The flight to Oslo leaves from gate C4."),
        ]
    )
    assert found.entailment > lost.entailment


@given(st.lists(st.integers(), max_size=900), st.lists(st.integers(), max_size=500))
def test_windows_hold_every_word_piece_and_fit(premise: list[int], hypothesis: list[int]) -> None:
    plan = windowed(premise, hypothesis, 256)
    for part in plan:
        assert all(len(p) + len(h) + 3 <= 256 for p, h in part)
        assert _covered([p for p, _ in part], premise)
    assert _covered([part[0][1] for part in plan], hypothesis)


def _covered(parts: list[object], whole: list[int]) -> bool:
    """Whether overlapping parts, laid in order, give the whole: ends on its last, begins on its first."""
    lists = [list(part) for part in parts]  # type: ignore[call-overload]
    at = 0
    for part in lists:
        starts = [i for i in range(at + 1) if whole[i : i + len(part)] == part]
        if not starts:
            return False
        at = max(at, starts[-1] + len(part))
    return at == len(whole)


def test_windows_overlap() -> None:
    assert windows(list(range(10)), 6, 2) == [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8, 9]]


def test_one_window_that_entails_is_enough_and_one_part_that_does_not_is_too_much() -> None:
    yes, no = Entailment(0.9, 0.05, 0.05), Entailment(0.1, 0.1, 0.8)
    over = over_premises([no, yes])
    assert over.entailment == 0.9
    assert over.contradiction == pytest.approx(0.1)
    assert over_hypotheses([yes, no]).entailment == 0.1
    assert over_hypotheses([yes, no]).contradiction == 0.8


def test_threads_agree_with_one_another() -> None:
    model = EmbeddedModel(threads=1, cache=0)
    expected = _alone()
    with ThreadPoolExecutor(4) as pool:
        for scores in pool.map(lambda _: model.score(PAIRS[:4]), range(8)):
            for score, alone in zip(scores, expected, strict=False):
                assert score.entailment == pytest.approx(alone.entailment, abs=1e-4)


def test_known_pairs_are_not_scored_again(monkeypatch: pytest.MonkeyPatch) -> None:
    model = EmbeddedModel(threads=1, cache=2)
    first = model.score(PAIRS[:2])
    runs: list[int] = []
    loaded = model._loaded
    assert loaded is not None
    plain = loaded.score
    monkeypatch.setattr(loaded, "score", lambda pairs: runs.append(len(pairs)) or plain(pairs))
    assert model.score([*PAIRS[:2], *PAIRS[:2]]) == first + first
    assert runs == []
    model.score([PAIRS[2], PAIRS[2]])
    assert runs == [1]
    model.score([PAIRS[0]])  # the third pair pushed it out
    assert runs == [1, 1]


def test_the_name_says_which_weights(model: EmbeddedModel) -> None:
    config = json.loads((EMBEDDED / "config.json").read_text())
    assert model.name == f"{config['name']}/{config['version']}@{config['sha256'][:12]}"


def test_the_digest_is_of_the_weights_that_are_there() -> None:
    pytest.importorskip("onnx")
    from affidavit.training.export import digest

    config = json.loads((EMBEDDED / "config.json").read_text())
    assert digest(EMBEDDED) == config["sha256"]


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="what is mapped is told by Linux")
def test_processes_share_the_weights_by_a_memory_map(model: EmbeddedModel) -> None:
    """The file itself is mapped, and no page of it was made the process's own by writing to it."""
    model.score(PAIRS[:1])
    maps = Path("/proc/self/smaps").read_text(encoding="utf-8")
    mapped = re.findall(r"/model\.weights\n(.*?)VmFlags", maps, re.S)
    assert mapped and all(re.search(r"Private_Dirty: +0 kB", one) for one in mapped)


def test_a_missing_model_is_a_scorer_error(tmp_path: Path) -> None:
    with pytest.raises(ScorerError, match="no readable entailment model"):
        EmbeddedModel(tmp_path).score([("a", "b")])
    (tmp_path / "config.json").write_text((EMBEDDED / "config.json").read_text())
    with pytest.raises(ScorerError, match="did not load"):
        EmbeddedModel(tmp_path).score([("a", "b")])


def test_what_is_no_text_is_a_scorer_error(model: EmbeddedModel) -> None:
    with pytest.raises(ScorerError, match="only text"):
        model.score([("a", 3)])  # type: ignore[list-item]


def test_odd_text_is_scored(model: EmbeddedModel) -> None:
    assert len(model.score([("\ud800 half a character", "\x00"), ("日本語", "🙂" * 300)])) == 2


def test_loading_by_name(model: EmbeddedModel) -> None:
    assert isinstance(load_entailment_model(), EmbeddedModel)
    assert isinstance(load_entailment_model("embedded"), EntailmentModel)
    assert load_entailment_model(model) is model
    with pytest.raises(ScorerError, match="unknown entailment model"):
        load_entailment_model("oracle")


def test_naming_the_room_loads_no_runtime() -> None:
    code = (
        "import sys, affidavit.models.entailment as room; room.load_entailment_model();"
        "assert not {'onnxruntime', 'tokenizers', 'torch', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
