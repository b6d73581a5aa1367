"""Policies in files: read in three languages, checked by line, shown in full."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from affidavit import Policy
from affidavit.cli import main
from affidavit.cli.schema import schema
from affidavit.errors import PolicyError

Captured = pytest.CaptureFixture[str]
SAME = {
    "policy.toml": 'emit_threshold = 0.9\n[tools.search]\nallow = ["a*"]\n',
    "policy.yaml": "emit_threshold: 0.9\ntools:\n  search:\n    allow: ['a*']\n",
    "policy.yml": "{emit_threshold: 0.9, tools: {search: {allow: ['a*']}}}",
    "policy.json": '{"emit_threshold": 0.9, "tools": {"search": {"allow": ["a*"]}}}',
    "policy": '\ufeff{"emit_threshold": 0.9, "tools": {"search": {"allow": ["a*"]}}}',
}


@pytest.mark.parametrize("name", SAME)
def test_a_policy_reads_the_same_in_every_language(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(SAME[name], encoding="utf-8")
    policy = Policy.load(tmp_path / name)
    assert (policy.emit_threshold, policy.tools["search"].allow) == (0.9, ("a*",))


NAMED = {
    "policy.toml": '"$schema" = "./policy.schema.json"\non_critical = "revise"\n',
    "policy.yaml": "$schema: ./policy.schema.json\non_critical: revise\n",
    "policy.json": '{"$schema": "./policy.schema.json", "on_critical": "revise"}',
}


@pytest.mark.parametrize("name", NAMED)
def test_a_policy_may_name_its_schema_for_editors(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(NAMED[name], encoding="utf-8")
    assert Policy.load(file) == Policy(on_critical="revise")
    validator = jsonschema.Draft202012Validator(schema("policy"))
    assert validator.is_valid(json.loads(NAMED["policy.json"]))
    assert not validator.is_valid({"$schema": "./policy.schema.json", "on_critcal": "revise"})
    file.write_text(NAMED[name].replace("$schema", "schema"), encoding="utf-8")
    with pytest.raises(PolicyError, match="schema: no such key"):
        Policy.load(file)


WRONG = {
    "a key misspelt": ("p.toml", "\nemit_treshold = 0.9\n", "p.toml:2: emit_treshold: no such key; the nearest is emit_threshold"),
    "further inside": ("p.yaml", "probes:\n  requird: true\n", "p.yaml:2: probes.requird: no such key; the nearest is required"),
    "under a name": ("p.json", '{"tools": {"search": {\n"argumets": {}}}}', "p.json:2: tools.search.argumets: no such key; the nearest is arguments"),
    "elsewhere": ("p.toml", "samples = 4\n", "p.toml:1: samples: no such key; there is one at probes.samples"),
    "nothing like it": ("p.toml", "[probes]\ncolour = 4\n", "no such key; there are samples, required"),
    "out of bounds": ("p.toml", "emit_threshold = 7\n", "p.toml:1: emit_threshold: Input should be less than or equal to 1, got 7"),
    "against another": ("p.toml", "block_threshold = 0.9\n", "revise_threshold <= emit_threshold"),
    "broken TOML": ("p.toml", "cite = true\na = \n", "p.toml:2: not valid TOML: Invalid value"),
    "broken YAML": ("p.yaml", "a: [1\n", "p.yaml:2: not valid YAML: "),
    "a key twice": ("p.yaml", "cite: true\ncite: false\n", "p.yaml:2: cite: the key is there twice"),
    "a key twice in JSON": ("p.json", '{"probes": {"samples": 2, "samples": 3}}', "p.json:1: samples: the key is there twice"),
    "a key twice in JSON with escapes": ("p.json", '{"\\u0063ite": true, "\\u0063ite": false}', "p.json: cite: the key is there twice"),
    "a key twice in JSON on two lines": ("p.json", '{"cite": true,\n"cite": false}', "p.json:2: cite: the key is there twice"),
    "a list as a key": ("p.yaml", "? [a, b]\n: 1\n", "p.yaml:1: not valid YAML: found unhashable key"),
    "nested too deeply": ("p.json", "[" * 100_000, "p.json: not readable JSON: it is nested too deeply"),
    "nested too deeply in YAML": ("p.yaml", "[" * 5000, "p.yaml: not readable YAML: it is nested too deeply"),
    "in no language": ("p.ini", "cite = true\n", "a policy is .toml, .yaml or .json, not .ini"),
    "broken JSON": ("p.json", '{\n"a" 1}', "p.json:2: not valid JSON"),
    "no keys": ("p.yaml", "- a\n", "expected keys with values, such as"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text", "told"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_told_by_line_and_nearest_name(
    name: str, text: str, told: str, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError) as error:
        Policy.load(tmp_path / name)
    assert told in str(error.value)
    assert main(["policy", "check", str(tmp_path / name)]) == 2
    assert told in capsys.readouterr().err


def test_faults_are_told_one_a_line_in_the_order_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text("judge:\n  modell: x\nprior: 7\nprobe: {}\n", encoding="utf-8")
    with pytest.raises(PolicyError) as error:
        Policy.load(file)
    lines = str(error.value).splitlines()
    assert [line.split(": ")[0].rpartition(":")[2] for line in lines] == ["2", "3", "4"]


def test_a_policy_that_changes_nothing_is_said_to(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "p.toml").write_text("prior = 0.9875\n", encoding="utf-8")
    assert main(["policy", "check", str(tmp_path / "p.toml")]) == 0
    assert "valid; it changes nothing" in capsys.readouterr().out


def test_check_says_what_a_policy_changes(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "policy.toml"
    file.write_text('on_critical = "revise"\n[probes]\nrequired = true\n', encoding="utf-8")
    assert main(["policy", "check", str(file)]) == 0
    told = capsys.readouterr().out
    assert f"{file}: valid" in told
    assert 'on_critical = "revise"' in told and "probes.required = true" in told
    assert "emit_threshold" not in told
    assert "with no model to ask" in told


@pytest.mark.parametrize("task_type", ["general", "high_stakes", "creative"])
def test_show_prints_a_policy_that_reads_back(task_type: str, capsys: Captured) -> None:
    assert main(["policy", "show", "--task-type", task_type]) == 0
    shown = tomllib.loads(capsys.readouterr().out)
    assert Policy.model_validate(shown) == Policy.model_validate({"task_type": task_type})


def test_show_of_a_file_with_names_of_ones_own(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text("tools: {'mcp__*': {arguments: {address.zip: {entity: false}}}}", "utf-8")
    assert main(["policy", "show", str(file)]) == 0
    assert Policy.model_validate(tomllib.loads(capsys.readouterr().out)) == Policy.load(file)
    assert main(["policy", "show", str(file), "--json"]) == 0
    assert Policy.model_validate(json.loads(capsys.readouterr().out)) == Policy.load(file)


def test_every_key_has_a_description_for_editors() -> None:
    schema = Policy.model_json_schema()
    nodes = [schema, *(schema["$defs"][name] for name in ("ProbePolicy", "Budgets"))]
    missing = [n for node in nodes for n, p in node["properties"].items() if "description" not in p]
    assert missing == []
