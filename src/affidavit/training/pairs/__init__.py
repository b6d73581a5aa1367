"""Training pairs: one module or package a source, each a generator of :class:`Pair`."""

from affidavit.training.pairs.pair import Label, Pair

__all__ = ["Label", "Pair"]
