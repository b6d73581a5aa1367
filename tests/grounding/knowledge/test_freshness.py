"""Either date past six months is worth a warning; an unknown date is not."""

from datetime import UTC, date, datetime

import pytest

from affidavit.grounding.knowledge.freshness import freshness_warnings, months_before
from affidavit.grounding.knowledge.retriever import Hit, Source

TODAY = date(2026, 8, 31)


@pytest.mark.parametrize(
    ("written", "indexed", "words"),
    [
        (None, None, []),
        (date(2026, 2, 28), None, []),  # exactly six months: 31 August has no 31 February
        (date(2026, 2, 27), None, ["dated 2026-02-27"]),
        (date(2026, 8, 1), datetime(2026, 2, 27, 23, tzinfo=UTC), ["indexed on 2026-02-27"]),
        (
            date(2024, 1, 1),
            datetime(2025, 1, 1, tzinfo=UTC),
            ["dated 2024-01-01", "indexed on 2025-01-01"],
        ),
        (date(2027, 1, 1), datetime(2026, 8, 31, tzinfo=UTC), []),
    ],
)
@pytest.mark.spec("AFF-1023")
def test_each_date_past_six_months_is_told(
    written: date | None, indexed: datetime | None, words: list[str]
) -> None:
    source = Source("Fees", "fees", document_date=written, indexed_at=indexed)
    warnings = freshness_warnings(source, today=TODAY)
    assert len(warnings) == len(words)
    assert all(word in warning for word, warning in zip(words, warnings, strict=True))


def test_an_outdated_version_says_so() -> None:
    source = Source("Fees", "fees", active=False)
    assert freshness_warnings(source, today=TODAY) == ["This version of the document is outdated."]


def test_months_before_crosses_years() -> None:
    assert months_before(date(2026, 3, 31), 6) == date(2025, 9, 30)
    assert months_before(date(2024, 12, 5), 12) == date(2023, 12, 5)


@pytest.mark.parametrize("score", [-0.01, 1.01, float("nan")])
def test_a_relevance_outside_its_range_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        Hit("1", "text", score, Source("Fees", "fees"))
