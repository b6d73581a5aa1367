"""What each path of OpenAI's API answers with."""

from __future__ import annotations

from affidavit.runtimes.routes import Guarded, Routes
from affidavit.runtimes.wire import OpenAIChatWire, OpenAICompletionsWire, OpenAIResponsesWire

_LIVE = "a conversation that the API leads by itself shows its words as they are made"
_STORED = "what the API has stored holds drafts that were sent back, too"
_BATCH = "its contents may be what models answered"

ROUTES = Routes(
    guarded=(
        Guarded("chat/completions", OpenAIChatWire),
        Guarded("responses", OpenAIResponsesWire),
        Guarded("completions", OpenAICompletionsWire),
    ),
    kept={
        "GET chat/completions/{}": OpenAIChatWire,
        "GET responses/{}": OpenAIResponsesWire,
    },
    harmless=(
        # Of the caller's own data, accounts and settings.
        "GET models", "GET models/{}", "POST files", "GET files/**", "uploads/**", "vector_stores/**",
        "POST fine_tuning/**", "GET fine_tuning/**", "fine_tuning/checkpoints/{}/permissions", "POST containers/**", "GET containers/**",
        "POST batches/**", "GET batches/**", "POST skills/**", "GET skills/**", "vaults/**",
        "POST assistants/**", "GET assistants/**", "organization/**", "projects/**",
        "safety/**", "webhook_endpoints/**", "webhook_event_types/**",
        # Numbers, labels, pictures and sounds, and what was heard in the caller's own recording.
        "POST embeddings", "POST moderations", "POST content_provenance_checks",
        "POST responses/input_tokens", "images/**", "videos/**", "POST audio/**", "GET audio/**",
    ),
    refused={
        "responses/compact": "it answers with a summary that a model has written",
        "POST responses/{}/cancel": "only responses in the background can be cancelled",
        "GET responses/{}/input_items": _STORED,
        "GET chat/completions": _STORED,
        "GET chat/completions/{}/messages": _STORED,
        "POST chat/completions/{}": _STORED,
        "GET conversations/**": _STORED,
        "POST conversations/**": _STORED,
        "GET threads/**": _STORED,
        "POST threads/**": "a run of the Assistants API cannot be followed from here",
        "GET files/{}/content": _BATCH,
        "GET containers/{}/files/{}/content": _BATCH,
        "GET evals/**": _BATCH,
        "POST evals/**": _BATCH,
        "fine_tuning/alpha/graders/run": "it answers with what a model says of an answer",
        "POST decisions/**": "a model decides, and no check here reads its decisions",
        "GET agents/**": _LIVE, "POST agents/**": _LIVE,
        "chatkit/**": _LIVE, "live/**": _LIVE, "realtime/**": _LIVE,
    },
    error=OpenAIChatWire,
)  # fmt: skip
