"""What each path of Anthropic's API answers with, and of the clouds that offer the same models."""

from __future__ import annotations

from functools import partial

from affidavit.runtimes.routes import Guarded, Routes
from affidavit.runtimes.wire import AnthropicWire, BedrockWire

_LIVE = "an agent that the API runs by itself shows its words as they are made"
_VERTEX = "publishers/anthropic/models/{}"

ROUTES = Routes(
    guarded=(
        # Below the version of the API, or of one that speaks the same (Mantle, Foundry).
        Guarded("v1/messages", AnthropicWire),
        Guarded(f"{_VERTEX}:rawPredict", AnthropicWire),
        Guarded(f"{_VERTEX}:streamRawPredict", AnthropicWire),
        Guarded("model/{}/invoke", partial(BedrockWire, streams=False)),
        Guarded(
            "model/{}/invoke-with-response-stream", partial(BedrockWire, streams=True), framing="aws"
        ),
    ),
    harmless=(
        "POST messages/count_tokens", "GET models/**",
        "POST projects/{}/locations/{}/publishers/anthropic/models/count-tokens:rawPredict",
        "POST files", "GET files", "GET files/{}",
        "POST messages/batches", "GET messages/batches", "GET messages/batches/{}",
        "POST messages/batches/{}/cancel",
        "POST skills/**", "GET skills/**", "vaults/**", "organizations/**", "user_profiles/**",
        "tunnels/**", "GET agents/**", "POST agents/**",
        "compliance/review/cases/**", "GET compliance/review/notices",
    ),
    refused={
        "messages/batches/{}/results": "it holds answers that no run was checked for",
        "GET compliance/review/items/{}": "it holds answers that no run was checked for",
        "complete": "Text Completions cannot be guarded; use Messages",
        "GET files/{}/content": "its contents may be what a model has written",
        "GET skills/{}/versions/{}/content": "its contents may be what a model has written",
        "GET memory_stores/**": "memories are what a model has written",
        "POST memory_stores/**": "memories are what a model has written",
        "GET sessions/**": _LIVE, "POST sessions/**": _LIVE,
        "GET environments/**": _LIVE, "POST environments/**": _LIVE,
        "GET deployments/**": _LIVE, "POST deployments/**": _LIVE,
        "GET deployment_runs/**": _LIVE, "GET dreams/**": _LIVE, "POST dreams/**": _LIVE,
    },
    error=AnthropicWire,
)  # fmt: skip
