"""What can go wrong, as a caller would want to catch it."""

from __future__ import annotations


class AffidavitError(Exception):
    """Any error this package raises on purpose."""


class TraceError(AffidavitError):
    """A recorded run that cannot be read: says which file, line and field, and what was expected."""

    def __init__(
        self, message: str, *, field: str = "", file: str = "", line: int | None = None
    ) -> None:
        self.message, self.field, self.file, self.line = message, field, file, line
        place = ":".join(str(part) for part in (file, line) if part not in ("", None))
        super().__init__(": ".join(part for part in (place, field, message) if part))

    def at(self, *, file: str = "", line: int | None = None) -> TraceError:
        """The same error, with the file or line its reader knows."""
        return TraceError(
            self.message,
            field=self.field,
            file=file or self.file,
            line=self.line if line is None else line,
        )


class PolicyError(AffidavitError):
    """A policy that cannot be read or contradicts itself."""


class SchemaError(AffidavitError):
    """A tool declaration whose schema is not a valid schema."""


class ScorerError(AffidavitError):
    """An entailment model could not answer: lost, timed out, or returned nonsense."""


class EncoderError(AffidavitError):
    """A sentence encoder could not answer: it did not load, or returned nonsense."""


class KnowledgeError(AffidavitError):
    """A knowledge base that cannot be opened, read or added to; says what and where."""


class ModelError(AffidavitError):
    """A language model could not be asked, or gave no usable answer."""


class PromptError(AffidavitError):
    """A prompt file that cannot be read, or whose placeholders are not those it must have."""


class LogError(AffidavitError):
    """A run log that cannot be opened, read or written, or a record that is not there."""


class MissingExtra(AffidavitError, ImportError):
    """An optional dependency is not installed; the message says what to install."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"{package} is not installed; run: pip install 'affidavit[{extra}]'", name=package
        )


class AnswerRefused(AffidavitError):
    """An answer was stopped where the refusal cannot take its place: its output is structured.

    ``text`` is the refusal, fit for the user, and ``report`` says why.
    """

    def __init__(self, text: str, report: object) -> None:
        super().__init__(text)
        self.text, self.report = text, report
