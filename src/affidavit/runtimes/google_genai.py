"""Google GenAI SDK: options for a client whose every answer and tool call is checked.

    client = genai.Client(http_options=guarded_http_options(Detector()))

``models``, ``chats`` and automatic function calling, streamed or not, synchronous and asynchronous, of
the Gemini API or Vertex AI: all of their ``generateContent`` requests pass one place, and that is where
the guard stands. Interactions and the answers of batches are refused, and so are live sessions, which go over
WebSockets of the SDK's own, past its HTTP clients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, Unpack

from affidavit.errors import AffidavitError, MissingExtra
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.runtimes.adapter import Adapter
from affidavit.runtimes.google_routes import ROUTES
from affidavit.runtimes.own_model import tell_of_judge
from affidavit.runtimes.transport import (
    NO_WEBSOCKETS,
    Paths,
    guarded_http,
    refuses_websockets,
)

if TYPE_CHECKING:
    from google.genai.types import HttpOptions

ADAPTER = Adapter(
    name="Google GenAI SDK",
    package="google-genai",
    versions="3.4, 2.34",
    use="client = genai.Client(http_options=guarded_http_options(detector))",
    notes=("interactions, the answers of batches and live sessions are refused",),
)

_NO_LIMIT = None  # the SDK sends each request with the timeout it is given


def guarded_http_options(
    detector: AnswerChecker,
    http_options: Any = None,
    *,
    allow_unguarded: Iterable[str] = (),
    **options: Unpack[GuardOptions],
) -> HttpOptions:
    """``http_options``, or the SDK's own, with the guard in its HTTP clients.

    A turn whose calls do not pass is answered with what is wrong and asked again, within the policy's
    ``max_call_retries``; a draft that does not pass likewise, within ``max_revisions``. A path of the API
    whose answers cannot be checked is refused; ``allow_unguarded`` lists those that may go past the guard, or has
    ``"websocket"`` for live sessions.
    """
    try:
        types = import_module("google.genai.types")
    except ImportError as error:
        raise MissingExtra("google-genai", "google-genai") from error
    tell_of_judge("Google GenAI SDK", detector)
    _watch_live_sessions()
    given = types.HttpOptions.model_validate(http_options or {})
    library = _http_library()
    inner = given.httpx_client or library.Client(follow_redirects=True, timeout=_NO_LIMIT)
    inner_async = given.httpx_async_client or library.AsyncClient(
        follow_redirects=True, timeout=_NO_LIMIT
    )
    paths = Paths(lambda _: ROUTES, allow_unguarded=tuple(allow_unguarded))
    update = {
        "httpx_client": guarded_http(inner, paths, detector, options),
        "httpx_async_client": guarded_http(inner_async, paths, detector, options),
    }
    guarded_options: HttpOptions = given.model_copy(update=update)
    return guarded_options


_LIVE = (("google.genai.live", "AsyncLive"), ("google.genai.live_music", "AsyncLiveMusic"))


def _watch_live_sessions() -> None:
    """Have the SDK ask, when a live session is opened, whether its client is guarded. Options reach a client's HTTP
    alone, so that the question is put where all clients open their connections; of others it changes nothing."""
    for module, name in _LIVE:
        try:
            sessions = getattr(import_module(module), name)
        except (ImportError, AttributeError):
            continue  # a version without them
        if not hasattr(sessions.connect, _WATCHED):
            sessions.connect = _unless_guarded(sessions.connect)


def _unless_guarded(connect: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(connect)
    def connected(self: Any, *arguments: Any, **named: Any) -> Any:
        if refuses_websockets(self._api_client._http_options.httpx_async_client):
            raise AffidavitError(NO_WEBSOCKETS)
        return connect(self, *arguments, **named)

    setattr(connected, _WATCHED, True)
    return connected


_WATCHED = "_affidavit_watches"


def _http_library() -> Any:
    """The HTTP library that the SDK is built on: recent ones take httpx2, those before httpx."""
    try:
        return import_module("httpx2")
    except ImportError:
        return import_module("httpx")
