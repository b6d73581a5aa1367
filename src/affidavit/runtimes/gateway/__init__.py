"""The guard as a reverse proxy: for agents in any language, whose model's address is all that changes."""

from affidavit.runtimes.adapter import Adapter
from affidavit.runtimes.gateway.app import Upstreams, gateway

__all__ = ["ADAPTER", "Upstreams", "gateway"]

ADAPTER = Adapter(
    name="Gateway, for any language (Anthropic Messages; OpenAI Chat Completions, Responses)",
    package="affidavit[gateway]",
    versions="starlette 1.10",
    use="affidavit gateway",
    notes=(
        "requests that are signed over their body (Amazon Bedrock's) cannot be asked again",
        "requests of one run are known by the header x-affidavit-run; others stand by themselves",
    ),
)
