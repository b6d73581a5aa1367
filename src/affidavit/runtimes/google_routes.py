"""What each path of Google's API answers with, of the Gemini API and of Vertex AI."""

from __future__ import annotations

from functools import partial

from affidavit.runtimes.routes import Guarded, Routes
from affidavit.runtimes.wire import GoogleWire

_LATER = "it holds answers that no run was checked for"
_LIVE = "an agent that the API runs by itself shows its words as they are made"
_VERTEX = "projects/{}/locations/{}/"


def _both(*patterns: str) -> tuple[str, ...]:
    """Patterns of the Gemini API, and of Vertex AI below a project."""
    placed = [pattern.rpartition(" ") for pattern in patterns]
    return (*patterns, *(f"{method}{space}{_VERTEX}{path}" for method, space, path in placed))


ROUTES = Routes(
    guarded=(
        Guarded("{}:generateContent", partial(GoogleWire, streams=False)),
        Guarded("{}:streamGenerateContent", partial(GoogleWire, streams=True)),
    ),
    harmless=(
        # Numbers, pictures and the caller's own files, caches and jobs.
        *_both(
            "POST models/{}:countTokens", "POST models/{}:embedContent",
            "POST models/{}:batchEmbedContents", "POST models/{}:asyncBatchEmbedContent",
            "POST models/{}:predict", "POST models/{}:predictLongRunning",
            "POST publishers/google/models/{}:countTokens",
            "POST publishers/google/models/{}:computeTokens",
            "POST publishers/google/models/{}:embedContent",
            "POST publishers/google/models/{}:predict",
            "POST publishers/google/models/{}:predictLongRunning",
            "POST publishers/google/models/{}:fetchPredictOperation",
            "GET models/**", "PATCH models/{}", "GET publishers/google/models/**",
            "GET tunedModels/**", "PATCH tunedModels/{}", "GET cachedContents/**",
            "POST cachedContents", "PATCH cachedContents/{}", "GET tuningJobs/**",
            "POST tuningJobs", "POST tuningJobs/{}:cancel", "GET files", "GET files/{}",
            "POST files", "POST files:register", "GET fileSearchStores/**",
            "POST fileSearchStores/**", "PATCH fileSearchStores/**", "POST auth_tokens",
            "POST models/{}:batchGenerateContent", "POST batches/{}:cancel",
            "POST batchPredictionJobs", "POST batchPredictionJobs/{}:cancel",
            "GET batchPredictionJobs/**", "POST fileSearchStores/{}:importFile",
            "POST fileSearchStores/{}:uploadToFileSearchStore", "GET models/{}/operations/{}",
            "GET publishers/google/models/{}/operations/{}", "voices/**", "webhooks/**",
            "credentials/**",
        ),
    ),
    refused={
        "GET batches/**": _LATER,
        "GET files/{}:download": _LATER,
        **dict.fromkeys(_both("GET interactions/**", "POST interactions/**", "GET agents/**", "POST agents/**", "GET environments/**", "POST environments/**", "GET triggers/**", "POST triggers/**"), _LIVE),
    },
    error=partial(GoogleWire, streams=False),
)  # fmt: skip
