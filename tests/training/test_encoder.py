"""The encoder's export: what 4 bits keep, and that a text's vector is its mean at unit length."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from affidavit.models.embedding.onnx import EmbeddedEncoder

pytestmark = pytest.mark.torch

WIDTH, VOCABULARY = 192, 64


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of the encoder's depth, narrow and of random weights, as sentence-transformers keep it."""
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("base")
    config = BertConfig(
        vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=6, num_attention_heads=12,
        intermediate_size=2 * WIDTH, max_position_embeddings=300, initializer_range=0.02,
    )  # fmt: skip
    state = {
        k: v.numpy() for k, v in BertModel(config, add_pooling_layer=False).state_dict().items()
    }
    save_file(state, folder / "model.safetensors")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(f"w{n}" for n in range(VOCABULARY - 4))]
    tokenizer = Tokenizer(models.WordLevel({w: n for n, w in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.enable_truncation(8)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="module")
def encoders(base: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, EmbeddedEncoder]:
    from affidavit.training.encoder import write

    made = {}
    for precision in ("fp32", "int4"):
        folder = tmp_path_factory.mktemp(precision)
        write(base, folder, precision)  # type: ignore[arg-type]
        made[precision] = EmbeddedEncoder(folder, threads=1)
    return made


TEXTS = [" ".join(f"w{(7 * n + k * k) % 60}" for k in range(3 + 9 * n)) for n in range(6)]


def test_the_unrounded_graph_is_the_model_itself(
    base: Path, encoders: dict[str, EmbeddedEncoder]
) -> None:
    import torch
    from safetensors.torch import load_file
    from tokenizers import Tokenizer
    from transformers import BertConfig, BertModel

    config = BertConfig(
        vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=6, num_attention_heads=12,
        intermediate_size=2 * WIDTH, max_position_embeddings=300,
    )  # fmt: skip
    model = BertModel(config, add_pooling_layer=False).eval()
    model.load_state_dict(load_file(base / "model.safetensors"))
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_truncation()
    expected = []
    for text in TEXTS:
        ids = torch.tensor([[2, *tokenizer.encode(text).ids, 3]])
        with torch.no_grad():
            mean = model(ids).last_hidden_state[0].mean(dim=0)
        expected.append((mean / mean.norm()).numpy())
    found = encoders["fp32"].encode_documents(TEXTS)
    assert np.allclose(found, np.stack(expected), atol=1e-4)


def test_four_bits_keep_the_direction(encoders: dict[str, EmbeddedEncoder]) -> None:
    whole, rounded = (encoders[p].encode_documents(TEXTS) for p in ("fp32", "int4"))
    assert ((whole * rounded).sum(axis=1) > 0.95).all()
    assert encoders["fp32"].name != encoders["int4"].name


def test_rounding_is_at_most_half_a_step_within_the_range() -> None:
    from affidavit.training.encoder import packed, rounded

    weight = np.random.default_rng(3).standard_normal((8, 64)).astype(np.float32)
    weight[0] = 0
    steps, scales, zeros = rounded(weight)
    back = ((steps - zeros[..., None].astype(np.float32)) * scales[..., None]).reshape(8, 64)
    error = ((back - weight) ** 2).reshape(8, 2, 32).sum(axis=2)
    span = np.ptp(np.concatenate([weight, np.zeros((8, 1), np.float32)], axis=1), axis=1)
    # No worse than the plain grid, whose every error is at most half a step of a fifteenth.
    assert (error <= 32 * (span[:, None] / 15 / 2 * 1.5) ** 2 + 1e-9).all()
    assert (back[0] == 0).all()
    assert packed(np.array([[1, 2, 15, 0]], np.uint8)).tolist() == [[0x21, 0x0F]]
