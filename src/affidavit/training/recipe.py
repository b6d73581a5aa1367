"""The recipe of the embedded entailment model, from data to a file that ships.

    python -m affidavit.training.recipe --data DIR --written benchmarks/data --base DIR --out DIR [--from PACKAGED] [--minutes 65]

The pairs come from the public sets in ``--data``, from what this project wrote in ``--written``, and from small records made
on the spot (``python -m affidavit.training.pairs.made`` shows some); ``--only`` chooses among them.
``--base`` is a folder with a BERT or an MPNet (model.safetensors, config.json, tokenizer.json): gte-small, unless ``--base-name`` and
``--base-license`` say what else the card is to name;
``--from`` the folder of a packaged model to train on from, or the ``learnt.safetensors`` that an earlier run left. ``--rank`` trains
small products beside the matrices, as a base of 110M parameters needs; ``--device cuda`` trains on a GPU. What ships is left in ``--out``/embedded;
``--install`` puts it into the package. Each step leaves its result in ``--out`` and is skipped when
that is already there, so a run that was stopped goes on where it was; training itself goes on from
its last checkpoint.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console

from affidavit.models.entailment.onnx import EMBEDDED, EmbeddedModel
from affidavit.training.base import Array, Shape
from affidavit.training.calibrate import (
    even_weights,
    expected_calibration_error,
    fit_temperature,
    softmax,
)
from affidavit.training.card import hardware, model_card, notice
from affidavit.training.evaluate import SETS, evaluate, probed, shown
from affidavit.training.export import Places, Precision, bert_graph, digest, load_state, save
from affidavit.training.measures import bands
from affidavit.training.outliers import PAIRS, outliers
from affidavit.training.pairs import Pair
from affidavit.training.pairs.mix import given_away, held_back, mixed
from affidavit.training.restore import lineage
from affidavit.training.settings import LABELS, NOT_ENTAILED, Settings, default_mix
from affidavit.training.tune import encode, fine_tune, load_tokenizer


def main() -> None:
    settings, last, install = _arguments()
    settings.out.mkdir(parents=True, exist_ok=True)
    for step in (make_pairs, tune, quantise, calibrate, evaluate_both, write_card):
        print(f"== {step.__name__}", flush=True)
        step(settings)
        if step.__name__ == last:
            return
    if install:
        shutil.copytree(settings.out / "embedded", EMBEDDED, dirs_exist_ok=True)


def make_pairs(settings: Settings) -> None:
    """data → pairs: training pairs, and pairs of other premises held back for calibration."""
    if (settings.out / "held.jsonl.gz").exists():
        return
    read_lineage(settings)
    made = mixed(
        settings.data, settings.written, settings.mix, settings.seed, settings.share,
        jobs=settings.threads,
    )  # fmt: skip
    alone = given_away(made)
    (settings.out / "claim_only.json").write_text(json.dumps(alone, indent=2))
    print("AUROC of claims alone:", {n: round(v, 3) for n, v in alone.items()}, flush=True)
    everything = [pair for pairs in made.values() for pair in pairs]
    kept, held = held_back(everything, settings.held_back)
    write_pairs(settings.out / "train.jsonl.gz", kept)
    write_pairs(settings.out / "held.jsonl.gz", held)
    print({name: len(pairs) for name, pairs in made.items()}, "held back", len(held), flush=True)


def tune(settings: Settings) -> None:
    """pairs → a fine-tuned model."""
    if (settings.out / "progress.json").exists():
        return
    pairs = list(read_pairs(settings.out / "train.jsonl.gz"))
    items = encode(pairs, load_tokenizer(settings.base), settings.max_tokens)
    print(fine_tune(items, settings, settings.out), flush=True)


def quantise(settings: Settings) -> None:
    """a fine-tuned model → ONNX graphs: fp32 to compare with, 8 bits to ship."""
    if (settings.out / "embedded" / "config.json").exists():
        return
    shape = Shape.read(settings.base)
    state = load_state(settings.out / "tuned" / "model.safetensors")
    pairs = list(read_pairs(settings.out / "train.jsonl.gz"))
    some = random.Random(settings.seed).sample(pairs, min(PAIRS, len(pairs)))
    items = encode(some, load_tokenizer(settings.base), settings.max_tokens)
    whole = _exported(settings, shape, state, "fp32", "fp32")
    apart = outliers(whole, shape.num_hidden_layers, items)
    _exported(settings, shape, state, "embedded", "int8", apart)


def _exported(
    settings: Settings,
    shape: Shape,
    state: dict[str, Array],
    folder: str,
    precision: Precision,
    apart: Sequence[Places] = (),
) -> Path:
    """The folder of the graph, with what is read beside it."""
    graph = bert_graph(state, shape, places=settings.max_tokens, precision=precision, apart=apart)
    place = settings.out / folder
    place.mkdir(exist_ok=True)
    save(graph, place)
    _write_tokenizer(settings.base, place)
    _write_config(settings, place, temperature=1.0)
    return place


def calibrate(settings: Settings) -> None:
    """The temperature, from pairs whose premises no training has seen."""
    if (settings.out / "held.json").exists():
        return
    held = list(read_pairs(settings.out / "held.jsonl.gz"))
    random.Random(settings.seed).shuffle(held)
    held = held[: settings.calibration_pairs]
    labels = np.array(
        [NOT_ENTAILED if p.label == "not_entailment" else LABELS.index(p.label) for p in held]
    )
    weights = even_weights([p.origin for p in held])
    for folder in ("fp32", "embedded"):
        place = settings.out / folder
        _write_config(settings, place, temperature=1.0)
        model = EmbeddedModel(place, threads=settings.threads)
        scores = model.score([(p.premise, p.hypothesis) for p in held])
        logits = np.log(
            np.maximum([[s.entailment, s.neutral, s.contradiction] for s in scores], 1e-9)
        )
        temperature = fit_temperature(logits, labels, weights)
        _write_config(settings, place, temperature=temperature)
    found = _held_figures(held, softmax(logits / temperature), labels, weights)
    found |= {"temperature": temperature, "pairs": len(held)}
    (settings.out / "held.json").write_text(json.dumps(found, indent=2))
    print(found, flush=True)


def _held_figures(held: list[Pair], chances: Any, labels: Any, weights: Any) -> dict[str, Any]:
    entailed = labels == 0
    found = chances.argmax(axis=1)
    right = np.where(labels == NOT_ENTAILED, found != 0, found == labels)
    origins = np.array([p.origin for p in held])
    return {
        "ece": expected_calibration_error(chances[:, 0], entailed, weights),
        "accuracy": {str(o): float(right[origins == o].mean()) for o in np.unique(origins)},
        "bands": [asdict(band) for band in bands(chances[:, 0], entailed)],
    }


def evaluate_both(settings: Settings) -> None:
    """Figures on the development sets and the probes: what ships, and what 8 bits cost it."""
    if (settings.out / "figures.json").exists():
        return
    figures: dict[str, Any] = {}
    for folder, sets in (("embedded", list(SETS)), ("fp32", [n for n in SETS if "rag" not in n])):
        model = EmbeddedModel(settings.out / folder, threads=settings.threads)
        found = evaluate(
            model,
            settings.data,
            limit=settings.evaluation_pairs,
            sources=settings.evaluation_sources,
            sets=sets,
        )
        Console().print(shown(folder, found))
        figures[folder] = {name: asdict(f) for name, f in found.items()}
    figures["probes"] = probed(EmbeddedModel(settings.out / "embedded", threads=settings.threads))
    (settings.out / "figures.json").write_text(json.dumps(figures, indent=2))


def write_card(settings: Settings) -> None:
    """The model card and the notices, beside the weights."""
    read = {n: json.loads((settings.out / f"{n}.json").read_text())
            for n in ("progress", "held", "figures", "claim_only")}  # fmt: skip
    counts = Counter(p.origin for p in read_pairs(settings.out / "train.jsonl.gz"))
    place = settings.out / "embedded"
    before = read_lineage(settings)
    card = model_card(
        settings, read["progress"], read["held"], read["figures"], dict(counts),
        read["claim_only"], _shape(settings), before,
    )  # fmt: skip
    (place / "MODEL_CARD.md").write_text(card, encoding="utf-8")
    (place / "NOTICE").write_text(notice(settings), encoding="utf-8")
    config = json.loads((place / "config.json").read_text())
    config["training"] = {
        "pairs_seen": read["progress"]["pairs"],
        "minutes": round(read["progress"]["seconds"] / 60, 1),
        "hardware": hardware(settings.threads),
        "seed": settings.seed,
        "pairs_by_source": dict(counts),
        "ece_held_back": round(read["held"]["ece"], 4),
    }
    if settings.start is not None:
        config["trained_on_from"] = read_lineage(settings)
    (place / "config.json").write_text(json.dumps(config, indent=2) + "\n")


def _shape(settings: Settings) -> str:
    """The size of the model in words: "33.4M parameters (12 layers × 384)"."""
    base = Shape.read(settings.base)
    weights = load_state(settings.out / "tuned" / "model.safetensors").values()
    size = sum(w.size for w in weights) / 1e6
    return f"{size:.1f}M parameters ({base.num_hidden_layers} layers × {base.hidden_size})"


def read_lineage(settings: Settings) -> dict[str, Any]:
    """What is known of the model that training went on from, kept from before it was replaced."""
    if settings.start is None or settings.start.is_file():
        return {}
    kept = settings.out / "before.json"
    if not kept.exists():
        kept.write_text(json.dumps(lineage(settings.start)))
    found: dict[str, Any] = json.loads(kept.read_text())
    return found


def _write_tokenizer(base: Path, place: Path) -> None:
    tokenizer = json.loads((base / "tokenizer.json").read_text(encoding="utf-8"))
    # The model windows what is long and masks what is padded: the tokenizer must do neither.
    tokenizer |= {"truncation": None, "padding": None}
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (place / "tokenizer.json").write_text(text, encoding="utf-8")


def _write_config(settings: Settings, place: Path, *, temperature: float) -> None:
    config = {
        "name": settings.name,
        "version": settings.version,
        "sha256": digest(place),
        "labels": LABELS,
        "temperature": temperature,
        "window": settings.window,
        "base": {
            "name": settings.base_name,
            "sha256": _sha256(settings.base / "model.safetensors"),
        },
    }
    (place / "config.json").write_text(json.dumps(config, indent=2) + "\n")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for pair in pairs:
            lines.write(json.dumps(asdict(pair)) + "\n")


def read_pairs(path: Path) -> Iterator[Pair]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield Pair(**json.loads(line))


def _arguments() -> tuple[Settings, str, bool]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--written", type=Path, required=True, help="this project's own: benchmarks/data"
    )
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--base-name", default="thenlper/gte-small", help="what it is published as")
    parser.add_argument("--base-license", default="MIT", help="its SPDX name")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--from",
        dest="start",
        type=Path,
        help="a packaged model, or what was learnt, to go on from",
    )
    parser.add_argument(
        "--keep", type=float, default=0.0, help="share of the packaged model in the new weights"
    )
    parser.add_argument("--rate", type=float, default=1e-4, help="highest learning rate")
    parser.add_argument(
        "--rank", type=int, default=0, help="train products of this rank beside the matrices: 32"
    )
    parser.add_argument("--batch", type=int, default=64, help="pairs a step")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="SOURCE=PAIRS",
        help="train on these sources alone, with most pairs of each: --only snli=80000",
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--threads", type=int, default=2, help="threads that train, and processes that make pairs"
    )
    parser.add_argument("--device", default="cpu", help="what trains, as torch names it: cuda")
    parser.add_argument("--limit", type=int, help="most pairs of each set to evaluate on")
    parser.add_argument("--sources", type=int, default=40, help="most sources of RAGTruth")
    parser.add_argument("--until", default="", help="stop after this step")
    parser.add_argument("--install", action="store_true", help="replace the packaged model")
    a = parser.parse_args()
    try:
        mix = _mix(a.only) if a.only else default_mix()
        _try_out(a.device)
    except ValueError as error:
        parser.error(str(error))
    settings = Settings(
        a.data,
        a.written,
        a.base,
        a.out,
        start=a.start,
        keep=a.keep,
        mix=mix,
        learning_rate=a.rate,
        rank=a.rank,
        batch=a.batch,
        base_name=a.base_name,
        base_license=a.base_license,
        share=a.share,
        minutes=a.minutes,
        seed=a.seed,
        threads=a.threads,
        device=a.device,
        evaluation_pairs=a.limit,
        evaluation_sources=a.sources,
    )
    return settings, a.until, a.install


def _try_out(device: str) -> None:
    """Make sure of a device before pairs are made, which takes minutes.

    Raises:
        ValueError: torch cannot use the device here.
    """
    try:
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:  # the latter where torch was built without it
        reason = str(error).splitlines()[0]
        raise ValueError(f"--device {device}: torch cannot use it here ({reason})") from error


def _mix(texts: Iterable[str]) -> dict[str, int]:
    """``snli=80000`` as a source and its most pairs.

    Raises:
        ValueError: no such source, or no count.
    """
    mix: dict[str, int] = {}
    for text in texts:
        name, _, count = text.partition("=")
        if name not in default_mix() or not count.isdecimal():
            known = ", ".join(default_mix())
            raise ValueError(f"{text!r}: write SOURCE=PAIRS, where SOURCE is one of {known}")
        mix[name] = int(count)
    return mix


if __name__ == "__main__":
    main()
