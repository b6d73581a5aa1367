"""The model card and the notices that ship beside the weights."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
}


def model_card(
    settings: Settings,
    progress: Mapping[str, Any],
    held: Mapping[str, Any],
    figures: Mapping[str, Any],
    counts: Mapping[str, int],
) -> str:
    """The card, as Markdown."""
    minutes = progress["seconds"] / 60
    most = settings.evaluation_pairs
    extent = f", the first {most:,} pairs of each at most" if most else ", the whole of each"
    return f"""# {settings.name}, version {settings.version}

Three-way natural-language inference for checking an agent's claims against its tool results: does a
passage **entail** a claim, **contradict** it, or leave it open (**neutral**)? A cross-encoder of 22.7M
parameters (6 layers × 384) in 8 bits, {settings.window} word pieces at a time, English.

- **Base**: sentence-transformers/all-MiniLM-L6-v2, Apache-2.0.
- **Input**: `[CLS] premise [SEP] claim [SEP]`, lower-cased word pieces. Premises are prose, or records
  as the ledger renders them: `get_order › items[0] | sku: TNT-3P; price cents: 24900; gift: no`.
- **Output**: logits for entailment, neutral, contradiction; divided by the temperature
  {held["temperature"]} before the softmax.

## Data

{_source_table(counts)}

These were made and shuffled; time allowed for {progress["pairs"]:,} of them. A further 2% of the
premises were held back.

Pairs from SGD, tables and records are rendered by the functions that render evidence at run time.
Faulty twins: another row's value, a neighbouring field, a digit, another unit or day, a negation, a
value from nowhere, a claim of absence, a lacking field, a stranger's record.

## Recipe

`python -m affidavit.training.recipe` (`affidavit/training/`): seed {settings.seed}, batches of
{settings.batch} in length buckets up to {settings.max_tokens} word pieces, AdamW at {settings.learning_rate:g}
with warm-up and linear decay by the clock (so a second run differs), label smoothing
{settings.label_smoothing}, no dropout, word embeddings frozen, bf16 autocast. Calibrated by one temperature on
{held["pairs"]} held-back pairs, each source weighing the same.

Time and hardware: {progress["pairs"]:,} pairs seen once in {minutes:.0f} minutes on
{hardware(settings.threads)}, shared with other work. No GPU.

## Figures

On development sets that no training has seen{extent}. "8-bit" is what ships.

{_figure_table(figures)}

Accuracy is over three labels; AUROC and ECE are of entailment against the rest. TabFact: how often the
true statement about a table scores above its false twin. SGD: annotated answers over API results and
their twins, made as in training from other dialogues; about half of their services, and a quarter of
their result rows, occur in training too. A third of wiki's premises do, never with the same statement.
The window of {settings.window} was chosen with a look at the first 300 pairs of SGD and InfoTabS and 150 of
TabFact, and on made-up prose. Held-back pairs: ECE {held["ece"]:.3f}.

Faulty claims about records (SGD and templates) among the held-back pairs, by how they were made, and
the share of them that the model does not take for entailed:

{_fault_table(held["faults"])}

## Limits

- English only. Word pieces are lower-cased and accents dropped.
- Arithmetic (sums, counting rows, comparing many rows) is beyond it; such claims need a computed check.
- It reads values as word pieces: identifiers and long numbers are better compared exactly first.
- Trained on pairs of up to {settings.max_tokens} word pieces and never reads more at once: longer
  evidence is read in windows. Past that length it entails what it should not.
- Flags are its weak spot: it often takes `refundable: no` for support of "it is refundable". So are a
  neighbouring field's value, another row's value and bounds ("more than"): check those exactly first.
- Records made from templates are easier than what agents say; their held-back figures flatter.
- SNLI's captions and their well-known annotation habits are a good part of the training data.
"""


def notice() -> str:
    """Licences of the base model and of the data."""
    lines = [f"- {what}: {licence}; {who}" for what, licence, who in _SOURCES.values()]
    return (
        "The weights in this folder are derived from all-MiniLM-L6-v2 by sentence-transformers,\n"
        "licensed under the Apache License 2.0 (https://www.apache.org/licenses/LICENSE-2.0), and\n"
        "were changed by fine-tuning and quantisation. tokenizer.json is that model's, with\n"
        "truncation and padding removed.\n\nThey were trained on:\n\n" + "\n".join(lines) + "\n\n"
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
    rows = [
        f"| {what} | {counts[key]:,} | {licence} | {who} |"
        for key, (what, licence, who) in _SOURCES.items()
        if key in counts
    ]
    return "\n".join(["| source | pairs | licence | origin |", "|---|---|---|---|", *rows])


def _fault_table(faults: Mapping[str, Any]) -> str:
    ranked = sorted(faults.items(), key=lambda item: float(item[1][1]))
    rows = [f"| {fault} | {count} | {share:.2f} |" for fault, (count, share) in ranked]
    return "\n".join(["| fault | pairs | not entailed |", "|---|---|---|", *rows])


def _figure_table(figures: Mapping[str, Any]) -> str:
    head = "| set | pairs | accuracy, 8-bit | fp32 | AUROC, 8-bit | fp32 | ECE, 8-bit |"
    rows = [head, "|---|---|---|---|---|---|---|"]
    for name, f in figures["embedded"].items():
        full = figures["fp32"][name]
        if f["ranked"] is None:
            cells = (f["accuracy"], full["accuracy"], f["auroc"], full["auroc"], f["ece"])
        else:
            cells = (f["ranked"], full["ranked"], None, None, None)
        label = name if f["ranked"] is None else f"{name} (ranked right)"
        shown = " | ".join("" if c is None else f"{c:.3f}" for c in cells)
        rows.append(f"| {label} | {f['pairs']:,} | {shown} |")
    return "\n".join(rows)
