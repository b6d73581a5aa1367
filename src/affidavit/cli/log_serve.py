"""``affidavit log serve``: the run log in a browser."""

from __future__ import annotations

import argparse
import os
import secrets
from pathlib import Path

from affidavit.cli.terminal import error_console
from affidavit.errors import LogError
from affidavit.records.page.serve import LogServer
from affidavit.records.runlog import ReviewKey, RunLog


def serve(log: RunLog, arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    if arguments.make_key and arguments.key is None:
        raise LogError("--make-key says nothing of where: add --key FILE")
    if arguments.make_key:
        make_key(arguments.key)
    try:
        server = LogServer(
            log,
            host=arguments.host,
            port=arguments.port,
            hosts=arguments.allow_host,
            key=None if arguments.key is None else ReviewKey.load(arguments.key),
            reviewer=arguments.reviewer,
        )
    except (OSError, OverflowError) as error:
        raise LogError(f"cannot listen at {arguments.host}:{arguments.port}: {error}") from error
    with server:
        error_console().print(f"The run log is at {server.address} (Ctrl-C ends it)")
        server.serve_forever()
    return 0


def make_key(path: Path) -> None:
    """Write a new secret that only this user may read; one that is there stays."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    except OSError as error:
        raise LogError(f"{path}: cannot be written: {error.strerror}") from error
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32) + "\n")
