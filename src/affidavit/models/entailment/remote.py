"""An entailment model behind HTTP, asked as text-embeddings-inference is asked: ``POST /predict``."""

from __future__ import annotations

import json
import math
import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import Request, urlopen

from affidavit.errors import ScorerError
from affidavit.models.entailment.labels import Reading, split_label
from affidavit.models.entailment.protocol import Entailment
from affidavit.models.entailment.windows import over_hypotheses, over_premises, windowed

KEY_VARIABLE = "AFFIDAVIT_SCORER_KEY"
"""Environment variable with the bearer token that the server asks for, where it asks for one."""

WINDOW_WORDS = 250
"""Words read at once, premise and claim together: under the 512 word pieces of common encoders, which
come to about two a word in records. The server refuses what is longer; it is never asked to cut."""

_AGAIN = (429, 502, 503, 504)
_LARGEST_ANSWER = 8 * 2**20


class RemoteModel:
    """A cross-encoder on another machine: a three-way one, or one of which ``URL#LABEL`` says which label means that
    the evidence bears a claim out.

    Pairs go out as ``{"inputs": [[premise, hypothesis], …]}``, ``batch`` at a time; the answer has, for
    each, a list of ``{"label", "score"}``, and the labels' names say which score is which. Texts
    longer than ``window`` words are read in overlapping windows, as by the embedded model.

    ``timeout`` is in seconds, for one request and its answer. A request that was refused for load (429,
    502, 503, 504) or did not reach the server is sent again up to ``retries`` times, after
    ``backoff`` seconds, twice that, and so on, or after what ``Retry-After`` asks if that is
    shorter than the timeout. Everything else that is not an answer, a server that hangs included,
    raises :class:`ScorerError` at once. ``api_key`` is sent as a bearer token.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout: float = 10.0,
        retries: int = 2,
        backoff: float = 0.25,
        batch: int = 32,
        window: int = WINDOW_WORDS,
        temperature: float = 1.0,
        api_key: str | None = None,
    ) -> None:
        url, self._label = split_label(url)
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ScorerError(
                f"{url!r} is not the address of a scorer: expected http(s)://HOST[:PORT]"
            )
        self._url = url.rstrip("/")
        self._shown = urlunsplit(
            (
                parts.scheme,
                parts.netloc.rpartition("@")[2],
                parts.path.rstrip("/"),
                "",
                self._label or "",
            )
        )
        self._timeout, self._retries, self._backoff = timeout, retries, backoff
        self._batch, self._window, self._temperature = batch, window, temperature
        self._key = api_key or os.environ.get(KEY_VARIABLE)
        self._lock = threading.Lock()
        self._model: str | None = None

    @property
    def name(self) -> str:
        """The address, and the model's name and digest once the server has told them."""
        return f"remote:{self._model or ''}{'@' if self._model else ''}{self._shown}"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Score ``(premise, hypothesis)`` pairs, in order."""
        if not pairs:
            return []
        plans = [_windowed(premise, hypothesis, self._window) for premise, hypothesis in pairs]
        asked = [pair for plan in plans for part in plan for pair in part]
        scores = iter([score for chunk in self._chunks(asked) for score in self._answers(chunk)])
        self._learn_name()
        return [
            over_hypotheses([over_premises([next(scores) for _ in part]) for part in plan])
            if len(plan) > 1 or len(plan[0]) > 1
            else next(scores)
            for plan in plans
        ]

    def _chunks(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Sequence[tuple[str, str]]]:
        for start in range(0, len(pairs), self._batch):
            yield pairs[start : start + self._batch]

    def _answers(self, chunk: Sequence[tuple[str, str]]) -> list[Entailment]:
        body = {"inputs": [list(pair) for pair in chunk], "raw_scores": False, "truncate": False}
        answer = self._ask("/predict", body)
        if not isinstance(answer, list) or len(answer) != len(chunk):
            raise self._error(f"expected {len(chunk)} predictions, got {_brief(answer)}")
        return [self._read(row) for row in answer]

    def _read(self, row: Any) -> Entailment:
        """One prediction: label and score of each class, in any order."""
        try:
            names = {i: str(each["label"]) for i, each in enumerate(row)}
            chances = [float(each["score"]) for each in row]
        except (TypeError, KeyError, ValueError) as error:
            raise self._error(
                f"a prediction is a list of labels and scores, not {_brief(row)}"
            ) from error
        reading = Reading(names, self._label)
        if not all(0 <= c <= 1 for c in chances) or (
            len(chances) > 1 and abs(sum(chances) - 1) > 0.02
        ):
            raise self._error(f"scores are not probabilities: {_brief(row)}")
        return reading.of_chances(chances, self._temperature)

    def _learn_name(self) -> None:
        with self._lock:
            if self._model is not None:
                return
            try:
                info = self._sent("/info", None)
            except (ScorerError, _Busy):
                # Not every server of /predict has /info: then the address is all the name there is.
                info = None
            known = info if isinstance(info, dict) else {}
            digest = str(known.get("model_sha") or "")[:12]
            self._model = str(known.get("model_id") or "") + (f"/{digest}" if digest else "")

    def _ask(self, path: str, body: Mapping[str, Any] | None) -> Any:
        """One request, sent again where that may help."""
        for attempt in range(self._retries + 1):
            try:
                return self._sent(path, body)
            except _Busy as busy:
                if attempt == self._retries:
                    raise self._error(f"{busy} ({attempt + 1} attempts)") from busy
                time.sleep(min(max(self._backoff * 2**attempt, busy.after), self._timeout))
        raise AssertionError("the last attempt returns or raises")

    def _sent(self, path: str, body: Mapping[str, Any] | None) -> Any:
        data = None if body is None else json.dumps(body).encode("utf-8", "replace")
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = Request(self._url + path, data, headers, method="GET" if data is None else "POST")
        deadline = time.monotonic() + self._timeout
        try:
            with urlopen(request, timeout=self._timeout) as response:
                return json.loads(_all_of(response, deadline))
        except HTTPError as error:
            with error:
                reason = error.read(300).decode("utf-8", "replace").strip()
            if error.code in _AGAIN:
                raise _Busy(
                    f"status {error.code}", _seconds(error.headers.get("Retry-After"))
                ) from error
            raise self._error(f"status {error.code}: {reason}") from error
        except TimeoutError as error:
            raise self._error(f"no answer within {self._timeout:g} s") from error
        except URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise self._error(f"no answer within {self._timeout:g} s") from error
            raise _Busy(f"not reached: {error.reason}") from error
        except (ConnectionError, HTTPException) as error:
            raise _Busy(f"connection lost: {type(error).__name__}") from error
        except ValueError as error:
            raise self._error(f"not JSON: {error}") from error

    def _error(self, what: str) -> ScorerError:
        return ScorerError(f"the scorer at {self._shown} gave no usable answer: {what}")


class _Busy(Exception):
    """The server could not take the request now; ``after`` is how many seconds it asks to wait."""

    def __init__(self, what: str, after: float = 0.0) -> None:
        super().__init__(what)
        self.after = after


def _all_of(response: Any, deadline: float) -> bytes:
    """The whole body, by the deadline: a socket's own timeout starts anew with every byte."""
    parts: list[bytes] = []
    size = 0
    while part := response.read1(65536):
        parts.append(part)
        size += len(part)
        if size > _LARGEST_ANSWER:
            raise ValueError(f"more than {_LARGEST_ANSWER} bytes")
        if time.monotonic() > deadline:
            raise TimeoutError
    return b"".join(parts)


def _windowed(premise: str, hypothesis: str, limit: int) -> list[list[tuple[str, str]]]:
    """The pair as it is where it fits, else windows of its words."""
    words = premise.split(), hypothesis.split()
    if len(words[0]) + len(words[1]) + 3 <= limit:
        return [[(premise, hypothesis)]]
    plan = windowed(*words, limit)
    return [[(" ".join(p), " ".join(h)) for p, h in part] for part in plan]


def _seconds(header: str | None) -> float:
    try:
        seconds = float(header or 0)
    except ValueError:  # a date: the backoff will do
        return 0.0
    return seconds if math.isfinite(seconds) else 0.0


def _brief(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) < 120 else text[:117] + "..."
