"""Sentence encoders: texts as vectors, for search by meaning.

Nothing heavy is imported here: runtimes load when an encoder first encodes.
"""

from __future__ import annotations

from affidavit.errors import EncoderError
from affidavit.models.embedding.protocol import Encoder

__all__ = ["Encoder", "load_encoder"]


def load_encoder(spec: str | Encoder | None = None) -> Encoder:
    """The encoder that ``spec`` asks for.

    ``"embedded"`` (the default) is the one that ships with the package;
    ``"sentence-transformers:NAME"`` any of that library's models, by name or path; an encoder is
    given back as it is.
    """
    if spec is None or spec == "embedded":
        from affidavit.models.embedding.onnx import EmbeddedEncoder

        return EmbeddedEncoder()
    if not isinstance(spec, str):
        return spec
    kind, _, name = spec.partition(":")
    if kind == "sentence-transformers" and name:
        from affidavit.models.embedding.sentence_transformer import SentenceTransformerEncoder

        return SentenceTransformerEncoder(name)
    raise EncoderError(
        f"unknown encoder {spec!r}: expected 'embedded' or 'sentence-transformers:NAME_OR_PATH'"
    )
