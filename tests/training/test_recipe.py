"""The steps of the recipe on a model small enough to train in a second."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.training import recipe
from affidavit.training.calibrate import expected_calibration_error, fit_temperature, softmax
from affidavit.training.measures import auroc, bands, best_f1
from affidavit.training.settings import NOT_ENTAILED

TOKENIZER = Path(__file__).parents[2] / "src/affidavit/models/entailment/embedded/tokenizer.json"


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=2, max_size=30))
def test_auroc_counts_pairs_ranked_right(scored: list[tuple[int, bool]]) -> None:
    chances = np.array([s / 4 for s, _ in scored])
    truths = np.array([t for _, t in scored])
    wins = [
        1.0 if a > b else 0.5 if a == b else 0.0 for a in chances[truths] for b in chances[~truths]
    ]
    found = auroc(chances, truths)
    assert found == (pytest.approx(np.mean(wins)) if wins else None)


@given(st.lists(st.tuples(st.integers(0, 10), st.booleans()), min_size=1, max_size=30))
def test_every_score_lies_in_one_band(scored: list[tuple[int, bool]]) -> None:
    chances = np.array([s / 10 for s, _ in scored])
    truths = np.array([t for _, t in scored])
    found = bands(chances, truths)
    assert [(b.low, b.high) for b in found] == [(0, 0.4), (0.4, 0.6), (0.6, 0.85), (0.85, 1)]
    assert sum(b.pairs for b in found) == len(scored)
    assert sum(b.pairs * (b.entailed or 0) for b in found) == pytest.approx(truths.sum())
    assert all(b.low - 1e-9 <= b.mean <= b.high + 1e-9 for b in found if b.mean is not None)


def test_f1_at_the_best_threshold() -> None:
    scores, truths = np.array([0.9, 0.8, 0.4, 0.1]), np.array([True, False, True, False])
    assert best_f1(scores, truths) == pytest.approx(
        0.8
    )  # above 0.3: two of three right, none missed
    assert best_f1(scores, np.zeros(4, bool)) is None


def test_the_temperature_undoes_overconfidence() -> None:
    rng = np.random.default_rng(0)
    honest = rng.normal(0, 1.5, (4000, 3))
    labels = np.array([rng.choice(3, p=row) for row in softmax(honest)])
    found = fit_temperature(honest * 2.5, labels, np.ones(4000))
    assert found == pytest.approx(2.5, rel=0.1)
    open_false = np.where(labels == 0, 0, NOT_ENTAILED)
    assert fit_temperature(honest * 2.5, open_false, np.ones(4000)) == pytest.approx(2.5, rel=0.1)
    chances, truths = softmax(honest)[:, 0], labels == 0
    loud = softmax(honest * 2.5)[:, 0]
    assert expected_calibration_error(chances, truths) < 0.03
    assert expected_calibration_error(loud, truths) > 0.08


@pytest.mark.torch
@pytest.mark.parametrize(("family", "rank"), [("bert", 0), ("mpnet", 4)])
def test_training_export_and_inference_agree(family: str, rank: int, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from safetensors.torch import load_file

    from affidavit.models.entailment.onnx import EmbeddedModel
    from affidavit.training.network import CrossEncoder
    from affidavit.training.pairs import Label, Pair
    from affidavit.training.settings import Settings
    from affidavit.training.tune import encode, fine_tune, load_tokenizer, together

    settings = Settings(
        tmp_path, tmp_path, _base(tmp_path / "base", family), tmp_path / "out",
        batch=8, window=64, max_tokens=64, rank=rank, learning_rate=0.01,
    )  # fmt: skip
    labels: tuple[Label, ...] = ("entailment", "neutral", "contradiction", "not_entailment")
    pairs = [Pair(f"lot {n} | price: {n + 3}", f"Lot {n} costs {n + k}.", labels[k], "made")
             for n in range(12) for k in range(4)]  # fmt: skip
    items = encode(pairs, load_tokenizer(settings.base), 64)
    short = replace(settings, minutes=1e-9, checkpoint_minutes=0)
    assert fine_tune(items, short, settings.out).pairs <= settings.batch
    # What was stopped goes on from its checkpoint, and sees every pair once.
    assert fine_tune(items, settings, settings.out).pairs == len(items)

    tuned = CrossEncoder(settings.base, 3).eval()
    tuned.load_state_dict(load_file(settings.out / "tuned" / "model.safetensors"))
    with torch.inference_mode():
        wanted = torch.softmax(tuned(together(items[:4])), -1)[:, 0].tolist()
    recipe.write_pairs(settings.out / "train.jsonl.gz", pairs)
    recipe.quantise(settings)
    kept = [p for p in pairs if len(encode([p], load_tokenizer(settings.base), 64))]
    for folder, near in (("fp32", 1e-4), ("embedded", 0.02)):
        model = EmbeddedModel(settings.out / folder)
        scores = model.score([(p.premise, p.hypothesis) for p in kept[:4]])
        assert [s.entailment for s in scores] == pytest.approx(wanted, abs=near)


def test_one_large_number_does_not_round_the_others_away() -> None:
    onnx = pytest.importorskip("onnx")
    onnxruntime = pytest.importorskip("onnxruntime")
    from affidavit.training.export import Graph

    rng = np.random.default_rng(0)
    weight, bias, x = (
        rng.normal(size=size).astype(np.float32) for size in ((16, 64), 16, (1, 5, 64))
    )
    x[..., 3] = 300
    off = {}
    for apart in (None, np.array([3, 7])):
        g = Graph("int8")
        g.linear("all", "x", weight, bias, apart=apart)
        ends = [
            onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
            for name, shape in (("x", x.shape), ("all.out", (1, 5, 16)))
        ]
        domains = [onnx.helper.make_opsetid(*of) for of in (("", 20), ("com.microsoft", 1))]
        graph = onnx.helper.make_graph(g.nodes, "one", ends[:1], ends[1:], g.weights)
        model = onnx.helper.make_model(graph, opset_imports=domains, ir_version=10)
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), providers=["CPUExecutionProvider"]
        )
        off[apart is None] = np.abs(session.run(None, {"x": x})[0] - (x @ weight.T + bias)).mean()
    assert off[False] < off[True] / 5


@pytest.mark.torch
@pytest.mark.parametrize("relative", [False, True])
def test_attention_pair_by_pair_and_of_all_at_once_agree(relative: bool) -> None:
    torch = pytest.importorskip("torch")
    from affidavit.training.attention import Padded, attention_over

    lengths, cpu = (5, 1, 9), torch.device("cpu")
    nearness = torch.randn(2, 9, 9) if relative else None
    given = [torch.randn(2, sum(lengths), 4, requires_grad=True) for _ in "qkv"]
    wanted = torch.randn(2, sum(lengths), 4)
    found = []
    for attend in (attention_over(lengths, nearness, cpu), Padded(lengths, nearness, cpu)):
        out = attend(*given)
        found.append((out, *torch.autograd.grad((out * wanted).sum(), given)))
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.torch
def test_a_claim_is_learnt_from_over_both_of_its_results_at_once() -> None:
    torch = pytest.importorskip("torch")
    from affidavit.training.tune import Encoded, batches, ranking_loss

    held = [Encoded([n], [0], label, claim) for n, (label, claim) in enumerate(
        [(0, "a"), (2, "a"), (3, "b"), (0, "b"), (0, "b"), (1, ""), (0, ""), (3, "c")])]  # fmt: skip
    for seed in range(5):
        made = [unit for batch in batches(held, 3, random.Random(seed)) for unit in batch]
        twins = sorted(unit[0].claim for unit in made if len(unit) == 2)
        assert twins == ["a", "b"]
        assert all(unit[0].label == 0 != unit[1].label for unit in made if len(unit) == 2)
        assert sorted(one.ids[0] for unit in made for one in unit) == list(range(len(held)))
    part = [(held[5],), (held[0], held[1])]
    right, wrong = (torch.tensor([[0.0, 0, 0], a, b]) for a, b in
                    (([9.0, 0, 0], [0, 9.0, 0]), ([0, 9.0, 0], [9.0, 0, 0])))  # fmt: skip
    assert ranking_loss(right, part) < 0.001 < 9 < ranking_loss(wrong, part)
    assert ranking_loss(right, part[:1]) == 0


@pytest.mark.torch
@pytest.mark.parametrize("family", ["bert", "mpnet"])
def test_a_packaged_model_comes_back_as_weights_that_answer_alike(
    family: str, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from affidavit.training.base import Shape
    from affidavit.training.export import bert_graph, save
    from affidavit.training.network import CrossEncoder
    from affidavit.training.restore import restored_state

    base = _base(tmp_path / "base", family)
    model, shape = CrossEncoder(base, 3), Shape.read(base)
    state = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    some = [np.array([0, 5, 9])] * shape.num_hidden_layers
    for precision, near in (("fp32", 0), ("int8", 0.01)):
        graph = bert_graph(
            state, shape, places=64, precision=precision, apart=some,  # type: ignore[arg-type]
        )  # fmt: skip
        save(graph, tmp_path)
        restored = restored_state(tmp_path)
        assert set(state) - set(restored) == {"bert.embeddings.word_embeddings.weight"}
        for name, value in restored.items():
            assert value == pytest.approx(state[name][: len(value)], abs=near), name


@pytest.mark.torch
@pytest.mark.parametrize("keep", [1.0, 0.5])
def test_what_was_known_is_kept_in_part(keep: float, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    onnx = pytest.importorskip("onnx")
    from safetensors.torch import load_file

    from affidavit.training.base import Shape
    from affidavit.training.export import bert_graph
    from affidavit.training.network import CrossEncoder
    from affidavit.training.pairs import Pair
    from affidavit.training.settings import Settings
    from affidavit.training.tune import encode, fine_tune, load_tokenizer

    base = _base(tmp_path / "base")
    before = {n: v.detach().numpy() for n, v in CrossEncoder(base, 3).state_dict().items()}
    start = tmp_path / "start"
    start.mkdir()
    onnx.save(
        bert_graph(before, Shape.read(base), places=64, precision="fp32"), start / "model.onnx"
    )
    settings = Settings(
        tmp_path, tmp_path, base, tmp_path / "none", start=start, batch=8, window=64
    )
    items = encode(
        [Pair(f"price: {n}", f"It costs {n}.", "entailment", "made") for n in range(16)],
        load_tokenizer(base),
        64,
    )
    name = "classifier.weight"
    fine_tune(items, settings, settings.out)
    trained = load_file(settings.out / "tuned" / "model.safetensors")[name].numpy()
    averaged = replace(settings, keep=keep, out=tmp_path / "kept")
    fine_tune(items, averaged, averaged.out)
    kept = load_file(averaged.out / "tuned" / "model.safetensors")[name].numpy()
    assert not (trained == before[name]).all()
    assert kept == pytest.approx(keep * before[name] + (1 - keep) * trained, abs=1e-4)


@pytest.mark.torch
def test_training_goes_on_from_what_was_learnt(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from safetensors.torch import load_file

    from affidavit.training.pairs import Pair
    from affidavit.training.settings import Settings
    from affidavit.training.tune import encode, fine_tune, load_tokenizer

    base = _base(tmp_path / "base", "mpnet")
    settings = Settings(
        tmp_path, tmp_path, base, tmp_path / "out", batch=8, window=64, rank=4, learning_rate=0.01
    )
    items = encode(
        [Pair(f"price: {n}", f"It costs {n}.", "entailment", "made") for n in range(16)],
        load_tokenizer(base),
        64,
    )
    fine_tune(items, settings, settings.out)
    learnt = settings.out / "tuned" / "learnt.safetensors"
    still = replace(settings, start=learnt, out=tmp_path / "on", learning_rate=0.0)
    fine_tune(items, still, still.out)
    wanted, found = (
        load_file(out / "tuned" / "model.safetensors") for out in (settings.out, still.out)
    )
    assert learnt.stat().st_size < (settings.out / "tuned" / "model.safetensors").stat().st_size / 2
    assert wanted.keys() == found.keys()
    assert all(found[name].allclose(value, atol=1e-6) for name, value in wanted.items())
    for other in (0, 2):  # the products have no place there
        with pytest.raises(ValueError, match="does not fit this base and rank"):
            fine_tune(items, replace(still, rank=other, out=tmp_path / str(other)), tmp_path)
    with pytest.raises(FileNotFoundError):
        fine_tune(items, replace(still, start=tmp_path / "nowhere"), tmp_path)


@pytest.mark.torch
def test_matrices_in_8_bits_learn_nearly_alike() -> None:
    torch = pytest.importorskip("torch")
    from torch import nn

    from affidavit.training.low_rank import adapt, can_multiply_in_8_bits, in_8_bits, merge

    if not can_multiply_in_8_bits():
        pytest.skip("sums of 8 bits overflow on this processor, or there is no C++ compiler")
    torch.manual_seed(2)
    layers = nn.Sequential(nn.Linear(64, 48), nn.GELU(), nn.Linear(48, 8))
    adapt(layers, 4)
    with torch.no_grad():
        for name, parameter in layers.named_parameters():
            if name.endswith("up"):
                parameter.copy_(torch.randn_like(parameter) * 0.1)
    x = torch.randn(300, 64)
    # As large as some numbers in an encoder are: one scale alone would round the others away.
    x[:, 5] *= 40
    x.requires_grad_()
    trained = [x, *(p for p in layers.parameters() if p.requires_grad)]
    wanted, found = [], []
    for results in (wanted, found):
        out = layers(x)
        results += [out, *torch.autograd.grad(out.square().sum(), trained)]
        in_8_bits(layers, lambda: layers(x))
    for one, other in zip(wanted, found, strict=True):
        assert not torch.equal(one, other)
        assert torch.cosine_similarity(one.flatten(), other.flatten(), 0) > 0.999
    # What is left in the end is exact.
    merge(layers)
    torch.testing.assert_close(layers(x), wanted[0])


@pytest.mark.torch
@pytest.mark.parametrize("family", ["bert", "mpnet"])
def test_a_published_encoder_is_read_as_it_was_published(family: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from affidavit.training.network import CrossEncoder
    from affidavit.training.tune import Encoded, together

    published = {"bert": transformers.BertModel, "mpnet": transformers.MPNetModel}[family]
    torch.manual_seed(3)
    encoder = published(published.config_class(**SHAPE)).eval()
    with torch.no_grad():
        for parameter in encoder.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    encoder.save_pretrained(tmp_path)
    network = CrossEncoder(tmp_path, 3).eval()
    for length in (5, 60):
        ids = torch.randint(5, SHAPE["vocab_size"], (1, length))
        with torch.inference_mode():
            batch = together([Encoded(ids[0].tolist(), [0] * length, 0)])
            wanted = network.classifier(encoder(ids).pooler_output)
            assert torch.allclose(network(batch), wanted, atol=1e-5)


SHAPE = {
    "vocab_size": 30527, "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2,
    "intermediate_size": 64, "max_position_embeddings": 128,
}  # fmt: skip


def _base(place: Path, family: str = "bert") -> Path:
    import torch
    from safetensors.torch import save_file

    torch.manual_seed(1)
    tokenizer = json.loads(TOKENIZER.read_text(encoding="utf-8"))
    tensors = {"embeddings.word_embeddings.weight": torch.randn(SHAPE["vocab_size"], 32) * 0.02}
    shape = dict(SHAPE)
    if family == "mpnet":
        shape["relative_attention_num_buckets"] = 32
        tensors["encoder.relative_attention_bias.weight"] = torch.randn(32, 2)
        tensors["embeddings.position_embeddings.weight"] = torch.randn(128, 32) * 0.02
        # Two marks between the texts, as MPNet has them.
        pair = tokenizer["post_processor"]["pair"]
        pair.insert(2, pair[2])
    place.mkdir()
    (place / "config.json").write_text(json.dumps(shape), encoding="utf-8")
    save_file(tensors, place / "model.safetensors")
    (place / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    return place


@pytest.mark.parametrize("only", ["snli", "snli=many", "poems=4"])
def test_a_source_that_is_not_known_is_refused(
    only: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = ["--data", "d", "--written", "w", "--base", "b", "--out", "o"]
    monkeypatch.setattr("sys.argv", ["recipe", *paths, "--only", only])
    with pytest.raises(SystemExit):
        recipe.main()
    assert "write SOURCE=PAIRS" in capsys.readouterr().err


@pytest.mark.torch
@pytest.mark.parametrize("device", ["abacus", "xpu:7"])
def test_a_device_that_torch_cannot_use_is_refused_before_anything_is_made(
    device: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = ["--data", "d", "--written", "w", "--base", "b", "--out", "o"]
    monkeypatch.setattr("sys.argv", ["recipe", *paths, "--device", device])
    with pytest.raises(SystemExit):
        recipe.main()
    assert f"--device {device}: torch cannot use it here" in capsys.readouterr().err
