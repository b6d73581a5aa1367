"""The code of documents, run as a reader would run it: block after block, in a folder of its own.

A fenced block says what becomes of it by its language and marks:

- ``python`` is executed; the blocks of a document share their names.
- ``sh`` is run line by line. A comment ``# exits with 3`` says with which code, where it is not 0.
- ``{.sh .serves}``: the first line is a server, which is ended when the others have been run against it.
- ``{.sh .elsewhere}``: installs, or needs what a test has not got; it is only held to name what is there.
- ``text`` after ``sh`` is what that printed: its lines occur in this order, whatever the decimals say.
- A block with a ``title="FILE"`` is written to that file instead.
"""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PATIENCE = 600
"""Seconds that a command may take, on a machine that is busy with other things."""

_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE)
_TITLE = re.compile(r'title="([^"]+)"')
_EXITS = re.compile(r"#.*\bexits with (\d+)")
_DECIMAL = re.compile(r"\d+\.\d+")
_PORT = re.compile(r"\b8378\b")


@dataclass(frozen=True)
class Block:
    """A fenced block of a document, and the line that it begins at."""

    language: str
    code: str
    line: int
    marks: tuple[str, ...] = ()
    title: str | None = None


def blocks_of(text: str, language: str | None = None) -> list[Block]:
    """The blocks of a document in their order, of one language or of all."""
    found = []
    for match in _FENCE.finditer(text):
        info = match["info"]
        title = _TITLE.search(info)
        words = _TITLE.sub("", info).replace("{", " ").replace("}", " ").split()
        names = [word.lstrip(".") for word in words] or ["text"]
        line = text.count("\n", 0, match.start()) + 2
        named = title[1] if title else None
        found.append(Block(names[0], match["code"], line, tuple(names[1:]), named))
    return [block for block in found if language in (None, block.language)]


def commands_of(block: Block) -> list[tuple[str, int]]:
    """The commands of a shell block, each with the exit code that it is said to have."""
    lines = re.sub(r"\\\n\s*", "", block.code).splitlines()
    told = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return [(line, int(code[1]) if (code := _EXITS.search(line)) else 0) for line in told]


@dataclass
class Reader:
    """Somebody who follows a document in ``folder``, which has the repository's ``specs``."""

    folder: Path
    names: dict[str, Any] = field(default_factory=dict)
    printed: str = ""
    """What the last shell block printed."""

    def follow(self, name: str, blocks: Sequence[Block]) -> None:
        """Run the blocks in order. The first that is not true of the code raises, with its line."""
        if not (self.folder / "specs").exists():
            (self.folder / "specs").symlink_to(ROOT / "specs")
        for number, block in enumerate(blocks):
            try:
                self._run(name, block, blocks[number - 1] if number else None)
            except BaseException as error:
                error.add_note(f"{name}:{block.line}")
                raise

    def _run(self, name: str, block: Block, before: Block | None) -> None:
        if block.title:
            (self.folder / block.title).write_text(block.code, encoding="utf-8")
        elif block.language == "python":
            code = compile("\n" * (block.line - 1) + block.code, name, "exec")
            exec(code, self.names)
        elif block.language == "sh" and "elsewhere" in block.marks:
            for line, _ in commands_of(block):
                _names_what_is_there(line)
        elif block.language == "sh" and "serves" in block.marks:
            self.printed = self._serve(block)
        elif block.language == "sh":
            self.printed = "".join(self._command(*told) for told in commands_of(block))
        elif block.language == "text" and before is not None and before.language == "sh":
            _holds(self.printed, block.code)

    def _command(self, line: str, code: int) -> str:
        done = subprocess.run(
            ["bash", "-c", line], cwd=self.folder, env=_environment(), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == code, f"{line}\nexits with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def _serve(self, block: Block) -> str:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        told = [(_PORT.sub(port, line), code) for line, code in commands_of(block)]
        assert port in told[0][0], f"a server is given its port: {told[0][0]}"
        log = self.folder / "server.log"
        with log.open("wb") as out:
            command = shlex.split(told[0][0], comments=True)
            server = subprocess.Popen(command, cwd=self.folder, env=_environment(), stdout=out, stderr=out)  # fmt: skip
            try:
                _wait(f"http://127.0.0.1:{port}/health", server, log)
                return "".join(self._command(*one) for one in told[1:])
            finally:
                server.terminate()
                server.wait(timeout=PATIENCE)


def _environment() -> dict[str, str]:
    here = Path(sys.executable).parent
    return os.environ | {"PATH": f"{here}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "160"}


def _wait(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            gone = server.poll() is not None or time.monotonic() > until
            assert not gone, f"the server did not come up:\n{log.read_text()}"
            time.sleep(0.2)


def _names_what_is_there(line: str) -> None:
    """A command that is not run here is one of this repository with its arguments right, or another's."""
    words = shlex.split(line, comments=True)
    match words:
        case ["affidavit", *arguments]:
            from affidavit.cli.arguments import joined, parser

            parser().parse_args(joined(arguments))
        case ["python", "-m", module, *_]:
            assert (ROOT / "src" / f"{module.replace('.', '/')}.py").exists(), line
        case ["python", file, *_] | [file, *_] if "/" in file:
            assert (ROOT / file).exists(), line
        case _:
            assert words[0] in ("pip", "docker", "mkdocs", "export"), (
                f"not run, and unknown: {line}"
            )


def _holds(printed: str, shown: str) -> None:
    """The lines that are shown occur in what was printed, in their order; ``…`` stands for any number."""
    lines: Iterator[str] = (_plain(line) for line in printed.splitlines())
    for line in filter(None, map(_plain, shown.splitlines())):
        if line != "…":
            assert line in lines, f"“{line}” was not printed, or not here:\n{printed}"


def _plain(line: str) -> str:
    return _DECIMAL.sub("0.0", " ".join(line.split()))
