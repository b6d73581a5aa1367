"""HHEM-2.1-Open (Vectara), read without running code from its repository.

Its weights are those of a T5 token classifier under ``t5.``; the verdict stands at the first token, and the second label
says consistent. It reads evidence of any length at once.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from affidavit.errors import ScorerError
from affidavit.models.entailment.local import Asked, LocalModel

WEIGHTS = "vectara/hallucination_evaluation_model"
FOUNDATION = "google/flan-t5-base"
"""Whose tokenizer and configuration it has, where its own configuration does not say."""
PROMPT = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {text1}\n\nHypothesis: {text2}"
_PREFIX = "t5."


class HhemModel(LocalModel):
    """HHEM-2.1-Open, by its authors' name for its weights or another name or path."""

    def __init__(self, name: str = "", *, device: str | None = None) -> None:
        super().__init__(f"hhem:{name}" if name else "hhem", device=device)
        self._weights = name or WEIGHTS

    def _load(self) -> Any:
        import transformers
        from safetensors.torch import load_file
        from transformers.utils import cached_file

        told = json.loads(Path(cached_file(self._weights, "config.json")).read_text("utf-8"))
        foundation = str(told.get("foundation") or FOUNDATION)
        config = transformers.AutoConfig.from_pretrained(foundation, num_labels=2)
        model = transformers.T5ForTokenClassification(config)
        whole = load_file(cached_file(self._weights, "model.safetensors"))
        own = {k.removeprefix(_PREFIX): v for k, v in whole.items() if k.startswith(_PREFIX)}
        found = model.load_state_dict(own, strict=False)
        # The embeddings are stored once and used in two places.
        missing = [key for key in found.missing_keys if not key.endswith("embed_tokens.weight")]
        if missing or found.unexpected_keys:
            raise ScorerError(
                f"{self.name}: the weights are not those of a T5 token classifier: {[*missing, *found.unexpected_keys][:5]}"
            )
        tokenizer = transformers.AutoTokenizer.from_pretrained(foundation)
        return tokenizer, self._placed(model), str(told.get("prompt") or PROMPT)

    def _chance(self, loaded: Any, asked: Asked) -> float:
        import torch

        tokenizer, model, prompt = loaded
        # Not by str.format: what the texts say is no placeholder.
        before, _, rest = prompt.partition("{text1}")
        between, _, after = rest.partition("{text2}")
        text = f"{before}{asked.evidence}{between}{asked.claim}{after}"
        read = tokenizer(text, return_tensors="pt").to(model.device)
        with torch.inference_mode():
            logits = model(input_ids=read.input_ids, attention_mask=read.attention_mask).logits
        return float(logits[0, 0].softmax(dim=-1)[1])
