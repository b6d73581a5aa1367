"""Data to evaluate on, told apart by the fields of its rows: JSON Lines, plain or gzip."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

from affidavit.errors import AffidavitError
from affidavit.trace import Message, RunTrace, TextPart
from affidavit.training.pairs.pair import Pair, returned
from affidavit.training.pairs.tables import infotabs_pairs_of, tabfact_pairs_of

Row: TypeAlias = Mapping[str, Any]
Format: TypeAlias = Literal["nli", "tabfact", "infotabs", "ragtruth"]

_FIELDS: Mapping[Format, frozenset[str]] = {
    "nli": frozenset({"premise", "hypothesis", "label"}),
    "tabfact": frozenset({"caption", "header", "rows", "supported", "refuted"}),
    "infotabs": frozenset({"record", "hypothesis", "label"}),
    "ragtruth": frozenset({"source", "responses"}),
}
_LABELS = {
    "entailment": ("entail", "support", "true", "yes", "consistent"),
    "neutral": ("neutral", "not enough", "nei", "unknown", "irrelevant"),
    "contradiction": ("contradict", "refut", "false", "no"),
}
"""How data sets name their labels, by what a name begins with. The longest beginning decides."""


class DatasetError(AffidavitError):
    """A data set that cannot be read: says which file and line, and what was expected."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A true statement about a table and its false twin, each as premise and hypothesis."""

    true: tuple[str, str]
    false: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Response:
    """A generated text, as the answer of a run that had its source from a tool."""

    run: RunTrace
    hallucinated: bool


def read_dataset(path: Path, limit: int | None = None) -> tuple[Format, list[Row]]:
    """The first ``limit`` rows, and what kind of rows they are; raises :class:`DatasetError`."""
    rows: list[Row] = []
    for number, line in islice(_lines(path), limit):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise DatasetError(f"{path}:{number}: not JSON: {error}") from error
        if not isinstance(row, dict):
            raise DatasetError(f"{path}:{number}: expected an object")
        rows.append(row)
    if not rows:
        raise DatasetError(f"{path}: holds no rows")
    kinds = [kind for kind, fields in _FIELDS.items() if all(fields <= row.keys() for row in rows)]
    if not kinds:
        raise DatasetError(
            f"{path}: rows have {', '.join(sorted(rows[0]))}; expected premise, hypothesis and label "
            "(entailment, neutral, contradiction), or the fields of TabFact, InfoTabS or RAGTruth"
        )
    return kinds[0], rows


def pairs_of(kind: Format, rows: Sequence[Row]) -> list[Pair]:
    """Rows with three labels as pairs, records shown as the results of tools are."""
    match kind:
        case "infotabs":
            return list(infotabs_pairs_of(rows))
        case _:
            return [
                Pair(str(r["premise"]), str(r["hypothesis"]), label_of(r["label"]), "")  # type: ignore[arg-type]
                for r in rows
            ]


def label_of(name: object) -> str:
    """The label that a name stands for: "ENTAILMENT", "Supported", "REFUTES", "not enough info"."""
    text = str(name).lower().replace("_", " ").replace("-", " ").strip()
    found = [
        (len(beginning), label)
        for label, beginnings in _LABELS.items()
        for beginning in beginnings
        if text.startswith(beginning)
    ]
    if not found or text.startswith(("not ent", "not sup", "non ent")):
        raise DatasetError(
            f"label {name!r}: expected entailment, neutral or contradiction (or supported, refuted, "
            "not enough info)"
        )
    return max(found)[1]


def twins_of(rows: Sequence[Row]) -> list[Twin]:
    """TabFact's statements, each over what a run would show with it."""
    pairs = [(p.premise, p.hypothesis) for p in tabfact_pairs_of(rows)]
    return [Twin(true, false) for true, false in zip(pairs[::2], pairs[1::2], strict=True)]


def is_measured_on(source_id: int) -> bool:
    """Whether a source of RAGTruth is kept for measuring: earlier versions of the model were trained on the others."""
    return source_id % 2 == 1


def responses_of(rows: Sequence[Row]) -> list[Response]:
    """RAGTruth's responses; one with any marked span is hallucinated."""
    made: list[Response] = []
    for number, row in enumerate(rows):
        asked, text = _asked(row["source"])
        read = (Message(role="user", parts=(TextPart(text=asked),)), *returned("read", text))
        for n, response in enumerate(row["responses"]):
            run = RunTrace(run_id=f"{number}#{n}", messages=read, answer=response["response"])
            made.append(Response(run, bool(response["labels"])))
    return made


def _asked(source: str | Mapping[str, Any]) -> tuple[str, str]:
    """What was asked of a source, and its text."""
    if isinstance(source, str):
        return "Summarize the text.", source
    rest = [str(value) for key, value in source.items() if key != "question"]
    return str(source.get("question", "")), "\n\n".join(rest)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, line
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path}: cannot be read: {error}") from error
