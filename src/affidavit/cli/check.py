"""``affidavit check``: one recorded run, its report, and an exit code."""

from __future__ import annotations

import argparse
import json

from affidavit.cli.ci import write_for_ci
from affidavit.cli.render import render_report
from affidavit.cli.terminal import console, policy_of, working
from affidavit.cli.tools import read_tools
from affidavit.detector import Detector
from affidavit.formats import load_run
from affidavit.records.ci import Placed
from affidavit.records.recording import recorded
from affidavit.report import Action, HallucinationReport

EXIT: dict[Action, int] = {"emit": 0, "revise": 3, "block": 4}


def run(arguments: argparse.Namespace) -> int:
    policy = policy_of(arguments.policy, arguments.judge)
    trace = load_run(arguments.file)
    if arguments.tools is not None and trace.tools is None:
        trace = trace.model_copy(update={"tools": read_tools(arguments.tools)})
    traces = list(trace.turns()) if arguments.every_turn else [trace]
    with working("Checking"):
        detector = Detector(policy)
        with recorded(detector.check, arguments.log) as check:
            reports = [check(one) for one in traces]
    write_for_ci(arguments, [Placed(report, arguments.file) for report in reports])
    if arguments.json:
        _print_json(reports, as_list=arguments.every_turn)
    else:
        out = console()
        for number, report in enumerate(reports):
            if number:
                out.print()
            render_report(report, out)
    return max(EXIT[report.action] for report in reports)


def _print_json(reports: list[HallucinationReport], *, as_list: bool) -> None:
    if as_list:
        data = [report.model_dump(mode="json") for report in reports]
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        print(reports[0].model_dump_json(indent=2))
