"""``affidavit model``: what the entailment model is, and how well it does."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.table import Table

from affidavit.cli.terminal import console, working
from affidavit.errors import AffidavitError
from affidavit.models.entailment import load_entailment_model

if TYPE_CHECKING:
    from affidavit.training.evaluate import Figures


def run(arguments: argparse.Namespace) -> int:
    return _evaluate(arguments) if arguments.verb == "evaluate" else _info(arguments)


def _info(arguments: argparse.Namespace) -> int:
    known = described(arguments.entailment)
    if arguments.json:
        print(json.dumps(known, indent=2))
        return 0
    table = Table(box=None, show_header=False, pad_edge=False)
    for key, value in known.items():
        lines = value if isinstance(value, dict) else {"": value}
        for n, (name, each) in enumerate(lines.items()):
            table.add_row(key.replace("_", " ") if n == 0 else "", _line(name, each))
    console().print(table)
    return 0


def described(spec: str) -> dict[str, Any]:
    """What is known of a model; a model that is not the embedded one is asked a pair, to name itself."""
    model = load_entailment_model(spec)
    if spec != "embedded":
        model.score([("It rains.", "It rains.")])
        return {"name": model.name}
    from affidavit.models.entailment.onnx import EMBEDDED

    config = json.loads((EMBEDDED / "config.json").read_text(encoding="utf-8"))
    files = [file for file in EMBEDDED.iterdir() if file.is_file()]
    keys = ("name", "version", "sha256", "labels", "temperature", "window", "base", "training")
    return {key: config[key] for key in keys if key in config} | {
        "recorded_as": model.name,
        "megabytes": round(sum(file.stat().st_size for file in files) / 1e6, 1),
        "folder": str(EMBEDDED),
        "card": str(EMBEDDED / "MODEL_CARD.md"),
    }


def _line(name: str, value: Any) -> str:
    text = (
        ", ".join(f"{k} {v}" for k, v in value.items())
        if isinstance(value, dict)
        else ", ".join(map(str, value))
        if isinstance(value, list)
        else str(value)
    )
    return f"{name.replace('_', ' ')}: {text}" if name else text


def _evaluate(arguments: argparse.Namespace) -> int:
    from affidavit.training.evaluate import evaluate_file, shown

    if arguments.limit is not None and arguments.limit < 1:
        raise AffidavitError(f"--limit {arguments.limit}: expected 1 or more")
    model = load_entailment_model(arguments.entailment)
    with working("Scoring"):
        kind, figures = evaluate_file(model, arguments.dataset, limit=arguments.limit)
    if arguments.json:
        head = {"model": model.name, "dataset": str(arguments.dataset), "format": kind}
        print(json.dumps(head | asdict(figures), indent=2))
        return 0
    screen = console()
    screen.print(shown(model.name, {f"{arguments.dataset.name} ({kind})": figures}))
    if figures.bands:
        screen.print(_promises(figures))
    return 0


def _promises(figures: Figures) -> Table:
    """What a score between two of the gate's thresholds came to."""
    table = Table("score", "pairs", "mean score", "entailed", title="what scores come to")
    for band in figures.bands:
        cells = ("" if n is None else f"{n:.3f}" for n in (band.mean, band.entailed))
        table.add_row(f"{band.low:g} to {band.high:g}", f"{band.pairs:,}", *cells)
    return table
