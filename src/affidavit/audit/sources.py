"""Where recorded runs come from: files, folders and patterns, packed or not, one run in memory at a time.

JSON Lines (gzip or Zstandard by content), a JSON document with one run or many, CSV, and with the extra
``parquet`` Parquet and Arrow files whose rows are runs, hold one in a column, or are spans, and all of
these by URL.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import IO, Any

from affidavit.audit.comma_separated import rows_of_csv
from affidavit.audit.item import Item
from affidavit.audit.remote import Remote, is_pattern, is_url, matching
from affidavit.audit.store import INDEX
from affidavit.errors import MissingExtra, TraceError
from affidavit.formats.exports import runs_in
from affidavit.formats.gathered import gathered, is_part

ENDINGS = (
    ".jsonl", ".ndjson", ".json", ".jsonl.gz", ".ndjson.gz", ".json.gz", ".jsonl.zst", ".ndjson.zst",
    ".json.zst", ".csv", ".parquet", ".arrow", ".feather",
)  # fmt: skip
TABLES = (".parquet", ".arrow", ".feather")
MOST_BYTES = 256 * 2**20
"""Largest line, and largest JSON document, that is read whole. A longer list is read run by run; other documents of many
runs are kept one a line, or as Parquet."""
_PIECE = 2**20

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BLANK = b"\xef\xbb\xbf \t\r\n"
_BROKEN = (OSError, EOFError, zlib.error, csv.Error)
Moved = Callable[[int], None]
Source = Path | Remote


def files_of(inputs: Sequence[str | Path]) -> list[Source]:
    """The files that arguments name: files themselves, folders with all below them, and patterns, by path or
    by URL."""
    found: list[Source] = []
    for given in inputs:
        if is_url(str(given)):
            found += _by_url(str(given))
            continue
        path = Path(given)
        if path.is_dir():
            below = sorted(one for one in path.rglob("*") if one.is_file() and _is_ours(one, path))
            if not below:
                raise _nothing_in(path)
            found += below
        elif path.exists():
            found.append(path)
        elif any(sign in str(given) for sign in "*?["):
            matched = sorted(one for one in _matching(path) if one.is_file())
            if not matched:
                raise _nothing_matches(str(given))
            found += matched
        else:
            raise TraceError("cannot be opened: No such file or directory", file=str(given))
    return list(dict.fromkeys(found))


def _nothing_in(folder: Source) -> TraceError:
    return TraceError(f"no recorded runs in it ({', '.join(ENDINGS)})", file=str(folder))


def _nothing_matches(pattern: str) -> TraceError:
    return TraceError("no file matches", file=pattern)


def _by_url(url: str) -> Sequence[Source]:
    if not is_pattern(url):
        return _below_url(Remote(url))
    if not (matched := matching(url)):
        raise _nothing_matches(url)
    return matched


def _below_url(given: Remote) -> list[Source]:
    if not given.is_dir():
        if not given.is_file():
            raise TraceError("cannot be opened: there is no such file", file=str(given))
        return [given]
    names = given.below()
    written = {name.removesuffix(INDEX) for name in names if Path(name).name == INDEX}
    ours = [
        name
        for name in names
        if name.lower().endswith(ENDINGS)
        and not any(part.startswith(".") for part in Path(name).parts)
        and name.removesuffix(Path(name).name) not in written
        and f"{name}.index" not in names
    ]
    if not ours:
        raise _nothing_in(given)
    return [given.child(name) for name in ours]


def _matching(pattern: Path) -> Iterator[Path]:
    root = Path(pattern.anchor) if pattern.is_absolute() else Path()
    named = pattern.relative_to(pattern.anchor) if pattern.is_absolute() else pattern
    for found in root.glob(str(named)):
        if not any(part.startswith(".") and part not in pattern.parts for part in found.parts):
            yield found


def _is_ours(file: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return not hidden and file.name.lower().endswith(ENDINGS) and not _is_output(file)


def _is_output(file: Path) -> bool:
    """Whether an audit wrote the file: its reports are no runs to be audited."""
    return (file.parent / INDEX).exists() or file.with_name(f"{file.name}.index").exists()


def size_of(file: Source) -> int:
    """Bytes; 0 where there is no such file."""
    if isinstance(file, Remote):
        return file.size()
    return file.stat().st_size if file.exists() else 0


def items(files: Iterable[Source], moved: Moved = lambda done: None) -> Iterator[Item | TraceError]:
    """The runs of files. ``moved`` is told how many bytes of them all have been read."""
    before = 0
    for file in files:
        size = size_of(file)
        base = before
        yield from _of_file(file, lambda at, base=base: moved(base + at))  # type: ignore[misc]
        before += size
        moved(before)


def _of_file(file: Source, moved: Moved) -> Iterator[Item | TraceError]:
    if file.suffix.lower() in TABLES:
        from affidavit.audit.tables import rows_of

        yield from _whole_rows(rows_of(file), file)
        return
    if file.suffix.lower() == ".csv":
        with _opened(file) as (stream, _):
            yield from _whole_rows(rows_of_csv(stream), file)
        return
    with _opened(file) as (stream, raw):
        lines, whole = _begun(stream)
        first = _loaded(lines.peek())
        if whole is not None:
            yield from _of_rows(((None, doc) for doc in runs_in(whole)), file)
        elif lines.is_list():
            yield from _of_list(lines, file, moved, raw)
        elif lines.is_too_long():
            yield _too_long("JSON document", file)
        elif is_part(first):
            yield from _part_lines(_lines(lines, file, moved, raw), file)
        elif _holds_several(first):
            yield from _pages(_lines(lines, file, moved, raw))
        else:
            yield from _lines(lines, file, moved, raw)


def _part_lines(read: Iterable[Item | TraceError], file: Source) -> Iterator[Item | TraceError]:
    """The runs that lines of parts of traces make; a line that is none comes as it is."""
    others: list[Item | TraceError] = []

    def parts() -> Iterator[Any]:
        for one in read:
            doc = _loaded(one.raw) if isinstance(one, Item) else None
            if is_part(doc):
                yield doc
            else:
                others.append(one)

    for trace in gathered(parts()):
        yield Item(_packed(trace), str(file))
    yield from others


def _pages(read: Iterable[Item | TraceError]) -> Iterator[Item | TraceError]:
    """The runs of lines that hold several each."""
    for one in read:
        doc = _loaded(one.raw) if isinstance(one, Item) else None
        if isinstance(one, Item) and doc is not None:
            yield from (Item(_packed(run), one.file, one.line) for run in runs_in(doc))
        else:
            yield one


def _holds_several(doc: Any) -> bool:
    """Whether a document is not itself a run, but has runs in it."""
    if doc is None:
        return False
    found = list(islice(runs_in(doc), 2))
    return isinstance(doc, list) or len(found) != 1 or found[0] is not doc


def _of_rows(rows: Iterable[tuple[int | None, Any]], file: Source) -> Iterator[Item]:
    """Documents as items; spans are gathered into the runs that they are of."""
    rows = iter(rows)
    head = next(rows, None)
    if head is None:
        return
    everything = _chain(head, rows)
    if is_part(head[1]):
        for trace in gathered(doc for _, doc in everything if is_part(doc)):
            yield Item(_packed(trace), str(file))
        return
    for line, doc in everything:
        yield Item(_packed(doc), str(file), line)


def _whole_rows(
    rows: Iterable[tuple[int | None, Any]], file: Source
) -> Iterator[Item | TraceError]:
    """The same of a file that may break off: then what was read of it, and why there is no more."""
    broken: list[TraceError] = []
    yield from _of_rows(_until_broken(rows, file, broken), file)
    yield from broken


def _until_broken(
    rows: Iterable[tuple[int | None, Any]], file: Source, broken: list[TraceError]
) -> Iterator[tuple[int | None, Any]]:
    try:
        yield from rows
    except TraceError as error:
        broken.append(error)
    except Exception as error:
        if not _is_broken(error):
            raise
        broken.append(TraceError(f"cannot be read on: {error}", file=str(file)))


def _chain(head: Any, rest: Iterator[Any]) -> Iterator[Any]:
    yield head
    yield from rest


def _packed(doc: Any) -> bytes:
    return json.dumps(doc, ensure_ascii=False, sort_keys=True, default=str).encode(
        "utf-8", "surrogatepass"
    )


def _lines(
    stream: _Lines, file: Source, moved: Moved, raw: IO[bytes]
) -> Iterator[Item | TraceError]:
    number = 0
    while True:
        number += 1
        try:
            line = stream.readline(MOST_BYTES + 1)
            if is_cut := len(line) > MOST_BYTES and not line.endswith(b"\n"):
                while (rest := stream.readline(_PIECE)) and not rest.endswith(b"\n"):
                    pass
        except Exception as error:
            if not _is_broken(error):
                raise
            yield TraceError(f"cannot be read on: {error}", file=str(file), line=number)
            return
        if not line:
            return
        if is_cut:
            yield _too_long("line", file, number)
        elif line.strip():
            with suppress(OSError, ValueError):
                moved(raw.tell())
            yield Item(line, str(file), number)


class _Lines:
    """The lines of a stream of which the first bytes have been read."""

    def __init__(self, begun: bytes, stream: IO[bytes], *, whole: bool = False) -> None:
        self._begun, self._stream = io.BytesIO(begun), stream
        self._opening = (
            begun[:_PIECE].lstrip(_BLANK)[:1] if whole and len(begun) > MOST_BYTES else b""
        )

    def is_list(self) -> bool:
        """Whether this is one JSON list that is too long to be read whole."""
        return self._opening == b"["

    def is_too_long(self) -> bool:
        """Whether this is one JSON document that is too long to be read whole."""
        return bool(self._opening)

    def peek(self) -> bytes:
        """The first line, where it is not too long to be one."""
        line = self._begun.readline()
        self._begun.seek(0)
        return b"" if len(line) > MOST_BYTES else line

    def readline(self, most: int) -> bytes:
        line = self._begun.readline(most)
        if line.endswith(b"\n") or len(line) >= most:
            return line
        return line + self._stream.readline(most - len(line))

    def read(self, most: int) -> bytes:
        return self._begun.read(most) or self._stream.read(most)


def _begun(stream: IO[bytes]) -> tuple[_Lines, Any]:
    """The lines of a stream, and what it holds where it is one JSON document rather than lines."""
    begun, whole = b"", False
    try:
        begun = stream.readline(MOST_BYTES + 1)
        first = _loaded(begun) if len(begun) <= MOST_BYTES else None
        if first is not None and _holds_several(first):
            # One line is a whole export, or the first of many.
            begun += stream.readline(MOST_BYTES)
            return _Lines(begun, stream), _loaded(begun)
        opening = begun[:_PIECE].lstrip(_BLANK)[:1]
        is_cut = (
            len(begun) > MOST_BYTES
        )  # then only a list can be told from the first of many lines
        if first is None and opening in ((b"[",) if is_cut else (b"", b"{", b"[")):
            second = stream.readline(MOST_BYTES) if begun.endswith(b"\n") else b""
            begun += second
            # A line that is a run after one that is none: lines, of which the first is broken; but after a "[" it is
            # the first of a list.
            if opening == b"[" or not isinstance(_loaded(second), dict):
                whole = True
                begun += stream.read(MOST_BYTES)
                return _Lines(begun, stream, whole=True), (
                    _loaded(begun) if len(begun) <= MOST_BYTES else None
                )
    except Exception as error:
        if not _is_broken(error):
            raise  # whoever reads on meets a broken file again, and says so
    return _Lines(begun, stream, whole=whole), None


def _of_list(
    stream: _Lines, file: Source, moved: Moved, raw: IO[bytes]
) -> Iterator[Item | TraceError]:
    """The runs of a long JSON list, one in memory at a time."""

    def elements() -> Iterator[tuple[None, Any]]:
        try:
            for doc in _elements(stream):
                with suppress(OSError, ValueError):
                    moved(raw.tell())
                yield None, doc
        except ValueError as error:
            raise TraceError(f"the JSON list breaks off: {error}", file=str(file)) from error

    yield from _whole_rows(elements(), file)


def _elements(stream: _Lines) -> Iterator[Any]:
    """The elements of a JSON list, or of several one after another. Raises ValueError where it is none."""
    decode = codecs.getincrementaldecoder("utf-8-sig")().decode
    scan = json.JSONDecoder().raw_decode
    text, at, more = "", 0, _PIECE
    between, is_whole = "[", False
    while True:
        while at < len(text) and text[at] in " \t\r\n":
            at += 1
        if at < len(text) and between and text[at] == between:
            at, between, is_whole = at + 1, "", False
            continue
        if at < len(text) and text[at] == "]" and between != "[":
            at, between, is_whole = at + 1, "[", True
            continue
        if at < len(text) and not between:
            with suppress(json.JSONDecodeError):
                doc, end = scan(text, at)
                if end < len(text):  # a number at the end may go on
                    yield doc
                    text, at, more, between = text[end:], 0, _PIECE, ","
                    continue
        elif at < len(text):
            raise ValueError(f"{text[at]!r} stands where {between!r} is expected")
        if len(text) - at > MOST_BYTES:
            raise ValueError("one of its runs is longer than 256 MiB, or is no JSON")
        piece = stream.read(more)
        if not piece and is_whole:
            return
        if not piece:
            raise ValueError("its end is missing")
        # What is longer than one piece is looked at again when there is twice as much of it.
        text, at, more = text[at:] + decode(piece), 0, 2 * more


def _too_long(what: str, file: Source, line: int | None = None) -> TraceError:
    told = f"a {what} of more than {MOST_BYTES // 2**20} MiB: keep a run a line, or Parquet"
    return TraceError(told, file=str(file), line=line)


def _loaded(raw: bytes) -> Any:
    """JSON as what it stands for; None where it is not readable."""
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def _is_broken(error: Exception) -> bool:
    return isinstance(error, _BROKEN) or type(error).__name__ == "ZstdError"


@contextmanager
def _opened(file: Source) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """The content, unpacked, and the file itself, whose position tells how far it is."""
    try:
        raw = file.open() if isinstance(file, Remote) else file.open("rb")
    except OSError as error:
        raise TraceError(f"cannot be opened: {error.strerror or error}", file=str(file)) from error
    with raw:
        magic = raw.peek(4)[:4]  # type: ignore[attr-defined]
        # By content, not by name: recorders compress without saying so.
        if magic[:2] == _GZIP:
            with gzip.GzipFile(fileobj=raw) as unpacked:
                yield unpacked, raw  # type: ignore[misc]
        elif magic == _ZSTD:
            yield _unzstd(raw), raw
        else:
            yield raw, raw


def _unzstd(raw: IO[bytes]) -> IO[bytes]:
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtra("zstandard", "zstd") from error
    reader = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
    return io.BufferedReader(reader)
