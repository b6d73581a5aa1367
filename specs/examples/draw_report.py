"""Draws ``report.svg``, the picture in the README: python specs/examples/draw_report.py"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from affidavit import Detector, load_run
from affidavit.cli.render import render_report

HERE = Path(__file__).parent


def main() -> None:
    out = Console(
        file=io.StringIO(), record=True, force_terminal=True, width=112, color_system="truecolor"
    )
    report = Detector().check(load_run(HERE / "invented-price.json"))
    render_report(report, out)
    drawing = out.export_svg(title="affidavit check invented-price.json")
    alone = re.sub(r"@font-face \{.*?\}", "", drawing, flags=re.DOTALL)  # no fonts from elsewhere
    text = "\n".join(line.rstrip() for line in alone.splitlines() if line.strip())
    (HERE / "report.svg").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
