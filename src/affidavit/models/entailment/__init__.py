"""Entailment models: does a passage support a claim, contradict it, or leave it open?

Nothing heavy is imported here: runtimes load when a model first scores.
"""

from __future__ import annotations

from affidavit.errors import ScorerError
from affidavit.models.entailment.protocol import Entailment, EntailmentModel

__all__ = ["Entailment", "EntailmentModel", "load_entailment_model"]


def load_entailment_model(spec: str | EntailmentModel | None = None) -> EntailmentModel:
    """The model that ``spec`` asks for.

    ``"embedded"`` (the default) is the one that ships with the package; ``"cross-encoder:NAME"`` any
    sentence-transformers CrossEncoder, by name or path; ``"token-classifier:NAME#LABEL"`` a model that gives LABEL to the
    words of a claim that nothing bears out; ``"remote:URL"`` a server that is asked as
    text-embeddings-inference is; ``"judge:MODEL"`` a language model as judge, named as in
    :func:`~affidavit.models.llm.load.load_language_model`; ``"minicheck:VARIANT"``, ``"minicheck-7b:NAME@BASE_URL"``, ``"hhem"``,
    ``"lettucedetect"`` and ``"true-t5"`` the published checkers of these names; a model is given back as it is.
    """
    if spec is None or spec == "embedded":
        from affidavit.models.entailment.onnx import EmbeddedModel

        return EmbeddedModel()
    if not isinstance(spec, str):
        return spec
    kind, _, name = spec.partition(":")
    from affidavit.models.entailment.checkers import CHECKERS

    if kind in CHECKERS:
        return CHECKERS[kind](name)
    if kind == "cross-encoder" and name:
        from affidavit.models.entailment.cross_encoder import CrossEncoderModel

        return CrossEncoderModel(name)
    if kind == "token-classifier" and name:
        from affidavit.models.entailment.token_classifier import TokenClassifierModel

        return TokenClassifierModel(name)
    if kind == "remote" and name:
        from affidavit.models.entailment.remote import RemoteModel

        return RemoteModel(name)
    if kind == "judge" and name:
        from affidavit.models.judge import GroundednessJudge, JudgeScorer
        from affidavit.models.llm.load import load_language_model

        return JudgeScorer(GroundednessJudge(load_language_model(name)))
    raise ScorerError(
        f"unknown entailment model {spec!r}: expected 'embedded', 'cross-encoder:NAME_OR_PATH', "
        "'token-classifier:NAME_OR_PATH#LABEL', 'remote:URL', 'judge:MODEL', "
        f"or a published checker: {', '.join(sorted(CHECKERS))}"
    )
