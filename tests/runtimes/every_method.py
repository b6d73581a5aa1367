"""Calls every method of an SDK's client once, with whatever arguments it takes."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

# Arguments by name, where anything at all would not do.
_KNOWN: dict[str, Any] = {
    "messages": [{"role": "user", "content": "Hi."}],
    "max_tokens": 9,
    "model": "m",
    "tools": [],
    "requests": [],
    "prompt": "Hi.",
    "input": "Hi.",
    "contents": "Hi.",
    "response_id": "r1",
}
_ALWAYS = ("model", "input")
_TRIED: tuple[Any, ...] = ("x", ["x"], {"a": "x"}, b"x", 1)


def methods(client: Any, package: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public methods of all resources below ``client``, by their dotted names."""
    yield from _below(client, "", package, ())


def _below(
    resource: Any, name: str, package: str, above: tuple[type, ...]
) -> Iterator[tuple[str, Callable[..., Any]]]:
    above = (*above, type(resource))
    for attribute in sorted(dir(type(resource))):
        if attribute.startswith(("_", "with_")):
            continue
        dotted = f"{name}.{attribute}" if name else attribute
        static = inspect.getattr_static(type(resource), attribute)
        if inspect.isfunction(static):
            if name:
                yield dotted, getattr(resource, attribute)
            continue
        inner = getattr(resource, attribute, None)
        if type(inner).__module__.startswith(package) and type(inner) not in above:
            yield from _below(inner, dotted, package, above)


def call(method: Callable[..., Any], asked: list[Any]) -> Exception | None:
    """Call a method, and what it returns if it waits for that, until something has been ``asked``.

    Returns what it raised last.
    """
    raised: Exception | None = None
    for value in _TRIED:
        arguments = {
            name: _KNOWN.get(name, "xid" if name.endswith("_id") else value)
            for name, parameter in inspect.signature(method).parameters.items()
            if (parameter.default is inspect.Parameter.empty or name in _ALWAYS)
            and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
        }
        try:
            _use(method(**arguments))
            raised = None
        except Exception as error:
            raised = error
        if asked or raised is None or "affidavit" in str(raised) or "guarded client" in str(raised):
            break
    return raised


def _use(returned: Any) -> None:
    """Connections, streams and agent loops ask only when they are used."""
    if hasattr(returned, "__enter__") and not hasattr(returned, "status_code"):
        with returned as entered:
            _drawn(entered)
    else:
        _drawn(returned)


def _drawn(returned: Any) -> None:
    if hasattr(returned, "__next__"):
        next(returned, None)
