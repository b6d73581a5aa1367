"""The guard as a reverse proxy: for agents in any language, whose model's address is all that changes."""

from affidavit.runtimes.adapter import Adapter
from affidavit.runtimes.gateway.app import Upstreams, gateway

__all__ = ["ADAPTER", "Upstreams", "gateway"]

ADAPTER = Adapter(
    name="Gateway, for any language (Anthropic Messages; OpenAI Chat Completions, Responses)",
    package="affidavit[gateway]",
    versions="starlette 1.10",
    use="affidavit gateway",
    notes=("Requests that are signed over their body (Amazon Bedrock's) cannot be asked again",),
)
