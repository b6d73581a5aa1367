"""Telling whoever asks for citations that an adapter cannot ask the model for them."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from affidavit.guard import AnswerChecker, GuardOptions

_log = logging.getLogger("affidavit.runtimes")

_SCENE = "it_cites_as_it_writes_and_the_user_does_not_see_it"
NO_CITED_WRITING = {
    _SCENE: "the guard cannot add to the system prompt; put `affidavit.guard.CITE_AS_YOU_WRITE` there yourself"
}
"""For adapters whose runtime makes the system prompt without them."""


def warn_of_cite(
    adapter: str,
    detector: AnswerChecker,
    options: GuardOptions,
    cannot: Mapping[str, str] = NO_CITED_WRITING,
) -> None:
    """Log a warning, once an adapter is made, where it is told to ``cite`` and cannot see to it, with the reason that is
    among what it ``cannot``."""
    cite = options.get("cite")
    if (detector.policy.cite if cite is None else cite) and not options.get("shadow"):
        _log.warning("cite: in %s, %s", adapter, cannot[_SCENE])
