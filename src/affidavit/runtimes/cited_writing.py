"""Telling whoever asks for citations that an adapter cannot ask the model for them."""

from __future__ import annotations

import logging

from affidavit.guard import AnswerChecker, GuardOptions

_log = logging.getLogger("affidavit.runtimes")

NO_CITED_WRITING = {
    "it_cites_as_it_writes_and_the_user_does_not_see_it": (
        "the guard cannot add to the system prompt; put `affidavit.guard.CITE_AS_YOU_WRITE` there yourself"
    )
}
"""For adapters whose runtime makes the system prompt without them."""


def warn_of_cite(adapter: str, detector: AnswerChecker, options: GuardOptions) -> None:
    """Log a warning, once an adapter is made, where it is told to ``cite`` and cannot see to it."""
    cite = options.get("cite")
    if (detector.policy.cite if cite is None else cite) and not options.get("shadow"):
        (why,) = NO_CITED_WRITING.values()
        _log.warning("cite: in %s, %s", adapter, why)
