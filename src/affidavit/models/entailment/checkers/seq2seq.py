"""TRUE (Honovich et al., 2022): a T5 that answers "1" where the premise entails the hypothesis, "0" where it does not."""

from __future__ import annotations

from typing import Any

from affidavit.errors import ScorerError
from affidavit.models.entailment.checkers.chunks import chunks
from affidavit.models.entailment.local import Asked, LocalModel

WEIGHTS = "google/t5_xxl_true_nli_mixture"
_WINDOW = 512
"""Tokens that the T5 it is made from reads at once, where its tokenizer does not say."""
_FORM = 16
"""Tokens that the form itself takes, at most."""


class TrueModel(LocalModel):
    """TRUE's model of entailment, by its authors' name for its weights or another name or path."""

    def __init__(self, name: str = "", *, device: str | None = None) -> None:
        super().__init__(f"true-t5:{name}" if name else "true-t5", device=device)
        self._weights = name or WEIGHTS

    def _load(self) -> Any:
        import transformers

        tokenizer = transformers.AutoTokenizer.from_pretrained(self._weights)
        model = transformers.AutoModelForSeq2SeqLM.from_pretrained(self._weights)
        return tokenizer, self._placed(model)

    def _chance(self, loaded: Any, asked: Asked) -> float:
        tokenizer, model = loaded
        window = min(int(tokenizer.model_max_length), 10**6)
        window = window if window < 10**6 else _WINDOW

        def tokens(text: str) -> int:
            return len(tokenizer(text, add_special_tokens=False).input_ids)

        room = max(window - tokens(asked.claim) - _FORM, window // 4)
        return max(
            says_one(tokenizer, model, f"premise: {part} hypothesis: {asked.claim}", window)
            for part in chunks(asked.evidence, room, tokens)
        )


def says_one(tokenizer: Any, model: Any, text: str, window: int) -> float:
    """How probable "1" is beside "0" as what a sequence-to-sequence model says first of ``text``."""
    import torch

    zero, one = (tokenizer(digit, add_special_tokens=False).input_ids[0] for digit in "01")
    if zero == one:
        raise ScorerError("the tokenizer does not tell 0 and 1 apart by their first token")
    read = tokenizer(text, truncation=True, max_length=window, return_tensors="pt")
    begins = torch.tensor([[model.config.decoder_start_token_id]])
    with torch.inference_mode():
        logits = model(
            input_ids=read.input_ids.to(model.device),
            attention_mask=read.attention_mask.to(model.device),
            decoder_input_ids=begins.to(model.device),
        ).logits[0, 0]
    return float(logits[[zero, one]].softmax(dim=-1)[1])
