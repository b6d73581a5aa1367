"""``affidavit policy``: a policy file checked, or a policy shown in full."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import Any

from affidavit.cli.terminal import console
from affidavit.policy import Policy


def run(arguments: argparse.Namespace) -> int:
    return _check(arguments) if arguments.verb == "check" else _show(arguments)


def _check(arguments: argparse.Namespace) -> int:
    policy = Policy.load(arguments.file)
    screen = console()
    plain = Policy().model_dump(mode="json")
    changed = list(_changed(policy.model_dump(mode="json"), plain))
    screen.print(f"{arguments.file}: valid{'' if changed else '; it changes nothing'}")
    for path, value in changed:
        screen.print(f"  {path} = {_toml(value)}")
    if policy.probes.required:
        screen.print(
            "  probes are required: with no model to ask (Detector(model=…)), every answer with "
            "critical claims is stopped",
            style="yellow",
        )
    return 0


def _show(arguments: argparse.Namespace) -> int:
    if arguments.file is not None:
        policy = Policy.load(arguments.file)
    else:
        policy = Policy(task_type=arguments.task_type or "general")
    told = policy.model_dump(mode="json")
    print(json.dumps(told, indent=2) if arguments.json else "\n".join(as_toml(told)))
    return 0


def _changed(
    told: Mapping[str, Any], plain: Mapping[str, Any], above: str = ""
) -> Iterator[tuple[str, Any]]:
    """What differs from the defaults, by whole path."""
    for key, value in told.items():
        path = f"{above}{_key(key)}"
        if isinstance(value, dict) and isinstance(plain.get(key), dict) and plain[key]:
            yield from _changed(value, plain[key], f"{path}.")
        elif value != plain.get(key):
            yield path, value


def as_toml(told: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[str]:
    """A policy as the lines of a TOML file; what is not set stands in a comment."""
    tables = {key: value for key, value in told.items() if isinstance(value, dict)}
    for key, value in told.items():
        if key not in tables:
            yield f"# {_key(key)} is not set" if value is None else f"{_key(key)} = {_toml(value)}"
    for key, inner in tables.items():
        path = (*above, key)
        yield ""
        yield f"[{'.'.join(map(_key, path))}]"
        yield from as_toml(inner, path)


def _key(name: str) -> str:
    plain = name.replace("_", "").replace("-", "").isalnum() and name.isascii()
    return name if plain else json.dumps(name)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items() if v is not None)
        return f"{{ {inner} }}" if inner else "{}"
    # JSON's strings, numbers, booleans and lists are TOML's.
    return json.dumps(value, ensure_ascii=False)
