"""What is remembered of texts is bounded, whatever their length."""

from __future__ import annotations

from affidavit._remembered import remembered


def test_many_short_texts_are_remembered_and_few_long_ones() -> None:
    asked: list[str] = []

    @remembered(1000)
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    short = [str(number) for number in range(500)]
    long = [f"{number} " * 500 for number in range(100)]
    for text in (*short, *long):
        assert length(text) == len(text)
    asked.clear()
    assert length(long[-1]) == len(long[-1]) and [length(text) for text in short]
    assert asked == []
    assert length(long[0]) == len(long[0])
    assert asked == [long[0]]
