"""Sentence encoders: what is near in meaning, and that a vector is a text's own."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.errors import EncoderError, MissingExtra
from affidavit.models.embedding import Encoder, load_encoder
from affidavit.models.embedding.onnx import EmbeddedEncoder


@pytest.fixture(scope="module")
def encoder() -> EmbeddedEncoder:
    return EmbeddedEncoder(threads=2)


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("How do I close my account?", "Ending an account for good", "Opening hours of the museum"),
        ("cheap flights", "low-cost air travel", "expensive watches"),
        ("my card was stolen", "report a lost or missing card", "earn points with your card"),
    ],
)
def test_like_meanings_are_nearer(
    encoder: EmbeddedEncoder, query: str, near: str, far: str
) -> None:
    asked = encoder.encode_queries([query])[0]
    likely, unlikely = encoder.encode_documents([near, far]) @ asked
    assert likely > unlikely + 0.1


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text(max_size=40), max_size=5))
def test_vectors_have_unit_length_whatever_the_text(
    encoder: EmbeddedEncoder, texts: list[str]
) -> None:
    vectors = encoder.encode_documents([*texts, "\ud800 half a character"])
    assert vectors.shape == (len(texts) + 1, encoder.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_vector_owes_nothing_to_its_batch_mates(encoder: EmbeddedEncoder) -> None:
    texts = ["a fee", "a much longer text about fees and what they are paid for " * 9, "a rate"]
    together = encoder.encode_documents(texts)
    alone = np.concatenate([encoder.encode_documents([text]) for text in texts])
    assert np.allclose(together, alone, atol=2e-3)


def test_the_end_of_a_long_text_counts(encoder: EmbeddedEncoder) -> None:
    start = "Gardens need water in summer. " * 80
    query = encoder.encode_queries(["nuclear submarine engines"])[0]
    plain, other = encoder.encode_documents(
        [start, start + "Nuclear submarines have quiet engines. " * 80]
    )
    assert other @ query > plain @ query + 0.2


def test_threads_share_an_encoder() -> None:
    encoder = EmbeddedEncoder(threads=1)
    texts = [f"question number {n}" for n in range(16)]
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda text: encoder.encode_queries([text])[0], texts))
    assert np.allclose(np.stack(rows), encoder.encode_documents(texts), atol=2e-3)


def test_the_embedded_encoder_is_the_default() -> None:
    encoder = load_encoder()
    assert isinstance(encoder, Encoder)
    assert encoder.name.startswith("all-minilm-l6-v2-int4/1@")
    assert load_encoder(encoder) is encoder


def test_an_unknown_encoder_is_told() -> None:
    with pytest.raises(EncoderError, match="sentence-transformers:NAME"):
        load_encoder("word2vec")


def test_a_folder_without_weights_is_told(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="no readable encoder"):
        _ = EmbeddedEncoder(tmp_path).name
    config = {"name": "x", "version": "1", "sha256": "0", "dimensions": 4, "window": 8}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(EncoderError, match="did not load"):
        EmbeddedEncoder(tmp_path).encode_queries(["text"])


def test_sentence_transformers_without_the_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtra, match=r"affidavit\[torch\]"):
        load_encoder("sentence-transformers:any").encode_queries(["x"])


@pytest.mark.torch
def test_a_sentence_transformers_model_by_path(tmp_path: Path) -> None:
    _save_model(tmp_path)
    encoder = load_encoder(f"sentence-transformers:{tmp_path}")
    assert encoder.dimensions == 8
    vectors = encoder.encode_documents(["fee card", "harbour"])
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(encoder.encode_queries(["harbour"])[0], vectors[1], atol=1e-5)
    assert encoder.encode_documents([]).shape == (0, 8)


@pytest.mark.torch
def test_a_model_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="did not load"):
        load_encoder(f"sentence-transformers:{tmp_path / 'none'}").encode_queries(["x"])


def _save_model(place: Path) -> None:
    """A tiny BERT of random weights; the library adds mean pooling to a plain one."""
    from transformers import BertConfig, BertModel, BertTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "fee", "card", "harbour"]
    (place / "vocab.txt").write_text("\n".join(words))
    BertTokenizerFast(vocab=str(place / "vocab.txt")).save_pretrained(place)
    config = BertConfig(
        vocab_size=len(words), hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=8, max_position_embeddings=32,
    )  # fmt: skip
    BertModel(config).save_pretrained(place)
