"""The model card and the notices that ship beside the weights."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from affidavit.training.settings import Settings

_SOURCES = {
    "snli": ("SNLI (a subset)", "CC BY-SA 4.0", "Bowman et al. 2015"),
    "cad": ("Counterfactually-augmented SNLI", "Apache-2.0", "Kaushik et al. 2020"),
    "conjnli": ("ConjNLI, adversarial training part", "MIT", "Saha et al. 2020"),
    "wiki": ("NLI pairs on Wikipedia sentences", "CC BY-SA", "Vania et al. 2020"),
    "infotabs": ("InfoTabS", "Apache-2.0", "Gupta et al. 2020"),
    "tabfact": ("TabFact", "MIT", "Chen et al. 2020"),
    "written": (
        "statements written by hand over results of invented tools, and rules with them",
        "Apache-2.0",
        "this project",
    ),
    "made": (
        "claims made by machine, each over a small record that bears it out and over one near it that does not",
        "Apache-2.0",
        "this project",
    ),
    "natural": (
        "claims of labelled runs, each with evidence for it and against it",
        "Apache-2.0",
        "this project",
    ),
}


def model_card(
    settings: Settings,
    progress: Mapping[str, Any],
    held: Mapping[str, Any],
    figures: Mapping[str, Any],
    counts: Mapping[str, int],
    alone: Mapping[str, float],
    shape: str,
    before: Mapping[str, Any],
) -> str:
    """The card, as Markdown. ``shape`` is the size of the model in words; ``alone`` the AUROC of claims without their
    evidence; ``before`` what is known of the model that training went on from."""
    minutes = progress["seconds"] / 60
    most = settings.evaluation_pairs
    extent = f", the first {most:,} rows of each at most" if most else ", the whole of each"
    if settings.evaluation_sources:
        extent += f" (RAGTruth: {settings.evaluation_sources} sources)"
    return f"""# {settings.name}, version {settings.version}

Three-way natural-language inference for checking an agent's claims against its tool results: does the
evidence **entail** a claim, **contradict** it, or leave it open (**neutral**)? A cross-encoder of
{shape} in 8 bits, {settings.window} word pieces at a time, English.

- **Base**: {settings.base_name}, {settings.base_license}{_lineage(before)}.
- **Input**: `[CLS] premise [SEP] claim [SEP]`, lower-cased word pieces. The premise is the lines of the
  run that bear on the claim, whole, between broken bars, calls with their outcomes among them. A Greek letter stands
  before a value of the claim and before the places that say it, `∅` before one that stands nowhere, and a formula
  behind one that follows from others.
- **Output**: logits for entailment, neutral, contradiction; divided by the temperature
  {held["temperature"]} before the softmax.

## Data

{_source_table(counts)}

These were made and shuffled; time allowed for {progress["pairs"]:,} of them. The pairs of a further 2% of the
subjects were held back. Statements of the labelled runs are told in a true or a false
form over results that bear out the one or the other, and rows may have exchanged what they say in a field: a claim holds
where the two agree. Of the statements as many are taken that hold as do not among those that sound alike. AUROC of a bag of words that
reads claims alone, by subjects it did not see: {", ".join(f"{n} {v:.2f}" for n, v in alone.items())}.

## Recipe

`python -m affidavit.training.recipe` (`affidavit/training/`): seed {settings.seed}, batches of
{settings.batch} of up to {settings.max_tokens} word pieces, AdamW at {settings.learning_rate:g}
with warm-up and linear decay by the clock (so a second run differs), label smoothing
{settings.label_smoothing}, no dropout, word embeddings frozen,{_low_rank(settings)} passes in bf16, where the processor multiplies in it, beside fp32 weights. Calibrated by one
temperature on {held["pairs"]} held-back pairs, each source weighing the same; nothing is added to the logits, since what a score means
at the rate of real runs is the verdict's to say.

Time and hardware: {progress["pairs"]:,} pairs in {minutes:.0f} minutes on
{hardware(settings.threads)}, shared with other work. No GPU.

## Figures

On development sets that no training has seen{extent}. "8-bit" is what ships.

{_figure_table(figures)}

Accuracy is over three labels; AUROC and ECE are of entailment against the rest. TabFact: how often the
true statement about a table scores above its false twin. RAGTruth: AUROC and best F1 for responses with
a hallucination, by their least entailed claim, read as Stage 2 reads it. A third of wiki's premises occur in training too, never with the
same statement. What a score means, on {held["pairs"]:,} held-back pairs (ECE {held["ece"]:.3f}):

{_band_table(held["bands"])}

Claims written by hand over records and rules (`affidavit/training/probes.jsonl`), on the right side of 0.5:

{_probe_table(figures["probes"])}

## Limits

- English only. Word pieces are lower-cased and accents dropped.
- Arithmetic (sums, counting rows, comparing many rows) is beyond it; what was computed is written into its premise.
- It never reads more than {settings.window} word pieces at once: longer evidence is read in windows.
- It misses many subtle falsehoods over ordinary results: see the figures for natural runs in the README.
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


def _low_rank(settings: Settings) -> str:
    return (
        f" products of rank {settings.rank} beside matrices as published," if settings.rank else ""
    )


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


def _probe_table(probes: Mapping[str, Any]) -> str:
    rows = [f"| {kind} | {right} of {total} |" for kind, (right, total) in probes.items()]
    return "\n".join(["| kind | right |", "|---|---|", *rows])


def _figure_table(figures: Mapping[str, Any]) -> str:
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
    rows = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for name, f in figures["embedded"].items():
        full = figures["fp32"].get(name, {})
        key = "accuracy" if f["ranked"] is None else "ranked"
        found = [f[key], full.get(key), f["auroc"], full.get("auroc"), f["ece"], f["f1"]]
        label = name if f["ranked"] is None else f"{name} (ranked right)"
        shown = " | ".join("" if c is None else f"{c:.3f}" for c in found)
        rows.append(f"| {label} | {f['pairs']:,} | {shown} |")
    return "\n".join(rows)
