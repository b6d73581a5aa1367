"""The model card and the notices that ship beside the weights."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from affidavit.training.restore import lineage
from affidavit.training.settings import Settings

_SOURCES = {
    "snli": ("SNLI (a subset)", "CC BY-SA 4.0", "Bowman et al. 2015"),
    "cad": ("Counterfactually-augmented SNLI", "Apache-2.0", "Kaushik et al. 2020"),
    "conjnli": ("ConjNLI, adversarial training part", "MIT", "Saha et al. 2020"),
    "wiki": ("NLI pairs on Wikipedia sentences", "CC BY-SA", "Vania et al. 2020"),
    "numbers": ("copies and changed numbers of wiki and ConjNLI premises", "as those", "made here"),
    "documents": ("banking knowledge documents of τ²-bench", "MIT", "Sierra"),
    "infotabs": ("InfoTabS", "Apache-2.0", "Gupta et al. 2020"),
    "tabfact": ("TabFact", "MIT", "Chen et al. 2020"),
    "sgd": (
        "Schema-Guided Dialogue: answers over API results",
        "CC BY-SA 4.0",
        "Rastogi et al. 2020",
    ),
    "records": ("made-up business records, from templates", "Apache-2.0", "this project"),
    "swaps": (
        "two fields or rows of such records, told of each other",
        "Apache-2.0",
        "this project",
    ),
    "flags": ("made-up yes-or-no fields", "Apache-2.0", "this project"),
    "statuses": ("made-up status words", "Apache-2.0", "this project"),
    "boxscores": ("made-up box scores", "Apache-2.0", "this project"),
    "written": (
        "statements written by hand over results of invented tools, and rules with them",
        "Apache-2.0",
        "this project",
    ),
    "rules": ("made-up rules and what agents say of them", "Apache-2.0", "this project"),
    "cases": ("what follows from such a rule and a record together", "Apache-2.0", "this project"),
    "responses": ("RAGTruth's responses to half of its sources", "MIT", "Niu et al. 2024"),
    "handbook": ("rules of the banking documents in an agent's voice", "MIT", "made here"),
    "cells": ("single cells of TabFact, InfoTabS and SGD results", "as those", "made here"),
    "strangers": ("claims of several sources over one another's passages", "as those", "made here"),
    "long": ("premises of several sources among others of their kind", "as those", "made here"),
}


def model_card(
    settings: Settings,
    progress: Mapping[str, Any],
    held: Mapping[str, Any],
    figures: Mapping[str, Any],
    counts: Mapping[str, int],
    shape: str,
    before: Mapping[str, Any],
    beside: Mapping[str, Any] | None = None,
) -> str:
    """The card, as Markdown. ``shape`` is the size of the model in words; ``before`` what is known of the model
    that training went on from; ``beside`` the figures of the same encoder trained on SNLI alone."""
    minutes = progress["seconds"] / 60
    most = settings.evaluation_pairs
    extent = f", the first {most:,} rows of each at most" if most else ", the whole of each"
    if settings.evaluation_sources:
        extent += f" (RAGTruth: {settings.evaluation_sources} sources)"
    return f"""# {settings.name}, version {settings.version}

Three-way natural-language inference for checking an agent's claims against its tool results: does a
passage **entail** a claim, **contradict** it, or leave it open (**neutral**)? A cross-encoder of
{shape} in 8 bits, {settings.window} word pieces at a time, English.

- **Base**: {settings.base_name}, {settings.base_license}{_lineage(before)}{_mean(settings)}.
- **Input**: `[CLS] premise [SEP] claim [SEP]`, lower-cased word pieces. Premises are prose, or records
  as the ledger renders them: `get_order › items[0] | sku: TNT-3P; price cents: 24900; gift: no`.
- **Output**: logits for entailment, neutral, contradiction; divided by the temperature
  {held["temperature"]} before the softmax.

## Data

{_source_table(counts)}

These were made and shuffled; time allowed for {progress["pairs"]:,} of them. A further 2% of the
premises were held back.

Pairs from SGD, tables and records are rendered by the functions that render evidence at run time.
Faulty twins: another row's value, a neighbouring field, a turned flag, another status, a bound on the
wrong side, a digit, another unit or day, a negation, a value from nowhere, a claim of absence, a lacking
field, a stranger's record; of rules: the opposite, another number, no condition, another actor, a duty
made of a permission.

## Recipe

`python -m affidavit.training.recipe` (`affidavit/training/`): seed {settings.seed}, batches of
{settings.batch} in length buckets up to {settings.max_tokens} word pieces, AdamW at {settings.learning_rate:g}
with warm-up and linear decay by the clock (so a second run differs), label smoothing
{settings.label_smoothing}, no dropout, word embeddings frozen, passes in bf16 beside fp32 weights. Calibrated by one temperature on
{held["pairs"]} held-back pairs, each source weighing the same, after {settings.entailment_bias:g} was added to the logit of
entailment and {settings.contradiction_bias:g} to that of contradiction: twins make faulty claims commoner in training than they are among
the claims of a run.

Time and hardware: {progress["pairs"]:,} pairs seen once in {minutes:.0f} minutes on
{hardware(settings.threads)}, shared with other work. No GPU.

## Figures

On development sets that no training has seen{extent}. "8-bit" is what ships{_beside(beside)}.

{_figure_table(figures, beside)}

Accuracy is over three labels; AUROC and ECE are of entailment against the rest. TabFact: how often the
true statement about a table scores above its false twin. RAGTruth: AUROC and best F1 for responses with
a hallucination, by their least entailed sentence, over the half of its sources that no training reads. SGD: annotated answers over API results and
their twins, made as in training from other dialogues; about half of their services, and a quarter of
their result rows, occur in training too. A third of wiki's premises do, never with the same statement.
What a score means, on {held["pairs"]:,} held-back pairs (ECE {held["ece"]:.3f}, each source weighing the same):

{_band_table(held["bands"])}

Brier score of P(entailment) on held-back pairs, each half calibrated on the other: {_losses(held["isotonic"])}.

Claims written by hand over records and rules (`affidavit/training/probes.jsonl`), on the right side of 0.5:

{_probe_table(figures["probes"])}

Faulty claims by how they were made, and the share of them that scores under 0.5: held-back pairs of all
sources, and SGD's development set.

{_fault_table(held["faults"], figures["embedded"]["sgd"]["faults"])}

## Limits

- English only. Word pieces are lower-cased and accents dropped.
- Arithmetic (sums, counting rows, comparing many rows) is beyond it; such claims need a computed check.
- It reads values as word pieces: identifiers and long numbers are better compared exactly first.
- Trained on pairs of up to {settings.max_tokens} word pieces and never reads more at once: longer
  evidence is read in windows. Past that length it entails what it should not.
- Its weak spots stand in the tables above: bounds ("at least", "before"), two rows compared, one row among
  many, and what a rule for all things means for one thing. Check those exactly first.
- It is quick to find that something cannot be done, beside a rule about something else: take a denial for
  entailed only where the passage denies something, too.
- Records made from templates are easier than what agents say; their held-back figures flatter.
- SNLI's captions and their well-known annotation habits are a good part of the training data.
"""


def notice(settings: Settings) -> str:
    """Licences of the base model and of the data."""
    lines = [f"- {what}: {licence}; {who}" for what, licence, who in _SOURCES.values()]
    return (
        f"The weights in this folder are derived from {settings.base_name}, licensed under the\n"
        f"{settings.base_license} licence (https://spdx.org/licenses/{settings.base_license}), and were changed by\n"
        "fine-tuning and quantisation. tokenizer.json is that model's, with truncation and padding\n"
        "removed.\n\nThey were trained on:\n\n" + "\n".join(lines) + "\n\n"
        "No text of these sources is contained in the weights' files. CC BY-SA:\n"
        "https://creativecommons.org/licenses/by-sa/4.0/\n"
    )


def hardware(threads: int) -> str:
    """The processor, as far as the system tells, and how many of its cores were used."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines()
                  if line.startswith("model name")]  # fmt: skip
        name = models[0] if models else name
    return f"{min(threads, os.cpu_count() or threads)} cores of {name}"


def _source_table(counts: Mapping[str, int]) -> str:
    if unknown := sorted(counts.keys() - _SOURCES.keys()):
        raise ValueError(f"no licence and origin is written down for {', '.join(unknown)}")
    rows = [
        f"| {what} | {counts[key]:,} | {licence} | {who} |"
        for key, (what, licence, who) in _SOURCES.items()
        if key in counts
    ]
    return "\n".join(["| source | pairs | licence | origin |", "|---|---|---|---|", *rows])


def _lineage(before: Mapping[str, Any]) -> str:
    earlier: list[Mapping[str, Any]] = []
    model: Mapping[str, Any] | None = before or None
    while model is not None:
        earlier.append(model["training"])
        model = model.get("trained_on_from")
    if not earlier:
        return ""
    seen, minutes = (sum(run[key] for run in earlier) for key in ("pairs_seen", "minutes"))
    return (
        f";\n  trained on from version {before['version']} of this model (sha256 {before['sha256'][:12]}…), "
        f"which had seen {seen:,} pairs in {minutes:.0f} minutes of {len(earlier)} runs"
    )


def _mean(settings: Settings) -> str:
    if settings.averaged_with is None:
        return ""
    other = lineage(settings.averaged_with)
    share = f"{settings.averaged_share:.0%}"
    return f";\n  {share} of the weights are those of version {other['version']} (sha256 {other['sha256'][:12]}…)"


def _fault_table(held: Mapping[str, Any], sgd: Mapping[str, Any]) -> str:
    rows = [
        "| fault | held-back pairs | not entailed | SGD pairs | not entailed |",
        "|---|---|---|---|---|",
    ]
    for fault in sorted({*held, *sgd}, key=lambda f: float((held.get(f) or sgd[f])[1])):
        cells = [f"{found[0]:,} | {found[1]:.2f}" if (found := table.get(fault)) else " | "
                 for table in (held, sgd)]  # fmt: skip
        rows.append(f"| {fault} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _band_table(found: Sequence[Mapping[str, Any]]) -> str:
    rows = ["| score | pairs | mean score | entailed |", "|---|---|---|---|"]
    for band in reversed(found):
        mean, share = (
            "" if band[key] is None else f"{band[key]:.2f}" for key in ("mean", "entailed")
        )
        rows.append(
            f"| {band['low']:g} to {band['high']:g} | {band['pairs']:,} | {mean} | {share} |"
        )
    return "\n".join(rows)


def _losses(found: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {loss:.4f}" for name, loss in found.items())


def _probe_table(probes: Mapping[str, Any]) -> str:
    rows = [f"| {kind} | {right} of {total} |" for kind, (right, total) in probes.items()]
    return "\n".join(["| kind | right |", "|---|---|", *rows])


def _beside(beside: Mapping[str, Any] | None) -> str:
    if beside is None:
        return ""
    return ', "SNLI alone" the same encoder trained on SNLI only, on the same rows: what the made pairs bring'


def _figure_table(figures: Mapping[str, Any], beside: Mapping[str, Any] | None) -> str:
    heads = [
        "set",
        "pairs",
        "accuracy, 8-bit",
        "fp32",
        "AUROC, 8-bit",
        "fp32",
        "ECE, 8-bit",
        "best F1, 8-bit",
    ]
    heads += ["accuracy, SNLI alone", "AUROC, SNLI alone"] if beside else []
    rows = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for name, f in figures["embedded"].items():
        full = figures["fp32"].get(name, {})
        key = "accuracy" if f["ranked"] is None else "ranked"
        found = [f[key], full.get(key), f["auroc"], full.get("auroc"), f["ece"], f["f1"]]
        if beside:
            other = beside["embedded"].get(name, {})
            found += [other.get(key), other.get("auroc")]
        label = name if f["ranked"] is None else f"{name} (ranked right)"
        shown = " | ".join("" if c is None else f"{c:.3f}" for c in found)
        rows.append(f"| {label} | {f['pairs']:,} | {shown} |")
    return "\n".join(rows)
