"""Any token classifier of transformers that marks the words of an answer which its evidence does not bear out."""

from __future__ import annotations

from typing import Any

from affidavit.errors import ScorerError
from affidavit.models.entailment.labels import column_of, split_label
from affidavit.models.entailment.local import Asked, LocalModel


class TokenClassifierModel(LocalModel):
    """A token classifier as an entailment model: a claim is borne out as far as its least borne out word is.

    ``NAME#LABEL`` names the label, or its number, of words that nothing bears out. Evidence and claim are given as a pair; of one
    that is longer than the model reads the evidence is cut, so give it passages rather than documents.
    """

    def __init__(self, name_or_path: str, *, device: str | None = None) -> None:
        super().__init__(f"token-classifier:{name_or_path}", device=device)
        self._weights, label = split_label(name_or_path)
        if label is None:
            raise ScorerError(
                f"token-classifier:{name_or_path}: name the label of words that nothing bears out, as in "
                f"token-classifier:{name_or_path}#1"
            )
        self._label = label

    def _load(self) -> tuple[Any, Any, int]:
        from transformers import AutoModelForTokenClassification, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(self._weights)
        model = AutoModelForTokenClassification.from_pretrained(self._weights)
        return tokenizer, self._placed(model), column_of(self._label, model.config.id2label)

    def _chance(self, loaded: Any, asked: Asked) -> float:
        tokenizer, model, column = loaded
        return 1 - least_supported(tokenizer, model, column, asked.evidence, asked.claim)


def least_supported(
    tokenizer: Any, model: Any, column: int, evidence: str, claim: str, window: int | None = None
) -> float:
    """The highest chance of a word of the claim that nothing bears it out; 0 where it has no words. ``window`` is what the
    model reads at once, where its tokenizer does not know."""
    import torch

    read = tokenizer(
        evidence, claim, truncation="only_first", max_length=window, return_tensors="pt"
    )
    said = [n for n, part in enumerate(read.sequence_ids(0)) if part == 1]
    with torch.inference_mode():
        logits = model(**read.to(model.device)).logits[0]
    chances = logits.softmax(dim=-1)[:, column].tolist()
    return max((chances[n] for n in said), default=0.0)
