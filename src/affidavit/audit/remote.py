"""Files and folders that are named by a URL: object stores and file systems that pyarrow or fsspec reach."""

from __future__ import annotations

import io
import posixpath
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from affidavit.errors import AffidavitError, MissingExtra, TraceError

_PIECE = 8 * 2**20


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
