"""The commands and their arguments. Each command's module is imported when it is run."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from affidavit import __version__
from affidavit.cli.knowledge_arguments import add_knowledge
from affidavit.cli.log_arguments import LOG_ADDRESS, add_log

Command = Callable[[argparse.Namespace], int]


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="affidavit",
        description="Checks each claim of an agent's answer against the run's own tool results.",
    )
    top.add_argument("--version", action="version", version=f"affidavit {__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for add in (
        _check, _report, _audit, _log, _doctor, _knowledge, _conformance, _model, _schema, _demo, _init, _hook,
        _daemon, _mcp_proxy, _gateway,
    ):  # fmt: skip
        add(commands)
    return top


def _lazily(module: str) -> Command:
    def run(arguments: argparse.Namespace) -> int:
        return int(import_module(f"affidavit.cli.{module}").run(arguments))

    return run


_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _add(commands: _Commands, name: str, about: str, epilog: str = "") -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=about, description=about, epilog=epilog)
    command.set_defaults(run=_lazily(name.replace("-", "_")))
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
    _policy(command)
    _every_turn(command)
    _log_to(command)


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
    _policy(command)


def _audit(commands: _Commands) -> None:
    command = _add(
        commands,
        "audit",
        "Judge many recorded runs, one a line; write one report a line. Started again, it goes on "
        "where it was interrupted.",
        "Exit code: 0 all runs were judged, 1 some lines could not be, 2 bad input.",
    )
    command.add_argument("file", metavar="RUNS.jsonl", help="the runs; may be gzip (.gz)")
    command.add_argument(
        "--out", metavar="REPORTS.jsonl", type=Path, required=True, help="where reports are added"
    )
    command.add_argument(
        "--tools", metavar="FILE", type=Path, help="tool declarations for runs that carry none"
    )
    command.add_argument(
        "--system", metavar="FILE", type=Path, help="the system prompt for runs recorded without it"
    )
    command.add_argument(
        "--judge",
        metavar="MODEL",
        help="let a language model judge what exact checks leave open: anthropic:NAME, openai:NAME, "
        "openai:NAME@BASE_URL",
    )
    _policy(command)
    _every_turn(command)
    _log_to(command)


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
        "Judge runs whose right verdicts are known: pairs wholly right, by family, and what failed.",
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
    _policy(command)


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
        "OPENAI_BASE_URL=http://HOST:PORT/v1). Keys are sent on and kept nowhere.",
    )
    command.add_argument("--host", default="127.0.0.1", help="default: %(default)s")
    command.add_argument("--port", type=int, default=8377, help="default: %(default)s")
    for name, url in (
        ("anthropic", "https://api.anthropic.com"),
        ("openai", "https://api.openai.com"),
    ):
        command.add_argument(
            f"--{name}", metavar="URL", default=url, help="where that API is; default: %(default)s"
        )
    command.add_argument("--shadow", action="store_true", help="judge and report, touch nothing")
    command.add_argument(
        "--reports", metavar="FILE.jsonl", type=Path, help="where the report of each run is added"
    )
    _policy(command)
    _log_to(command)


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
    _policy(command)


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
    _policy(command)
    command.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND")


def _policy(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--policy", metavar="FILE", type=Path, help="the policy, JSON or TOML: what differs"
    )


def _every_turn(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--every-turn",
        action="store_true",
        help="judge the answers given during the conversation too, not only the last",
    )


def _log_to(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--log", metavar="LOG", help=f"keep each report, with its run, in a run log: {LOG_ADDRESS}"
    )
