"""The ``affidavit`` command."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code.

    0 all well (``check``: emit), 1 some lines or expectations failed, 2 bad input or usage, 3 revise,
    4 block, 130 interrupted.
    """
    from affidavit.cli.arguments import joined, parser
    from affidavit.errors import AffidavitError

    given = sys.argv[1:] if argv is None else list(argv)
    if not given:
        parser().print_help(sys.stderr)
        return 2
    arguments = parser().parse_args(joined(given))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without ✓ must not end the command
    try:
        return int(arguments.run(arguments))
    except AffidavitError as error:
        print(f"affidavit: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()  # the reader of a pipe has seen enough: nothing is wrong
        return 0
    except KeyboardInterrupt:
        print("affidavit: interrupted", file=sys.stderr)
        return 130
