"""Published fact checkers, each asked in the form, with the labels and in the window that its own documentation gives."""

from __future__ import annotations

from collections.abc import Callable

from affidavit.models.entailment.protocol import EntailmentModel


def _minicheck(name: str) -> EntailmentModel:
    from affidavit.models.entailment.checkers.minicheck import MiniCheckModel

    return MiniCheckModel(name)


def _minicheck_7b(name: str) -> EntailmentModel:
    from affidavit.models.entailment.checkers.minicheck import ServedMiniCheck

    return ServedMiniCheck(name)


def _hhem(name: str) -> EntailmentModel:
    from affidavit.models.entailment.checkers.hhem import HhemModel

    return HhemModel(name)


def _lettucedetect(name: str) -> EntailmentModel:
    from affidavit.models.entailment.checkers.lettucedetect import LettuceDetectModel

    return LettuceDetectModel(name)


def _true_t5(name: str) -> EntailmentModel:
    from affidavit.models.entailment.checkers.seq2seq import TrueModel

    return TrueModel(name)


CHECKERS: dict[str, Callable[[str], EntailmentModel]] = {
    "minicheck": _minicheck,
    "minicheck-7b": _minicheck_7b,
    "hhem": _hhem,
    "lettucedetect": _lettucedetect,
    "true-t5": _true_t5,
}
"""By the name that stands before the colon."""
