"""``affidavit daemon``: answers Claude Code's hooks with the models loaded once."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading

from affidavit._state import state_folder
from affidavit.errors import AffidavitError
from affidavit.runtimes.claude_code.daemon import Daemon
from affidavit.runtimes.claude_code.journal import sessions
from affidavit.runtimes.claude_code.service import HookService

TOKEN = "AFFIDAVIT_HOOK_TOKEN"


def run(arguments: argparse.Namespace) -> int:
    service = HookService(sessions())
    idle = arguments.idle * 60 if arguments.idle else None
    try:
        daemon = Daemon(service, port=arguments.port, token=os.environ.get(TOKEN), idle=idle)
    except OSError as error:
        raise AffidavitError(
            f"port {arguments.port} cannot be listened on: {error.strerror}"
        ) from error
    _load(service)
    # From another thread: shutdown waits for the loop that the signal interrupts.
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=daemon.shutdown).start())
    with daemon, daemon.announced(state_folder()):
        print(f"listening on http://127.0.0.1:{daemon.port}/hook", file=sys.stderr, flush=True)
        daemon.serve_forever()
    return 0


def _load(service: HookService) -> None:
    """Load the model before the first event waits for it."""
    service({"hook_event_name": "SessionStart", "session_id": "warming"}, {})
