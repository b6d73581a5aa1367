"""The judge's prompt: a file with front matter, and a template that is filled with fenced material."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import yaml

from affidavit.errors import PromptError
from affidavit.models.llm.fence import fenced

PLACEHOLDERS = ("retrievedDocuments", "response", "customerQuery")

_FILE = re.compile(r"\ufeff?---\r?\n(.*?)\r?\n---\r?\n(.*)", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_FIELDS = ("id", "name", "description", "version")


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """A template that names all of its placeholders: ``{{retrievedDocuments}}``, ``{{response}}`` and
    ``{{customerQuery}}`` for the judge of a whole response."""

    id: str
    name: str
    description: str
    version: str
    template: str
    quotes: bool = False
    """Whether a verdict for the response counts only with a quote (``quotes: required`` in the front matter)."""

    @classmethod
    def load(cls, path: str | Path, placeholders: Sequence[str] = PLACEHOLDERS) -> JudgePrompt:
        """The prompt in a file; raises :class:`~affidavit.errors.PromptError` saying what is wrong."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PromptError(f"{path}: cannot be read: {error}") from error
        return cls.parse(text, str(path), placeholders)

    @classmethod
    def parse(
        cls, text: str, file: str = "prompt", placeholders: Sequence[str] = PLACEHOLDERS
    ) -> JudgePrompt:
        """The prompt in a text with front matter."""
        match = _FILE.fullmatch(text)
        if match is None:
            raise PromptError(f"{file}: expected front matter between two lines of ---")
        try:
            head = yaml.safe_load(match[1])
        except yaml.YAMLError as error:
            raise PromptError(f"{file}: front matter is not YAML: {error}") from error
        head = head if isinstance(head, dict) else {}
        if missing := [name for name in _FIELDS if head.get(name) in (None, "")]:
            raise PromptError(f"{file}: front matter lacks {', '.join(missing)}")
        named = set(_PLACEHOLDER.findall(match[2]))
        if named != set(placeholders):
            told = ", ".join(sorted(named ^ set(placeholders)))
            raise PromptError(f"{file}: missing or unknown placeholders: {told}")
        fields = {name: str(head[name]) for name in _FIELDS}
        quotes = str(head.get("quotes") or "").strip() == "required"
        return cls(**fields, template=match[2].strip(), quotes=quotes)

    def render(self, *, documents: str, response: str, question: str) -> str:
        """The prompt with its material in it, each piece fenced."""
        material = {
            "retrievedDocuments": documents,
            "response": fenced("response", response),
            "customerQuery": fenced("question", question or "(none)"),
        }
        return self.filled(material)

    def filled(self, material: Mapping[str, str]) -> str:
        """The prompt with ``material``, fenced by now, in the place of its placeholders."""
        # In one pass: what a document says is not searched for placeholders.
        return _PLACEHOLDER.sub(lambda m: material[m[1]], self.template)


@cache
def default_prompt() -> JudgePrompt:
    """The prompt that ships with the package."""
    return packaged_prompt("groundedness.md", PLACEHOLDERS)


def packaged_prompt(name: str, placeholders: Sequence[str]) -> JudgePrompt:
    """The prompt in a file of this package."""
    text = (files("affidavit.models.judge") / name).read_text(encoding="utf-8")
    return JudgePrompt.parse(text, name, placeholders)
