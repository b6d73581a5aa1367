"""Any sentence-transformers CrossEncoder: its outputs are read by its own labels."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from affidavit.errors import MissingExtra, ScorerError
from affidavit.models.entailment import load_entailment_model
from affidavit.models.entailment.cross_encoder import CrossEncoderModel
from affidavit.models.entailment.labels import Reading, column_of, label_columns
from affidavit.models.entailment.onnx import EMBEDDED


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        (("entailment", "neutral", "contradiction"), [0, 1, 2]),
        (("contradiction", "entailment", "neutral"), [1, 2, 0]),
        (("REFUTES", "SUPPORTS", "NOT ENOUGH INFO"), [1, 2, 0]),
    ],
)
def test_label_orders(labels: tuple[str, ...], columns: list[int]) -> None:
    assert label_columns(dict(enumerate(labels))) == columns


@pytest.mark.parametrize(
    "labels", [("LABEL_0", "LABEL_1", "LABEL_2"), ("entailment", "not_entailment"), ("relevance",)]
)
def test_labels_that_say_nothing_are_refused(labels: tuple[str, ...]) -> None:
    with pytest.raises(ScorerError):
        label_columns(dict(enumerate(labels)))


@pytest.mark.parametrize(
    ("labels", "label", "logits", "borne_out"),
    [
        (("LABEL_0", "LABEL_1"), "LABEL_1", [0.0, 2.0], 0.8808),
        (("LABEL_0", "LABEL_1"), "1", [0.0, 2.0], 0.8808),
        (("consistent", "hallucinated"), "Consistent", [2.0, 0.0], 0.8808),
        (("LABEL_0",), "0", [2.0], 0.8808),
        (("a", "b", "c"), "b", [0.0, 0.0, 0.0], 1 / 3),
    ],
)
def test_a_label_that_says_borne_out(
    labels: tuple[str, ...], label: str, logits: list[float], borne_out: float
) -> None:
    read = Reading(dict(enumerate(labels)), label).of_logits(logits)
    assert read.entailment == pytest.approx(borne_out, abs=1e-4)
    assert (read.neutral, read.contradiction) == (pytest.approx(1 - borne_out, abs=1e-4), 0.0)


@pytest.mark.parametrize(
    ("labels", "label"), [(("a", "b"), "c"), (("a", "b"), "2"), (("a", "A"), "a")]
)
def test_a_label_that_is_not_there(labels: tuple[str, ...], label: str) -> None:
    with pytest.raises(ScorerError, match="no label"):
        column_of(label, dict(enumerate(labels)))


@pytest.mark.parametrize(
    "spec", ["cross-encoder:name#", "cross-encoder:#1", "token-classifier:name"]
)
def test_a_name_without_its_label(spec: str) -> None:
    with pytest.raises(ScorerError, match="#"):
        load_entailment_model(spec)


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("outputs", [1, 2])
def test_a_checker_with_other_labels(tmp_path: Path, outputs: int) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("sentence_transformers")
    config = _tiny(num_labels=outputs)
    model = transformers.BertForSequenceClassification(config)
    with torch.no_grad():
        model.classifier.weight.zero_()
        model.classifier.bias.copy_(torch.tensor([0.0, 2.0][-outputs:]))
    _saved(model, tmp_path)
    made = load_entailment_model(f"cross-encoder:{tmp_path}#{outputs - 1}")
    (score, again) = made.score([("It rains.", "It is wet."), ("It snows.", "It is white.")])
    assert score.entailment == pytest.approx(0.8808, abs=1e-3) and score.contradiction == 0.0
    assert again.entailment == pytest.approx(0.8808, abs=1e-3)
    assert made.name.endswith(f"#{outputs - 1}")


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_a_classifier_of_words(tmp_path: Path) -> None:
    """Its weights are random: what it says of a claim is held against what it says of the other label."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(7)
    model = transformers.BertForTokenClassification(_tiny(num_labels=2))
    _saved(model, tmp_path)
    made = load_entailment_model(f"token-classifier:{tmp_path}#LABEL_1")
    pairs = [("It rains. " * 400, "It is wet."), ("It rains.", "It is wet and cold.")]
    scores = made.score(pairs)
    assert [made.score([pair])[0] for pair in pairs] == scores, "batch mates change nothing"
    other = load_entailment_model(f"token-classifier:{tmp_path}#0").score(pairs)
    for one, turned in zip(scores, other, strict=True):
        assert 0 < one.entailment < 1 and one.contradiction == 0.0
        # Each is the least chance of its label over all words; of a single word they would add up to 1.
        assert one.entailment + turned.entailment <= 1 + 1e-6
    assert made.score([("It rains.", "")])[0].entailment == 1.0


def _tiny(**of_labels: int) -> Any:
    from transformers import BertConfig

    return BertConfig(
        vocab_size=30522, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, **of_labels,
    )  # fmt: skip


def _saved(model: Any, place: Path) -> None:
    from transformers import PreTrainedTokenizerFast

    model.save_pretrained(place)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(EMBEDDED / "tokenizer.json"), pad_token="[PAD]", cls_token="[CLS]",
        sep_token="[SEP]", unk_token="[UNK]", mask_token="[MASK]", model_max_length=128,
    )  # fmt: skip
    tokenizer.save_pretrained(place)


def test_a_missing_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtra, match=r"affidavit\[torch\]"):
        CrossEncoderModel("anything").score([("a", "b")])


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_a_model_with_its_labels_in_another_order(tmp_path: Path, order: tuple[int, ...]) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("sentence_transformers")
    _save_model(tmp_path, order, torch)
    score = load_entailment_model(f"cross-encoder:{tmp_path}").score([("It rains.", "It is wet.")])
    # The bias makes entailment the likeliest, then neutral, wherever their outputs stand.
    assert score[0].entailment > score[0].neutral > score[0].contradiction


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    with pytest.raises(ScorerError, match="did not load"):
        CrossEncoderModel(str(tmp_path / "nowhere")).score([("a", "b")])


def _save_model(place: Path, order: tuple[int, ...], torch: object) -> None:
    """A tiny classifier with random weights whose bias decides the answer."""
    from transformers import BertConfig, BertForSequenceClassification

    labels = ("entailment", "neutral", "contradiction")
    config = BertConfig(
        vocab_size=30522, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, id2label={i: labels[o] for i, o in enumerate(order)},
        label2id={labels[o]: i for i, o in enumerate(order)},
    )  # fmt: skip
    model = BertForSequenceClassification(config)
    with torch.no_grad():  # type: ignore[attr-defined]
        model.classifier.weight.zero_()
        model.classifier.bias.copy_(torch.tensor([4.0 - 2 * o for o in order]))  # type: ignore[attr-defined]
    _saved(model, place)
