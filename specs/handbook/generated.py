"""What the handbook takes from elsewhere when it is built, so that nothing is written twice.

A hook of MkDocs. A page asks for a part in a comment of its own line, ``<!-- generated: NAME -->``; documents, schemas and
examples of ``specs/`` become pages and files of the site, under the names that they link to each other by.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from affidavit import HallucinationReport, Policy, RunTrace
from affidavit.cli.init.snippets import SNIPPETS, Snippet
from affidavit.records.page import render_page
from affidavit.runtimes import ADAPTERS, adapters
from affidavit.runtimes.adapter import Adapter
from affidavit.runtimes.contract import SCENARIOS

SPECS = Path(__file__).parents[1]
ROOT = SPECS.parent
SOURCE = ROOT / "src" / "affidavit"
TAKEN = (
    "*.md", "*.schema.json", "schemas/*", "cases/README.md", "cases/rates.json",
    "examples/*.png", "examples/*.svg", "examples/*.yml", "examples/*.json",
)  # fmt: skip
ASKED = re.compile(r"^<!-- generated: ([a-z ]+) -->$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what the site shows of ``specs/``, and the report of the box office as a page to try."""
    for pattern in TAKEN:
        for path in sorted(SPECS.glob(pattern)):
            name = path.relative_to(SPECS).as_posix()
            files.append(File.generated(config, name, abs_src_path=str(path)))
    box = SPECS / "examples" / "box-office"
    report = HallucinationReport.model_validate_json((box / "report.json").read_text("utf-8"))
    trace = RunTrace.model_validate_json((box / "run.json").read_text("utf-8"))
    page = render_page(report, trace)
    files.append(File.generated(config, "examples/report.html", content=page))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put in the parts that a page asks for."""
    return ASKED.sub(lambda asked: PARTS[asked[1]](), markdown)


def policy_keys() -> str:
    """The keys of a policy by table, from the schema of the model."""
    schema = Policy.model_json_schema()
    parts = ["\n".join(_keys(schema))]
    for name, table in schema["$defs"].items():
        about = _markdown(table["description"])
        parts.append(f"### {name}\n\n{about}\n\n" + "\n".join(_keys(table)))
    return "\n\n".join(parts)


def _keys(table: Mapping[str, Any]) -> Iterator[str]:
    yield "| key | values | default | what it means |\n|---|---|---|---|"
    for name, told in table["properties"].items():
        about = " ".join(_markdown(told.get("description", "")).split())
        cells = (f"`{name}`", _values(told), _default(told), about)
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _values(told: Mapping[str, Any]) -> str:
    if "$ref" in told:
        name = told["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in told:
        return " ".join(f"`{value}`" for value in told["enum"])
    if "anyOf" in told:
        return " or ".join(_values(one) for one in told["anyOf"] if one.get("type") != "null")
    match told["type"]:
        case "array":
            return f"list of {_values(told['items'])}s"
        case "object":
            return f"name to {_values(told['additionalProperties'])}"
        case plain:
            return " ".join([str(plain), *_bounds(told)])


def _bounds(told: Mapping[str, Any]) -> Iterator[str]:
    words = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    for key, sign in words.items():
        if key in told:
            yield f"{sign} {told[key]}"


def _default(told: Mapping[str, Any]) -> str:
    if "$ref" in told:
        return "its own"
    default = told.get("default")
    if default in (None, [], {}):
        return "none"
    return f"`{json.dumps(default)}`"


def task_types() -> str:
    """What each task type changes of the defaults."""
    plain = _flat(Policy().model_dump(mode="json"))
    lines = ["| key | `general` | `high_stakes` | `creative` |", "|---|---|---|---|"]
    others = [
        _flat(Policy.model_validate({"task_type": name}).model_dump(mode="json"))
        for name in ("high_stakes", "creative")
    ]
    for key, value in plain.items():
        told = [value, *(other[key] for other in others)]
        if key != "task_type" and any(one != value for one in told):
            lines.append(f"| `{key}` | {' | '.join(f'`{json.dumps(one)}`' for one in told)} |")
    return "\n".join(lines)


def _flat(told: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in told.items():
        if isinstance(value, dict) and value:
            flat |= _flat(value, f"{above}{key}.")
        else:
            flat[f"{above}{key}"] = value
    return flat


def contract() -> str:
    """What every adapter is tested for."""
    return "\n".join(f"- {_words(name)}" for name in SCENARIOS)


def adapter_sections() -> str:
    """Each adapter as it describes itself, with the lines that put it in."""
    modules = dict(zip((adapter.name for adapter in adapters()), ADAPTERS, strict=False))
    return "\n\n".join(_adapter(one, modules.get(one.name)) for one in adapters())


def _adapter(adapter: Adapter, module: str | None) -> str:
    of = {package: name for name, told in SNIPPETS.items() for package in told.packages}
    name = module or of[adapter.package]
    lines = [f"### {adapter.name}", _installs(adapter), _code(adapter, name, SNIPPETS.get(name))]
    lines.append(_markdown(_docstring(name).partition("\n")[2]).strip())
    lacks = [f"- not: {_words(what)} ({why})" for what, why in adapter.cannot.items()]
    lines.append("\n".join([*lacks, *(f"- {note.rstrip('.')}" for note in adapter.notes)]))
    return "\n\n".join(filter(None, lines))


def _installs(adapter: Adapter) -> str:
    told = f"Run under the contract with `{adapter.package}`, {adapter.versions}."
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    for extra, needed in extras.items():
        if adapter.package in (f"affidavit[{extra}]", *(re.split(r"[>=<[]", n)[0] for n in needed)):
            return f"{told} Its extra is `affidavit[{extra}]`."
    return told


def _code(adapter: Adapter, module: str, snippet: Snippet | None) -> str:
    if snippet is None:
        return f"```\n{adapter.use}\n```"
    return (
        "```py\nfrom affidavit import Detector\n"
        f"from affidavit.runtimes.{module} import {snippet.name}\n\n"
        f"detector = Detector()\n{adapter.use}\n```"
    )


def _docstring(module: str) -> str:
    """What a module says of itself, read without its framework."""
    plain = SOURCE / "runtimes" / f"{module}.py"
    path = plain if plain.exists() else SOURCE / "runtimes" / module / "__init__.py"
    return ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""


def _words(scenario: str) -> str:
    return scenario.replace("_", " ")


def figures() -> str:
    """The table of figures of the README."""
    text = (ROOT / "README.md").read_text("utf-8")
    section = text.partition("\n## Figures\n")[2].partition("\n## ")[0]
    return "\n".join(line for line in section.splitlines() if line.startswith("|"))


def _markdown(text: str) -> str:
    """A docstring's reStructuredText as Markdown: literals, literal blocks and references."""
    text = re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", text)
    return re.sub(r"::$", ":", text.replace("``", "`"), flags=re.MULTILINE)


PARTS: dict[str, Callable[[], str]] = {
    "policy keys": policy_keys,
    "task types": task_types,
    "contract": contract,
    "adapters": adapter_sections,
    "figures": figures,
}
