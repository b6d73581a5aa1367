"""Stage 1: every tool call is checked against its schema and for where its arguments came from."""

from affidavit.stages.verify.declarations import (
    is_openapi,
    openapi_tools,
    tool_definition,
    tool_definitions,
)
from affidavit.stages.verify.feedback import call_feedback
from affidavit.stages.verify.run import verify_run
from affidavit.stages.verify.verifier import CallVerifier

__all__ = [
    "CallVerifier",
    "call_feedback",
    "is_openapi",
    "openapi_tools",
    "tool_definition",
    "tool_definitions",
    "verify_run",
]
