"""Files and folders that are named by a URL: object stores and file systems that pyarrow or fsspec reach."""

from __future__ import annotations

import io
import posixpath
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote

from affidavit.errors import AffidavitError, MissingExtra, TraceError

_PIECE = 8 * 2**20
_SIGNS = "*["


@dataclass(frozen=True)
class Remote:
    """A file or folder by its URL, or by its place under one. Credentials are those that its file system finds itself."""

    url: str
    inner: str = ""
    """A path relative to the URL, as its file system writes it: names need no quoting there."""

    def __str__(self) -> str:
        scheme, _, rest = self.url.partition("://")
        path, mark, query = rest.partition("?")
        return f"{scheme}://{_joined(path, self.inner)}{mark}{query}"

    @property
    def name(self) -> str:
        return posixpath.basename(str(self).partition("?")[0])

    @property
    def suffix(self) -> str:
        return posixpath.splitext(self.name)[1]

    def child(self, name: str) -> Remote:
        """What stands under a name in this folder."""
        return Remote(self.url, posixpath.join(self.inner, name))

    def beside(self, name: str) -> Remote:
        """What stands under a name in the same folder."""
        return self.child(posixpath.join("..", name))

    def is_dir(self) -> bool:
        with self._reached() as (system, path):
            return bool(system.get_file_info(path).type == _types().Directory)

    def is_file(self) -> bool:
        with self._reached() as (system, path):
            return bool(system.get_file_info(path).type == _types().File)

    def size(self) -> int:
        """Bytes; 0 where that is not known."""
        with self._reached() as (system, path):
            return int(system.get_file_info(path).size or 0)

    def below(self) -> list[str]:
        """The names of all files in the folder and in its folders, relative to it and sorted."""
        from pyarrow.fs import FileSelector

        with self._reached() as (system, path):
            found = system.get_file_info(FileSelector(path, recursive=True))
            files = [one.path for one in found if one.type == _types().File]
            return sorted(posixpath.relpath(file, path) for file in files)

    def listed(self) -> list[tuple[str, bool]]:
        """The names of what lies in the folder itself, sorted, each with whether it is a folder; none where there is
        no such folder."""
        from pyarrow.fs import FileSelector

        with self._reached() as (system, path):
            found = system.get_file_info(FileSelector(path, allow_not_found=True))
            names = [(posixpath.basename(one.path.rstrip("/")), one.type) for one in found]
            return sorted((name, kind == _types().Directory) for name, kind in names)

    def open(self) -> IO[bytes]:
        """The content, which can be read from any place. Raises TraceError where there is none."""
        with self._reached() as (system, path):
            return io.BufferedReader(system.open_input_file(path), _PIECE)

    def fetch(self, target: Path) -> bool:
        """Copy the content to a local file; False where there is nothing to copy."""
        if not self.is_file():
            return False
        with self._reached(), self.open() as source, target.open("wb") as copy:
            _copy(source, copy)
        return True

    def send(self, source: Path) -> None:
        """Put the content of a local file there, in place of what there was."""
        with self._reached() as (system, path), source.open("rb") as local:
            if type(system).__name__ in ("LocalFileSystem", "SubTreeFileSystem"):
                system.create_dir(posixpath.dirname(path), recursive=True)
            with system.open_output_stream(path, compression=None) as remote:
                _copy(local, remote)

    def delete(self) -> None:
        """Take the file away, where there is one."""
        if self.is_file():
            with self._reached() as (system, path):
                system.delete_file(path)

    @contextmanager
    def _reached(self) -> Iterator[tuple[Any, str]]:
        try:
            system, path = _resolved(self.url)
            yield system, _joined(path, self.inner)
        except OSError as error:
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise TraceError(f"cannot be reached: {why}", file=str(self)) from error


def is_url(text: str) -> bool:
    return "://" in text


def is_pattern(url: str) -> bool:
    """Whether a URL names files by a pattern. Its ``?`` begins what is said to the file system, and stands for no
    character."""
    return any(sign in _path_of(url) for sign in _SIGNS)


def matching(url: str) -> list[Remote]:
    """The files that a pattern names, sorted: ``*`` and ``[…]`` within one name, ``**`` for any folders. Names that begin
    with a dot are found where the pattern has the dot. Raises AffidavitError where folders cannot be listed."""
    scheme, _, rest = url.partition("://")
    if scheme.lower() in ("http", "https"):
        raise AffidavitError(
            f"{url}: what lies in a folder cannot be listed over {scheme}, so that a pattern finds nothing: name the files"
        )
    path, mark, query = rest.partition("?")
    steps = path.split("/")
    at = next(n for n, step in enumerate(steps) if any(sign in step for sign in _SIGNS))
    if at == 0:
        raise AffidavitError(f"{url}: a pattern cannot stand for the bucket or the host: name it")
    base = Remote(f"{scheme}://{'/'.join(steps[:at]) or '/'}{mark}{query}")
    found = dict.fromkeys(_matched(base, [step for step in steps[at:] if step]))
    return sorted(found, key=str)


def _matched(folder: Remote, steps: list[str]) -> Iterator[Remote]:
    step, rest = steps[0], steps[1:]
    if not any(sign in step for sign in _SIGNS):
        child = folder.child(unquote(step))
        if rest:
            yield from _matched(child, rest)
        elif child.is_file():
            yield child
        return
    if step == "**" and rest:
        yield from _matched(folder, rest)
    for name, is_folder in folder.listed():
        if not _is_named(name, step):
            continue
        if step == "**" and is_folder:
            yield from _matched(folder.child(name), steps)
        elif is_folder and rest:
            yield from _matched(folder.child(name), rest)
        elif not is_folder and not rest:
            yield folder.child(name)


def _is_named(name: str, step: str) -> bool:
    if name.startswith(".") and not step.startswith("."):
        return False
    return name == step or fnmatchcase(name, unquote(step))


def _path_of(url: str) -> str:
    """A URL without its scheme and without what is said to its file system."""
    return url.partition("://")[2].partition("?")[0]


def location(text: str) -> Path | Remote:
    """What an argument names: a URL, or else a path."""
    return Remote(text) if is_url(text) else Path(text)


def _resolved(url: str) -> tuple[Any, str]:
    try:
        import pyarrow
        from pyarrow.fs import FileSystem, FSSpecHandler, PyFileSystem
    except ImportError as error:
        raise MissingExtra("pyarrow", "parquet") from error
    try:
        return FileSystem.from_uri(url)  # type: ignore[no-any-return]
    except pyarrow.ArrowInvalid as unknown:
        try:
            from fsspec.core import url_to_fs

            system, path = url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise AffidavitError(
                f"{url}: no file system for this URL: {unknown}; with fsspec: {error}"
            ) from error
        return PyFileSystem(FSSpecHandler(system)), path


def _joined(path: str, inner: str) -> str:
    return posixpath.normpath(posixpath.join(path, inner)) if inner else path


def _types() -> Any:
    from pyarrow.fs import FileType

    return FileType


def _copy(source: IO[bytes], target: Any) -> None:
    while piece := source.read(_PIECE):
        target.write(piece)
