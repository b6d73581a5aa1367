"""LiteLLM's proxy: a guardrail that checks what any of its models says, in two wire formats.

In the proxy's configuration::

    guardrails:
      - guardrail_name: affidavit
        litellm_params:
          guardrail: affidavit.runtimes.litellm.AffidavitGuardrail
          mode: post_call
          default_on: true
          policy: policy.toml   # optional
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affidavit.errors import MissingExtra
from affidavit.runtimes.adapter import Adapter

if TYPE_CHECKING:
    from affidavit.runtimes.litellm.guardrail import AffidavitGuardrail as AffidavitGuardrail

ADAPTER = Adapter(
    name="LiteLLM proxy (Chat Completions, Anthropic Messages)",
    package="litellm",
    versions="1.106",
    use="guardrail: affidavit.runtimes.litellm.AffidavitGuardrail",
    cannot={
        "it_cites_as_it_writes_and_the_user_does_not_see_it": "the proxy has asked the model by then; put `affidavit.guard.CITE_AS_YOU_WRITE` into the system prompt yourself"
    },
    notes=("A streamed response of the Responses API is answered with an error.",),
)


def __getattr__(name: str) -> Any:
    if name != "AffidavitGuardrail":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from affidavit.runtimes.litellm.guardrail import AffidavitGuardrail
    except ImportError as error:
        raise MissingExtra("litellm", "litellm") from error
    return AffidavitGuardrail
