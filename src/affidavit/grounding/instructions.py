"""What each state tells the model to do, in the result itself: it is read right before the answer.

A rule of the system prompt is far away by then, and an empty result says nothing at all.
"""

from __future__ import annotations

from affidavit.grounding.faults import FaultKind

SUCCESS = (
    "Answer from this result and from nothing else. Name where each statement comes from; where rows "
    "are numbered, cite them inline like [1]."
)
LOW_RELEVANCE = (
    "This may not be what was asked for. Use it only as far as it answers the question, tell the user that "
    "the answer may not be accurate, and suggest how to make the question more precise. Do not complete "
    "it from your own knowledge."
)
NOT_FOUND = (
    "Nothing was found. Do not answer from your own knowledge, and state no figures, dates, names or terms "
    "in its place. Tell the user that the information could not be found, and suggest to make the question "
    "more precise or to ask a person in charge."
)
_FAULTS: dict[FaultKind, str] = {
    "timeout": (
        "The source did not answer in time. Tell the user that it cannot be reached at the moment and "
        "suggest to try again later."
    ),
    "rate_limit": (
        "The source takes no more requests for now. Do not call it again{again}. Tell the user that it is "
        "busy and suggest to try again {later}."
    ),
    "authorization": (
        "The source does not allow this access, and calling it again will not change that. Tell the user that "
        "you have no access to this information and refer them to whoever can grant it."
    ),
    "configuration": (
        "The source is not set up, and calling it again will not change that. Tell the user that this "
        "lookup is not available here."
    ),
    "unavailable": (
        "The source cannot be reached. Tell the user that it is temporarily unavailable and suggest to try "
        "again {later}."
    ),
    "bad_request": (
        "The source did not accept the request. Correct the arguments if you can see what is wrong with them; "
        "otherwise tell the user that the lookup did not work."
    ),
    "internal": "The lookup failed. Tell the user that a technical problem kept you from looking it up.",
}
_NEVER = (
    " Do not answer from your own knowledge instead, state no figures or facts in its place, and speak of no "
    "technical details."
)


def of_fault(kind: FaultKind, retry_after: float | None = None) -> str:
    """What to do when a call failed; ``retry_after`` in seconds, where the source says it."""
    again, later = "", "later"
    if retry_after is not None:
        again, later = f" before {retry_after:g} seconds have passed", f"in {retry_after:g} seconds"
    return _FAULTS[kind].replace("{again}", again).replace("{later}", later) + _NEVER
