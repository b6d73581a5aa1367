"""The commands and their arguments. Each command's module is imported when it is run."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from affidavit import __version__
from affidavit.cli.knowledge_arguments import add_knowledge
from affidavit.cli.log_arguments import add_log
from affidavit.cli.taken_arguments import (
    count,
    location,
    take_every_turn,
    take_files_for_ci,
    take_judge,
    take_log,
    take_policy,
    take_tools,
)
from affidavit.cli.tune_arguments import add_shadow, add_tune

Command = Callable[[argparse.Namespace], int]


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="affidavit",
        description="Checks each claim of an agent's answer against the run's own tool results.",
    )
    top.add_argument("--version", action="version", version=f"affidavit {__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for add in (
        _check, _report, _audit, _audit_compare, _audit_replay, _tune, _shadow, _log, _doctor, _knowledge, _conformance, _model, _policies, _schema, _demo, _init, _hook,
        _daemon, _mcp_proxy, _gateway,
    ):  # fmt: skip
        add(commands)
    return top


def joined(argv: Sequence[str]) -> list[str]:
    """Arguments with a command of two words in one: ``audit`` takes arguments of its own, too."""
    words = [*argv]
    two = words[:1] == ["audit"] and words[1:2] in (["compare"], ["replay"])
    return [" ".join(words[:2]), *words[2:]] if two else words


def _lazily(module: str) -> Command:
    def run(arguments: argparse.Namespace) -> int:
        return int(import_module(f"affidavit.cli.{module}").run(arguments))

    return run


_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _add(commands: _Commands, name: str, about: str, epilog: str = "") -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=about, description=about, epilog=epilog)
    command.set_defaults(run=_lazily(re.sub(r"[- ]", "_", name)))
    return command


def _check(commands: _Commands) -> None:
    command = _add(
        commands,
        "check",
        "Judge one recorded run: each claim of its answer with its evidence, and the decision.",
        "Exit code: 0 emit, 3 revise, 4 block, 2 bad input.",
    )
    command.add_argument("file", metavar="RUN.json", help="the run; - for standard input")
    command.add_argument("--json", action="store_true", help="print the report as JSON")
    take_tools(command, "for a run that carries none")
    take_policy(command)
    take_judge(command)
    take_every_turn(command)
    take_files_for_ci(command)
    take_log(command)


def _report(commands: _Commands) -> None:
    command = _add(
        commands,
        "report",
        "Show a report to read: judge a run, or take a report that was written before, and render it "
        "at the terminal or as one self-contained HTML page.",
        "Exit code: 0 written, 2 bad input.",
    )
    command.add_argument(
        "file", metavar="RUN_OR_REPORT.json", help="a run, or a report; - for standard input"
    )
    command.add_argument("--html", action="store_true", help="write a page")
    command.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        help="where the page is written; standard output if absent",
    )
    command.add_argument(
        "--run",
        dest="trace",
        metavar="RUN.json",
        type=Path,
        help="the run that a given report is about, to show each claim inside its evidence",
    )
    take_policy(command)


def _audit(commands: _Commands) -> None:
    command = _add(
        commands,
        "audit",
        "Judge many recorded runs on all cores. Started again, it goes on where it was interrupted; a "
        "record that has changed since is judged anew.",
        "`affidavit audit compare A B` holds two audits against each other; `affidavit audit replay A` "
        "puts one under another policy. "
        "Exit code: 0 all runs were judged, 1 some could not be, 2 bad input; with --fail-on 3 or 4.",
    )
    command.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="+",
        help="files, folders or patterns, by path or by URL (s3://, gs://, file://): JSON Lines and JSON (also .gz, "
        ".zst), Parquet, Arrow",
    )
    command.add_argument(
        "--out",
        metavar="FOLDER",
        type=location,
        required=True,
        help="where reports, a table of claims and the summary are written; a name such as "
        "reports.jsonl: reports only, one a line; a URL too: what could not be copied there is sent by the same "
        "command given again",
    )
    command.add_argument(
        "--jobs", metavar="N", type=count, help="processes (default: the cores); 0: in this one"
    )
    command.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=float,
        default=600.0,
        help="a run that takes longer is set aside (default %(default)g; 0: never)",
    )
    command.add_argument(
        "--ray",
        metavar="ADDRESS",
        nargs="?",
        const="",
        help="judge on a Ray cluster: the one at ADDRESS, or else the one that RAY_ADDRESS names or that runs "
        "here, or a new one of this machine alone; --jobs is then the number of actors (default: the "
        "cluster's CPUs). Inputs by path are read here, by URL on the nodes",
    )
    command.add_argument(
        "--gpu",
        action="store_true",
        help="with --ray: a GPU for each actor, and torch for the policy's cross-encoder",
    )
    command.add_argument("--retry", action="store_true", help="try again what was set aside before")
    command.add_argument(
        "--fail-on",
        choices=("revise", "block"),
        help="exit with 3 or 4, as check does, where an answer came to this action or to a worse one",
    )
    command.add_argument(
        "--parquet", action="store_true", help="write reports.parquet and claims.parquet too"
    )
    command.add_argument(
        "--summary",
        metavar="FILE",
        type=Path,
        action="append",
        help="write the figures there: .html, .json or .csv",
    )
    take_tools(command, "for runs that carry none")
    command.add_argument(
        "--system", metavar="FILE", type=Path, help="the system prompt for runs recorded without it"
    )
    take_policy(command)
    take_judge(command)
    take_every_turn(command)
    take_files_for_ci(command)
    take_log(command)


def _audit_compare(commands: _Commands) -> None:
    command = _add(
        commands,
        "audit compare",
        "Hold two audits against each other: what a new prompt, model or policy changed, how certain "
        "that is, and the runs that came to another action.",
        "Runs are paired by what was recorded, then by their name. Exit code: 0 done, 2 bad input.",
    )
    for name in ("a", "b"):
        command.add_argument(
            name, metavar=name.upper(), type=Path, help="a folder or file that audit wrote"
        )
    command.add_argument("--json", action="store_true", help="print the comparison as JSON")
    command.add_argument("--html", metavar="FILE", type=Path, help="write it as a page")
    command.add_argument(
        "--flips", metavar="FILE", type=Path,
        help="write every run that came to another action there, as JSON Lines",
    )  # fmt: skip


def _audit_replay(commands: _Commands) -> None:
    command = _add(
        commands,
        "audit replay",
        "Put the reports of an audit under another policy without asking any model again: scores are "
        "shifted to its prior, and the gate decides anew.",
        "Another evidence scope, entailment model or task type needs the runs to be judged again, and is "
        "refused. `affidavit audit compare` shows what changed. Exit code: 0 done, 2 bad input.",
    )
    command.add_argument(
        "reports", metavar="REPORTS", type=Path, help="a folder or file that audit wrote"
    )
    command.add_argument(
        "--policy", metavar="FILE", type=Path, required=True, help="the policy to try"
    )
    command.add_argument(
        "--out",
        metavar="FOLDER",
        type=Path,
        help="where the new audit is written, as audit does; a name such as reports.jsonl: reports "
        "only. Without it only the figures are printed",
    )
    command.add_argument(
        "--summary", metavar="FILE", type=Path, action="append",
        help="write the figures there: .html, .json or .csv",
    )  # fmt: skip


def _tune(commands: _Commands) -> None:
    add_tune(commands).set_defaults(run=_lazily("tune"))


def _shadow(commands: _Commands) -> None:
    add_shadow(commands).set_defaults(run=_lazily("shadow"))


def _log(commands: _Commands) -> None:
    about = "Read, verify and keep a run log."
    add_log(commands.add_parser("log", help=about, description=about), _lazily("log"))


def _knowledge(commands: _Commands) -> None:
    about = "Fill, search and measure a knowledge base."
    add_knowledge(
        commands.add_parser("knowledge", help=about, description=about), _lazily("knowledge")
    )


def _conformance(commands: _Commands) -> None:
    command = _add(
        commands,
        "conformance",
        "Judge runs whose right verdicts are known: what failed, and by family how many good and faulty answers the gate "
        "did right by, and how many pairs are wholly right.",
        "Exit code: 0 all right, 1 not all, 2 bad input.",
    )
    command.add_argument("file", metavar="CASES.jsonl", help="the cases; may be gzip (.gz)")
    command.add_argument("--json", action="store_true", help="print the results as JSON")


def _model(commands: _Commands) -> None:
    command = _add(
        commands,
        "model",
        "What the entailment model is, and how well it does on data of one's own.",
        "Exit code: 0 done, 2 bad input or a model that does not answer.",
    )
    verbs = command.add_subparsers(dest="verb", required=True, metavar="VERB")
    info = verbs.add_parser(
        "info", help="name, version, digest, size, labels, calibration, training and card"
    )
    evaluate = verbs.add_parser(
        "evaluate",
        help="accuracy, AUROC, calibration error and pace on a data set",
        description="DATASET is JSON Lines, plain or gzip: rows of premise, hypothesis and label, or "
        "of TabFact, InfoTabS, Schema-Guided Dialogue or RAGTruth as they are published.",
    )
    evaluate.add_argument("dataset", metavar="DATASET", type=Path)
    evaluate.add_argument("--limit", metavar="N", type=int, help="read the first N rows only")
    for verb in (info, evaluate):
        verb.add_argument(
            "--entailment",
            metavar="NAME",
            default="embedded",
            help="embedded (default), cross-encoder:NAME_OR_PATH or remote:URL",
        )
        verb.add_argument("--json", action="store_true", help="print JSON")


def _policies(commands: _Commands) -> None:
    command = _add(
        commands, "policy", "Check a policy file, or show a policy with all its defaults."
    )
    verbs = command.add_subparsers(dest="verb", required=True, metavar="VERB")
    about = "Say what is wrong with a policy file, by line, or what it changes."
    check = verbs.add_parser(
        "check", help=about, description=about, epilog="Exit code: 0 valid, 2 not."
    )
    check.add_argument("file", metavar="FILE", type=Path, help="TOML, YAML or JSON")
    about = "Print a policy in full, as TOML: the defaults, and what a file makes of them."
    show = verbs.add_parser("show", help=about, description=about)
    show.add_argument("file", metavar="FILE", type=Path, nargs="?", help="the defaults if absent")
    show.add_argument(
        "--task-type",
        choices=("general", "high_stakes", "creative"),
        help="the defaults of this task type",
    )
    show.add_argument("--json", action="store_true", help="print JSON")


def _schema(commands: _Commands) -> None:
    command = _add(commands, "schema", "Print the JSON Schema of a report, a policy or a trace.")
    command.add_argument("of", nargs="?", choices=("report", "policy", "trace"), default="report")


def _demo(commands: _Commands) -> None:
    command = _add(
        commands,
        "demo",
        "Watch a small scripted agent being checked: an invented argument, an invented price, and "
        "a grounded answer in the end. Needs no key.",
    )
    command.add_argument("--fast", action="store_true", help="do not pause between the steps")


def _init(commands: _Commands) -> None:
    command = _add(
        commands,
        "init",
        "Put the guard into the project in a folder: Claude Code's hooks into .claude/settings.json, "
        "or a module with the few lines for the agent framework that it uses.",
        "What stands there already stays. Exit code: 0 done, 1 nothing was found, 2 bad input.",
    )
    command.add_argument("folder", nargs="?", type=Path, default=Path(), help="default: this one")
    command.add_argument("--dry-run", action="store_true", help="show it, change nothing")
    command.add_argument("--framework", metavar="NAME", help="this one, found or not")
    command.add_argument(
        "--http",
        metavar="PORT",
        type=int,
        help="for Claude Code: http hooks that `affidavit daemon --port PORT` answers",
    )


def _hook(commands: _Commands) -> None:
    command = _add(
        commands,
        "hook",
        "Answer one event of a Claude Code hook: the event on standard input, what to do on standard "
        "output. `affidavit init` writes the settings that call it.",
        "The policy is .claude/affidavit.toml of the project, where there is one and --policy names "
        "no other.",
    )
    command.add_argument("--shadow", action="store_true", help="judge and report, touch nothing")
    command.add_argument(
        "--reports",
        metavar="FILE.jsonl",
        type=Path,
        help="where the report of each answer is added",
    )
    command.add_argument(
        "--keep-warm",
        action="store_true",
        help="start `affidavit daemon` when a session begins, so that the model is loaded once",
    )
    take_policy(command)


def _daemon(commands: _Commands) -> None:
    command = _add(
        commands,
        "daemon",
        "Answer Claude Code's hooks with the model loaded once: http hooks at /hook, and every "
        "`affidavit hook` of the same user.",
        "It listens on 127.0.0.1 and asks for a token: $AFFIDAVIT_HOOK_TOKEN, or one of its own.",
    )
    command.add_argument("--port", type=int, default=0, help="default: any that is free")
    command.add_argument(
        "--idle", metavar="MINUTES", type=float, help="end after this long without an event"
    )


def _gateway(commands: _Commands) -> None:
    command = _add(
        commands,
        "gateway",
        "Stand between agents and their model API as a reverse proxy, and check each tool call and "
        "answer that passes: Anthropic Messages, OpenAI Chat Completions and Responses.",
        "Point the agent's client at it (ANTHROPIC_BASE_URL=http://HOST:PORT, "
        "OPENAI_BASE_URL=http://HOST:PORT/v1). Keys are sent on and kept nowhere. What was held back is "
        "marked: headers x-affidavit-action and x-affidavit-revisions, and the field affidavit. GET /health "
        "and /metrics are its own. Unless the policy sets on_critical, a false critical claim is sent back "
        "for a revision before the answer is blocked.",
    )
    command.add_argument("--host", default="127.0.0.1", help="default: %(default)s")
    command.add_argument("--port", type=int, default=8378, help="default: %(default)s")
    for name, url in (
        ("anthropic", "https://api.anthropic.com"),
        ("openai", "https://api.openai.com"),
    ):
        command.add_argument(
            f"--{name}", metavar="URL", default=url, help="where that API is; default: %(default)s"
        )
    command.add_argument("--shadow", action="store_true", help="judge and report, touch nothing")
    command.add_argument(
        "--allow-unguarded", metavar="PATH", action="append", default=[],
        help="a path that may go past the guard, with * for anything (files/*/content); paths whose "
        "answers cannot be checked are refused otherwise",
    )  # fmt: skip
    command.add_argument(
        "--reports", metavar="FILE.jsonl", type=Path, help="where the report of each run is added"
    )
    take_tools(
        command, "that hold in place of those that requests carry for tools of the same names"
    )
    take_policy(command)
    take_judge(
        command,
        "; own (default): the model that the request asks, about critical claims; none: nobody",
    )
    take_log(command)


def _doctor(commands: _Commands) -> None:
    command = _add(
        commands,
        "doctor",
        "Go through the grounding checklist with your own tools and agent: an empty base, failing "
        "tools, another client's document.",
        "Exit code: 0 nothing failed, 1 something did, 2 bad input.",
    )
    command.add_argument(
        "object",
        metavar="MODULE:OBJECT",
        help="tools, question, expected, missing and ask, as affidavit.grounding.doctor.Examinee says",
    )
    command.add_argument("--json", action="store_true", help="print the findings as JSON")
    command.add_argument(
        "--strict", action="store_true", help="what could not be examined counts as failed"
    )
    take_policy(command)


def _mcp_proxy(commands: _Commands) -> None:
    command = _add(
        commands,
        "mcp-proxy",
        "Run an MCP server behind a check of its tool calls: where a client's settings name the "
        "server's command, put `affidavit mcp-proxy --` before it.",
        "A call that does not fit its schema, or names what nobody mentioned, is answered with what is "
        "wrong and does not reach the server.",
    )
    command.add_argument(
        "--provenance",
        choices=("context", "always", "never"),
        default="context",
        help="when an identifier that nobody mentioned is a fault: once the client tells what the user "
        "said, in _meta (default); always; never",
    )
    command.add_argument("--shadow", action="store_true", help="check and log, reject nothing")
    take_tools(command, "that hold in place of the server's own for tools of the same names")
    take_policy(command)
    command.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND")
