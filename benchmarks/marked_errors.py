"""Texts in which people have marked the errors: how many are found, and how many findings are right.

    python benchmarks/marked_errors.py basketball FILE.jsonl.gz [--limit N] [--json FILE]
    python benchmarks/marked_errors.py ragtruth FILE.jsonl.gz [--limit N] [--json FILE]

``basketball`` reads game reports beside their box scores (Accuracy Shared Task; Thomson and Reiter
2021): a marked error is found when a claim that overlaps it is contradicted or unsupported, and such
a claim is right when it overlaps a marked error. The best entry of the shared task came to recall
.691 and precision .756 on its test part. ``ragtruth`` reads responses beside their sources (Niu et
al. 2024): whether a response has any marked span, against the report's overall score. Sources whose
responses the embedded model was trained on are left out.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from affidavit import Detector, HallucinationReport
from affidavit.trace import (
    DataPart,
    Message,
    RunTrace,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from affidavit.training.datasets import is_measured_on

_FIELDS = {
    "MIN": "minutes", "PTS": "points", "REB": "rebounds", "AST": "assists", "STL": "steals",
    "BLK": "blocks", "TO": "turnovers", "PF": "fouls", "OREB": "offensive_rebounds",
    "DREB": "defensive_rebounds", "FGM": "field_goals_made", "FGA": "field_goals_attempted",
    "FG_PCT": "field_goal_percentage", "FG3M": "three_pointers_made",
    "FG3A": "three_pointers_attempted", "FG3_PCT": "three_point_percentage",
    "FTM": "free_throws_made", "FTA": "free_throws_attempted", "FT_PCT": "free_throw_percentage",
}  # fmt: skip
_LINE = {
    "PTS": "points", "WINS": "wins", "LOSSES": "losses", "PTS_QTR1": "points_first_quarter",
    "PTS_QTR2": "points_second_quarter", "PTS_QTR3": "points_third_quarter",
    "PTS_QTR4": "points_fourth_quarter", "REB": "rebounds", "AST": "assists", "TOV": "turnovers",
    "FG_PCT": "field_goal_percentage", "FG3_PCT": "three_point_percentage",
    "FT_PCT": "free_throw_percentage",
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Marked errors that are found.")
    parser.add_argument("kind", choices=("basketball", "ragtruth"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--limit", type=int, help="read so many rows only")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    with gzip.open(options.file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in islice(lines, options.limit)]
    measure: Callable[[list[Any], Detector], dict[str, Any]]
    measure = basketball if options.kind == "basketball" else ragtruth
    figures = {"file": options.file.name, "rows": len(rows), **measure(rows, Detector())}
    shown = Table("figure", options.file.name)
    for name, value in figures.items():
        shown.add_row(name, f"{value:.3f}" if isinstance(value, float) else str(value))
    Console().print(shown)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def run_of(
    row_id: str, question: str, tool: str, result: TextPart | DataPart, answer: str
) -> RunTrace:
    """A run of one call: the question, what the tool gave, and the answer to judge."""
    call = ToolCallPart(id="1", name=tool, arguments={})
    return RunTrace(
        run_id=row_id,
        messages=(
            Message(role="user", parts=(TextPart(text=question),)),
            Message(role="assistant", parts=(call,)),
            Message(role="tool", parts=(ToolResultPart(id="1", content=(result,)),)),
        ),
        answer=answer,
    )


def basketball(rows: list[Any], detector: Detector) -> dict[str, Any]:
    """Recall of the marked errors, by their type, and precision of the claims that are flagged."""
    marked: Counter[str] = Counter()
    found: Counter[str] = Counter()
    flagged = right = 0
    for row in rows:
        trace = run_of(
            row["id"], "What happened in the game?", "get_box_score",
            DataPart(value=game_of(row["box_scores"][0])), row["text"],
        )  # fmt: skip
        wrong = [(c.start, c.end) for c in detector.check(trace).claims if c.status in _FLAGGED]
        spans = [(error["TYPE"], *token_span(row["text"], error)) for error in row["errors"]]
        for kind, start, end in spans:
            marked[kind] += 1
            found[kind] += any(a < end and start < b for a, b in wrong)
        flagged += len(wrong)
        right += sum(any(a < end and start < b for _, start, end in spans) for a, b in wrong)
    return {
        "marked errors": marked.total(),
        "recall": found.total() / max(1, marked.total()),
        "precision": right / max(1, flagged),
        "flagged claims": flagged,
        **{f"recall of {kind}": found[kind] / n for kind, n in marked.most_common()},
        "best entry, test part": "recall .691, precision .756",
    }


_FLAGGED = ("contradicted", "unsupported")


def game_of(box: dict[str, Any]) -> dict[str, Any]:
    """A box score as a sports interface gives it: the two teams, and a row a player."""
    month, day, year = box["day"].split("_")
    players = box["box_score"]
    return {
        "date": f"20{year}-{month}-{day}",
        "home": _team(box["home_line"], box["home_city"], box["home_name"]),
        "visitor": _team(box["vis_line"], box["vis_city"], box["vis_name"]),
        "players": [
            {
                "player": players["PLAYER_NAME"][n],
                "team": players["TEAM_CITY"][n],
                "starter": players["START_POSITION"][n] != "N/A",
                **{name: _number(players[key][n]) for key, name in _FIELDS.items()},
            }
            for n in sorted(players["PLAYER_NAME"], key=int)
        ],
    }


def _team(line: dict[str, str], city: str, name: str) -> dict[str, Any]:
    figures = {name: _number(line[f"TEAM-{key}"]) for key, name in _LINE.items()}
    return {"city": city, "name": name, **figures}


def _number(text: str) -> int | None:
    return None if text == "N/A" else int(float(text))


def token_span(text: str, error: dict[str, str]) -> tuple[int, int]:
    """Characters of an error that is marked by its tokens, counted from 1."""
    tokens = text.split(" ")
    first, last = int(error["DOC_TOKEN_START"]) - 1, int(error["DOC_TOKEN_END"]) - 1
    start = len(" ".join(tokens[:first])) + (1 if first else 0)
    return start, start + len(" ".join(tokens[first : last + 1]))


def ragtruth(rows: list[Any], detector: Detector) -> dict[str, Any]:
    """AUROC and F1 of "has a marked span", by the overall score and by the gate's decision."""
    truths: list[bool] = []
    reports: list[HallucinationReport] = []
    for trace, truth in responses(rows):
        truths.append(truth)
        reports.append(detector.check(trace))
    scores = np.array([1 - (r.overall_score or 0.0) for r in reports])
    stopped = np.array([r.action != "emit" for r in reports])
    labels = np.array(truths)
    best, threshold = max((f1(labels, scores >= cut), cut) for cut in np.unique(scores))
    return {
        "responses": len(truths),
        "with marked spans": int(labels.sum()),
        "AUROC": auroc(labels, scores),
        "best F1": best,
        "at overall score": 1 - float(threshold),
        "F1 of the gate": f1(labels, stopped),
        "F1 of stopping all": f1(labels, np.ones_like(labels)),
    }


def responses(rows: list[Any]) -> Iterator[tuple[RunTrace, bool]]:
    for row in rows:
        if not is_measured_on(row["source_id"]):
            continue
        source = row["source"]
        asks = isinstance(source, dict)
        question = source["question"] if asks else "Summarise the document."
        text = source["passages"] if asks else source
        tool = "search" if asks else "read_document"
        for n, response in enumerate(row["responses"]):
            name = f"{row['source_id']}-{n}"
            trace = run_of(name, question, tool, TextPart(text=text), response["response"])
            yield trace, bool(response["labels"])


def f1(truths: Any, said: Any) -> float:
    hits = int((truths & said).sum())
    return 2 * hits / max(1, int(truths.sum()) + int(said.sum()))


def auroc(truths: Any, scores: Any) -> float:
    """The chance that a response with an error scores above one without, ties counting half."""
    above, below = scores[truths][:, None], scores[~truths][None, :]
    return float((above > below).mean() + 0.5 * (above == below).mean())


if __name__ == "__main__":
    main()
