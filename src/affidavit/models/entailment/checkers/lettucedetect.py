"""LettuceDetect (Kovács and Recski, 2025): a classifier of words, asked in the form that it was trained with.

The evidence stands in it as numbered passages below the user's question. Label 1 marks words that nothing bears out: the
spans of those words fall on claims, and a claim is borne out as far as its least borne out word is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from affidavit.errors import ScorerError
from affidavit.models.entailment.local import Asked, LocalModel
from affidavit.models.entailment.protocol import Entailment, Told
from affidavit.models.entailment.token_classifier import least_supported

WEIGHTS = "KRLabsOrg/lettucedect-base-modernbert-en-v1"
WINDOW = 4096
_SPECIALS = 3
_ASKED = (
    "Briefly answer the following question:\n{question}\n"
    "Bear in mind that your response should be strictly based on the following {number} passages:\n{passages}\n"
    "In case the passages do not contain the necessary information to answer the question, please reply with: "
    '"Unable to answer based on given passages."\noutput:'
)
_NOT_ASKED = "Summarize the following text:\n{passages}\noutput:"


class LettuceDetectModel(LocalModel):
    """LettuceDetect for English, by its authors' name for its weights (the base one where none is given) or a path."""

    def __init__(self, name: str = "", *, device: str | None = None) -> None:
        super().__init__(f"lettucedetect:{name}" if name else "lettucedetect", device=device)
        self._weights = name or WEIGHTS

    def score_claims(
        self, claims: Sequence[tuple[Sequence[Told], str]], question: str = ""
    ) -> list[Entailment | ScorerError]:
        """Score ``(sources, claim)``, in order, each source as a passage."""
        asked = [
            Asked([told.text for told in sources], claim, question) for sources, claim in claims
        ]
        return list(self._answers(asked))

    def _load(self) -> Any:
        import transformers

        tokenizer = transformers.AutoTokenizer.from_pretrained(self._weights)
        tokenizer.model_input_names = ["input_ids", "attention_mask"]  # it takes no types of tokens
        model = transformers.AutoModelForTokenClassification.from_pretrained(self._weights)
        if model.config.num_labels != 2:
            raise ScorerError(f"{self.name}: expected two labels, not {model.config.num_labels}")
        window = min(WINDOW, int(tokenizer.model_max_length))
        return tokenizer, self._placed(model), window

    def _chance(self, loaded: Any, asked: Asked) -> float:
        tokenizer, model, window = loaded

        def fits(group: Sequence[str]) -> bool:
            read = tokenizer(form_of(group, asked.question), asked.claim, add_special_tokens=False)
            return bool(len(read.input_ids) + _SPECIALS <= window)

        # As its authors do where passages do not fit at once: a word is borne out where each group bears it out.
        groups = _groups(asked.passages or [""], fits)
        found = (
            least_supported(
                tokenizer, model, 1, form_of(group, asked.question), asked.claim, window
            )
            for group in groups
        )
        return 1 - max(found)


def form_of(passages: Sequence[str], question: str) -> str:
    """The text that stands before the answer."""
    told = "\n".join(f"passage {n}: {text}" for n, text in enumerate(passages, 1))
    form = _ASKED if question.strip() else _NOT_ASKED
    values = {"question": question, "number": str(len(passages)), "passages": told}
    # Not by str.format twice over: what the texts say is no placeholder.
    return form.format_map(values)


def _groups(passages: Sequence[str], fits: Any) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for passage in passages:
        if groups[-1] and not fits([*groups[-1], passage]):
            groups.append([])
        groups[-1].append(passage)
    return groups
