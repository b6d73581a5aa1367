"""Policies in files: read from JSON, TOML or YAML, and what is wrong with one, by line and nearest name."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from affidavit._each_once import each_once
from affidavit.errors import PolicyError

_ENDINGS = {".toml": "TOML", ".yaml": "YAML", ".yml": "YAML", ".json": "JSON", "": "JSON"}

_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")


def read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise PolicyError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise PolicyError(f"{file}: not UTF-8: byte {error.start}") from error


def parse(file: Path, text: str) -> Any:
    """What the file says, by the ending of its name; JSON where it has none."""
    kind = _ENDINGS.get(file.suffix.lower())
    if kind is None:
        raise PolicyError(f"{file}: a policy is .toml, .yaml or .json, not {file.suffix}")
    try:
        match kind:
            case "TOML":
                data = tomllib.loads(text)
            case "YAML":
                data = _yaml(file, text)
            case _:
                data = json.loads(
                    text, object_pairs_hook=each_once(lambda key: _twice(file, text, key))
                )
    except json.JSONDecodeError as error:
        raise PolicyError(f"{file}:{error.lineno}: not valid JSON: {error.msg}") from error
    except tomllib.TOMLDecodeError as error:
        at = _TOML_LINE.search(str(error))
        why = str(error)[: at.start()].rstrip() if at else str(error)
        line = int(at[1]) if at else text.count("\n") + 1
        raise PolicyError(f"{file}:{line}: not valid TOML: {why}") from error
    except RecursionError as error:
        raise PolicyError(f"{file}: not readable {kind}: it is nested too deeply") from error
    if not text.strip():
        return {}
    if not isinstance(data, Mapping):
        raise PolicyError(f"{file}: expected keys with values, such as `on_critical: revise`")
    # Its schema is named for editors.
    return {key: value for key, value in data.items() if key != "$schema"}


def _twice(file: Path, text: str, key: str) -> PolicyError:
    """The error of a JSON key that stands twice, with the line of the second where the file has no third."""
    quoted = json.dumps(key, ensure_ascii=False)
    hits = [n for n, line in enumerate(text.splitlines(), 1) if quoted in line]
    # None where the file writes it with escapes.
    place = f"{file}:{hits[-1]}" if 0 < len(hits) <= 2 else str(file)
    return PolicyError(f"{place}: {key}: the key is there twice")


def _yaml(file: Path, text: str) -> Any:
    import yaml

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        """YAML lets a key stand twice, and the last one hold; TOML does not, and neither does a policy."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            seen = set[Any]()
            for key, _ in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    continue  # refused below
                if key.value in seen:
                    line = key.start_mark.line + 1
                    raise PolicyError(f"{file}:{line}: {key.value}: the key is there twice")
                seen.add(key.value)
            return super().construct_mapping(node, deep)

    try:
        return yaml.load(text, Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{file}:{mark.line + 1}" if mark else str(file)
        why = getattr(error, "problem", None) or " ".join(str(error).split())
        raise PolicyError(f"{where}: not valid YAML: {why}") from error


def told_all(
    errors: Sequence[Mapping[str, Any]], file: Path, text: str, schema: Mapping[str, Any]
) -> str:
    """The faults of a policy in the order of the file, one a line."""
    lines = [(_line(text, [str(step) for step in error["loc"]]) or 0, error) for error in errors]
    ordered = sorted(lines, key=lambda one: one[0])
    return "\n".join(told(error, file, text, schema) for _, error in ordered)


def told(error: Mapping[str, Any], file: Path, text: str, schema: Mapping[str, Any]) -> str:
    """One fault of a policy, as pydantic found it, for the person who wrote the file."""
    steps = [str(step) for step in error["loc"]]
    line = _line(text, steps)
    place = f"{file}:{line}" if line else str(file)
    path = ".".join(steps) or "policy"
    if error["type"] != "extra_forbidden":
        got = "" if isinstance(error.get("input"), Mapping) else f", got {error.get('input')!r}"
        return f"{place}: {path}: {error['msg'].removeprefix('Value error, ')}{got}"
    return f"{place}: {path}: no such key; {_nearest(steps, schema)}"


def _line(text: str, steps: Sequence[str]) -> int | None:
    """The line where the last of the keys stands, looked for after the ones it is under."""
    lines = text.splitlines()
    at, found = 0, None
    for step in steps:
        key = re.compile(rf"(?<![\w-])[\"']?{re.escape(step)}[\"']?\s*([=:]|[\].])")
        hit = next((n for n in range(at, len(lines)) if key.search(lines[n])), None)
        if hit is not None:
            at, found = hit, hit + 1
    return found


def _nearest(steps: Sequence[str], schema: Mapping[str, Any]) -> str:
    here = _fields(schema, steps[:-1])
    if close := difflib.get_close_matches(steps[-1], here, n=1, cutoff=0.6):
        return f"the nearest is {close[0]}"
    paths = dict(_paths(schema, schema, ()))
    exact = [path for path, name in paths.items() if name == steps[-1]]
    if exact:
        return f"there is one at {exact[0]}"
    if close := difflib.get_close_matches(steps[-1], list(paths.values()), n=1, cutoff=0.75):
        return f"the nearest is {next(path for path, name in paths.items() if name == close[0])}"
    return "there are " + ", ".join(here)


def _fields(schema: Mapping[str, Any], steps: Sequence[str]) -> list[str]:
    """The names that the schema has under some keys."""
    node = _resolved(schema, schema)
    for step in steps:
        inner = node.get("properties", {}).get(step, node.get("additionalProperties"))
        node = _resolved(inner, schema) if isinstance(inner, Mapping) else {}
    return list(node.get("properties", ()))


def _paths(
    node: Mapping[str, Any], schema: Mapping[str, Any], above: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """Every key by its whole path; a name of one's own is written as NAME."""
    node = _resolved(node, schema)
    for name, inner in node.get("properties", {}).items():
        yield ".".join((*above, name)), name
        yield from _paths(inner, schema, (*above, name))
    inner = node.get("additionalProperties")
    if isinstance(inner, Mapping):
        yield from _paths(inner, schema, (*above, "NAME"))


def _resolved(node: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" in node:
        return _resolved(schema["$defs"][node["$ref"].rpartition("/")[2]], schema)
    return node
