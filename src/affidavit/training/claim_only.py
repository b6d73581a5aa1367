"""What a claim gives away by itself: a bag of words that never sees the evidence.

A set on which it does better than chance teaches a model how false statements sound (hypothesis-only baselines:
Gururangan et al. 2018, Poliak et al. 2018).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LIMIT = 0.55
"""Claim-only AUROC above which a mix is not trained on."""

_FOLDS = 5


def cross_fitted(
    claims: Sequence[str], holds: Sequence[bool], subjects: Sequence[str]
) -> NDArray[np.float64]:
    """The score of each claim by a classifier that saw no claim of its subject."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    if len(set(holds)) < 2:
        return np.zeros(len(claims))
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True).fit_transform(claims)
    labels = np.array(holds)
    folds = np.array([hashlib.sha256(s.encode()).digest()[0] % _FOLDS for s in subjects])
    scores = np.zeros(len(labels))
    for fold in range(_FOLDS):
        own = folds == fold
        if not own.any() or len(set(labels[~own])) < 2:
            continue
        scores[own] = (
            LogisticRegression(C=1.0, max_iter=300)
            .fit(words[~own], labels[~own])
            .decision_function(words[own])
        )
    return scores


def claim_only_auroc(
    claims: Sequence[str], holds: Sequence[bool], subjects: Sequence[str]
) -> float | None:
    """How well claims alone tell what holds: 0.5 is chance."""
    from affidavit.training.measures import auroc

    return auroc(cross_fitted(claims, holds, subjects), np.array(holds))
