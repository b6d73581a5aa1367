"""What a person said of a verdict: a record of its own, which changes nothing of what it is about."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from pydantic import BaseModel, ConfigDict

from affidavit.errors import LogError, MissingExtra
from affidavit.report import Action, ClaimStatus, HallucinationReport

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

_SIGNED_FORMAT = 1
_SHORTEST_SECRET = 16
"""Bytes. What is shorter can be found by trying."""


class Signature(BaseModel):
    """``key`` names the key (a digest of it); ``value`` is in hexadecimal."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    algorithm: Literal["hmac-sha256", "ed25519"]
    key: str
    value: str


class Review(BaseModel):
    """A person's verdict on a claim of a report, or (``claim`` None) on the gate's action.

    ``record`` and ``record_hash`` name the report's record; ``claim`` is an index into its claims.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    record: int
    record_hash: str
    claim: int | None
    verdict: ClaimStatus | Action
    reviewer: str
    reason: str
    signature: Signature | None = None

    def signed_text(self) -> bytes:
        """What a signature signs: a JSON array in ASCII without spaces (specs/runlog.md)."""
        said = [
            _SIGNED_FORMAT, self.record, self.record_hash, self.claim,
            self.verdict, self.reviewer, self.reason,
        ]  # fmt: skip
        return json.dumps(said, separators=(",", ":")).encode()


def check_verdict(report: HallucinationReport, claim: int | None, verdict: str) -> None:
    """Refuse a review of what is not there, or with a verdict that it cannot have."""
    if claim is not None and not 0 <= claim < len(report.claims):
        raise LogError(f"the report has {len(report.claims)} claims; there is none at {claim}")
    possible = get_args(Action if claim is None else ClaimStatus)
    if verdict not in possible:
        of = "an answer" if claim is None else "a claim"
        raise LogError(f"{verdict!r} is no verdict on {of}; expected one of {', '.join(possible)}")


class ReviewKey:
    """A key that signs reviews, or checks their signatures, read from a file.

    A PEM file holds an Ed25519 key: the private one signs and checks, the public one only checks. Any
    other file is a shared secret (HMAC-SHA256).
    """

    def __init__(self, material: bytes) -> None:
        self._public: Ed25519PublicKey | None = None
        self._private: Ed25519PrivateKey | None = None
        self._secret = b""
        if material.lstrip().startswith(b"-----BEGIN"):
            self._read_pem(material)
        else:
            self._secret = material.strip()
            if len(self._secret) < _SHORTEST_SECRET:
                raise LogError(f"a review key has at least {_SHORTEST_SECRET} bytes")

    @classmethod
    def load(cls, path: str | Path) -> ReviewKey:
        """Read a key file; raises :class:`LogError`."""
        try:
            return cls(Path(path).read_bytes())
        except OSError as error:
            raise LogError(f"{path}: cannot be read: {error.strerror}") from error
        except (LogError, ValueError) as error:
            raise LogError(f"{path}: not a review key: {error}") from error

    @property
    def name(self) -> str:
        """A digest that tells the key from others and does not give it away."""
        known = b"affidavit review key" + (self._secret or self._raw_public())
        return hashlib.sha256(known).hexdigest()[:16]

    def sign(self, review: Review) -> Review:
        """The review with this key's signature."""
        text = review.signed_text()
        if self._secret:
            value = hmac.new(self._secret, text, "sha256").hexdigest()
            signature = Signature(algorithm="hmac-sha256", key=self.name, value=value)
        elif self._private is not None:
            value = self._private.sign(text).hex()
            signature = Signature(algorithm="ed25519", key=self.name, value=value)
        else:
            raise LogError("a public key cannot sign; use the private one")
        return review.model_copy(update={"signature": signature})

    def signed(self, review: Review) -> bool:
        """Whether the review's signature is this key's."""
        signature = review.signature
        if signature is None or signature.key != self.name:
            return False
        text = review.signed_text()
        if self._secret:
            right = hmac.new(self._secret, text, "sha256").hexdigest()
            return signature.algorithm == "hmac-sha256" and hmac.compare_digest(
                right, signature.value
            )
        return signature.algorithm == "ed25519" and self._verifies(signature.value, text)

    def _verifies(self, value: str, text: bytes) -> bool:
        from cryptography.exceptions import InvalidSignature

        assert self._public is not None
        try:
            self._public.verify(bytes.fromhex(value), text)
        except (InvalidSignature, ValueError):
            return False
        return True

    def _read_pem(self, pem: bytes) -> None:
        try:
            from cryptography.hazmat.primitives import serialization
            from cryptography.hazmat.primitives.asymmetric import ed25519
        except ImportError as error:
            raise MissingExtra("cryptography", "sign") from error
        if b"PRIVATE" in pem:
            private = serialization.load_pem_private_key(pem, password=None)
            if not isinstance(private, ed25519.Ed25519PrivateKey):
                raise LogError("not an Ed25519 key")
            self._private, self._public = private, private.public_key()
        else:
            public = serialization.load_pem_public_key(pem)
            if not isinstance(public, ed25519.Ed25519PublicKey):
                raise LogError("not an Ed25519 key")
            self._public = public

    def _raw_public(self) -> bytes:
        assert self._public is not None
        return self._public.public_bytes_raw()
