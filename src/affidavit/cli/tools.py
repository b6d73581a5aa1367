"""Tool declarations from a file."""

from __future__ import annotations

import json
from pathlib import Path

from affidavit.errors import TraceError
from affidavit.formats.openapi import is_openapi
from affidavit.formats.tools import declared
from affidavit.trace import ToolDefinition


def read_tools(path: Path) -> tuple[ToolDefinition, ...]:
    """Tool declarations from a JSON file: a list as any provider takes it, an OpenAPI document, single operations.

    Raises TraceError.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(data, list) and not is_openapi(data):
            raise TraceError("expected a list of tool declarations, or an OpenAPI document")
        return declared(data)
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror}", file=str(path)) from error
    except UnicodeDecodeError as error:
        raise TraceError(f"cannot be read as text: {error}", file=str(path)) from error
    except json.JSONDecodeError as error:
        raise TraceError(
            f"not valid JSON: {error.msg}", file=str(path), line=error.lineno
        ) from error
    except TraceError as error:
        raise error.at(file=str(path)) from error
