"""The shell of every page: a document that runs nothing but its own script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from affidavit.records.page.markup import Markup, el, join, verbatim


def document(
    title: str,
    body: Markup,
    *more: Markup,
    styles: Sequence[str] = ("page.css",),
    script: str = "page.js",
    forms: str = "'none'",
    referrer: str = "no-referrer",
) -> str:
    """A document with styles and script of this package, and the policy that lets nothing else run.

    ``forms`` says where its forms may be sent, as Content-Security-Policy has it. A document from a
    file has none.
    """
    style, code = "\n".join(map(asset, styles)), asset(script)
    head = el(
        "head",
        None,
        el("meta", {"charset": "utf-8"}),
        el(
            "meta", {"http-equiv": "Content-Security-Policy", "content": policy(style, code, forms)}
        ),
        el("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        el("meta", {"name": "referrer", "content": referrer}),
        el("meta", {"name": "color-scheme", "content": "light dark"}),
        el("title", None, title),
        verbatim("style", style, {}),
    )
    end = join(*more, verbatim("script", code, {}))
    html = el("html", {"lang": "en"}, head, el("body", None, body, end))
    return f"<!doctype html>\n{html}\n"


def policy(style: str, script: str, forms: str) -> str:
    """A Content-Security-Policy by the digests of what may run."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        f"base-uri 'none'; form-action {forms}"
    )


@cache
def asset(name: str) -> str:
    """A style sheet or script of the page."""
    return files("affidavit.records.page").joinpath("assets", name).read_text(encoding="utf-8")


def _digest(source: str) -> str:
    digest = hashlib.sha256(source.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")
