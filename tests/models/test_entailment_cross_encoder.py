"""Any sentence-transformers CrossEncoder: its outputs are read by its own labels."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from affidavit.errors import MissingExtra, ScorerError
from affidavit.models.entailment import load_entailment_model
from affidavit.models.entailment.cross_encoder import CrossEncoderModel
from affidavit.models.entailment.labels import label_columns
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
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

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
    model.save_pretrained(place)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(EMBEDDED / "tokenizer.json"), pad_token="[PAD]", cls_token="[CLS]",
        sep_token="[SEP]", unk_token="[UNK]", mask_token="[MASK]", model_max_length=128,
    )  # fmt: skip
    tokenizer.save_pretrained(place)
