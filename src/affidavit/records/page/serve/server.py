"""The log's pages over HTTP, for a browser on this machine.

Three things keep other pages in the same browser out: requests must name a host that was allowed (a
foreign name that was made to resolve here is refused), a review must carry the token of a form of
ours, and what is served may not be framed, run, or read from elsewhere.
"""

from __future__ import annotations

import hmac
import logging
import re
import secrets
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast
from urllib.parse import parse_qsl, urlsplit

from affidavit.errors import AffidavitError, LogError
from affidavit.records.page.serve.pages import trouble_page
from affidavit.records.page.serve.site import Response, Site
from affidavit.records.runlog import ReviewKey, RunLog

_log = logging.getLogger("affidavit.log")

LOCAL = ("localhost", "127.0.0.1", "::1")
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::\d{1,5})?\Z", re.ASCII)
LONGEST_FORM = 64 * 1024
"""Bytes of a form."""

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class LogServer(ThreadingHTTPServer):
    """Serves one log. ``hosts`` are the names it answers to besides those of this machine."""

    daemon_threads = True

    def __init__(
        self,
        log: RunLog,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        hosts: Iterable[str] = (),
        key: ReviewKey | None = None,
        reviewer: str = "",
    ) -> None:
        self.token = secrets.token_urlsafe(32)
        self.site = Site(log, token=self.token, key=key, reviewer=reviewer)
        self.hosts = frozenset(name.casefold() for name in (*LOCAL, *hosts))
        super().__init__((host, port), _Handler)

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        host = str(self.server_address[0])
        return f"http://{'localhost' if host in LOCAL else host}:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    timeout = 30  # seconds that a browser may be silent
    server_version = "affidavit"
    sys_version = ""

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_HEAD(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def _answer(self, make: Callable[[], Response]) -> None:
        try:
            response = (
                make()
                if self._host_is_ours()
                else _trouble(403, "Refused", "This name is not one the server answers to.")
            )
        except LogError as error:
            response = _trouble(
                400, "That cannot be shown", f"{str(error)[:1].upper()}{str(error)[1:]}."
            )
        except AffidavitError as error:
            response = _trouble(500, "That cannot be shown", str(error))
        except Exception:
            _log.exception("a page could not be made")
            response = _trouble(
                500,
                "Something went wrong",
                "The page could not be made; the log of the server says why.",
            )
        self._send(response)

    def _get(self) -> Response:
        split = urlsplit(self.path)
        found = self._server.site.get(split.path, dict(parse_qsl(split.query)))
        return found or _trouble(404, "Nothing here", "There is no such page.")

    def _post(self) -> Response:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LONGEST_FORM:
            self.close_connection = True
            return _trouble(413, "Refused", "The form is too long.")
        given = self.rfile.read(int(length)).decode("utf-8", "replace")
        fields = dict(parse_qsl(given, keep_blank_values=True))
        # Browsers say where a request comes from; only programs, which cannot be tricked, may not.
        foreign = self.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none")
        if foreign or not hmac.compare_digest(
            fields.get("token", "").encode(), self._server.token.encode()
        ):
            return _trouble(
                403,
                "Refused",
                "The form is not one of this server's, or is from before it was started anew.",
            )
        found = self._server.site.post(urlsplit(self.path).path, fields)
        return found or _trouble(404, "Nothing here", "Nothing is taken here.")

    def _host_is_ours(self) -> bool:
        named = _HOST.match(self.headers.get("Host", ""))
        return named is not None and named[1].strip("[]").casefold() in self._server.hosts

    @property
    def _server(self) -> LogServer:
        return cast("LogServer", self.server)

    def _send(self, response: Response) -> None:
        body = response.body.encode("utf-8", "replace")
        self.send_response(response.status)
        for name, value in {**HEADERS, **response.headers}.items():
            self.send_header(name, value)
        if response.location:
            self.send_header("Location", response.location)
        self.send_header("Content-Type", response.kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        _log.debug(format, *args)


def _trouble(status: int, title: str, words: str) -> Response:
    return Response(status, trouble_page(title, words))
