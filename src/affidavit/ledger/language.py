"""Which language a text is in, by its most frequent words and its script.

A stop-word profile is enough here: the only questions are whether the entailment model reads a
claim, which rules may split it, and how to read a token ("due" is a date's word in English and 2 in
Italian). Models of language identification weigh megabytes and are unsure of short texts full of
names and numbers, which claims are.
"""

from __future__ import annotations

import re
from functools import cache

from affidavit._remembered import remembered

UNKNOWN = "und"
"""The ISO 639-2 code where nothing tells."""

# The commonest function words of each language. A word in several lists counts for each of them, so
# that only the words that tell languages apart decide ("die" is no English word here).
FUNCTION_WORDS = {
    "en": "the of and to in is are was were be been has have had it its that this with for on at by "
    "from as not no you your i we they their he she his her will would can could there which who "
    "what if or but so an do does did i'm i've it's you're don't isn't please any all more than per also "
    "may might must shall should after before until when where while about into out up only both each some just "
    "still now then too again because these those them our my me him come comes get gets",
    "de": "der die das und ist sind war wurde wurden ein eine einen einem einer nicht kein keine mit "
    "für auf von zu zum zur im in den dem des sie ihre ihr ihren ihnen ich wir es auch noch bis "
    "wenn oder aber haben hat habe kann können werden wird bei nach aus an am um als so sich wie",
    "es": "el la los las un una de del y en que es son fue ha han su sus se por para con no al lo "
    "como más pero está están le les usted hay o si ya a este esta puede aún muy mi he hemos",
    "fr": "le la les un une des de du et est sont a été au aux en que qui ne pas pour par avec sur "
    "dans vous votre vos je nous il elle ce cette ces ou mais si se son sa ses plus peut j'ai c'est "
    "n'est d'un d'une",
    "it": "il lo la i gli le un una di del della dei delle e è sono che non per con su nel nella al "
    "alla da dal suo sua suoi ha ho abbiamo si più ma se o come questo questa può ci anche stato stata",
    "pt": "o a os as um uma de do da dos das e é são que não para por com no na nos nas em ao à seu "
    "sua seus foi está estão se mais mas ou como este esta pode você tem há já eu",
    "nl": "de het een en van is zijn was in op te met voor niet geen dat die u uw ik we wij er aan "
    "bij naar om ook maar of als kan kunnen wordt worden heeft heb hebben nog deze dit tot uit",
    "sv": "och att det som en ett är på av för med den inte till har du din ditt jag vi kan men om "
    "eller från så var ska blir",
    "da": "og at det som en et er på af for med den ikke til har du din dit jeg vi kan men om eller "
    "fra så var skal bliver",
    "pl": "i w na z do nie się jest to że są po od za dla ale lub jak przez pan pani oraz został "
    "została było twoje twój",
    "tr": "ve bir bu için ile da de olarak değil var yok çok daha ama veya siz sizin olan olduğu",
}  # fmt: skip

# Scripts that settle the question without words.
SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)

# Letters that few of the languages above write: they count as a word of these would.
_LETTERS = {
    "ß": ("de",), "äö": ("de", "sv"), "ü": ("de", "tr"), "ñ¿¡": ("es",), "ãõ": ("pt",), "œ": ("fr",),
    "å": ("sv", "da"), "øæ": ("da",), "ąęłńśźż": ("pl",), "ığş": ("tr",),
}  # fmt: skip
_READ = 4_000
"""Characters that are read: more of a text says nothing new."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Backticked code, URLs and addresses are of no language.
_NOT_WORDS = re.compile(r"`[^`]*`|https?://\S+|(?<!\S)[^\s@]+@\S+")


@cache
def _languages_of_words() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for language, words in FUNCTION_WORDS.items():
        for word in words.split():
            table[word] = (*table.get(word, ()), language)
    table["I"] = ("en",)  # written small it is Italian, Danish and Polish
    return table


def is_function_word(word: str) -> bool:
    """Whether a word in small letters is among the commonest of one of these languages: grammar, which names nothing."""
    return word in _languages_of_words()


@remembered(4096)
def language_of(text: str) -> str:
    """The ISO 639-1 code of ``text``'s language, ``UNKNOWN`` where its words do not tell.

    A word counts for each language that has it, by one over their number: one "nicht" outweighs two
    words that half of Europe shares.
    """
    text = text[:_READ]
    ascii_alone = text.isascii()
    words = _WORD.findall(_NOT_WORDS.sub(" ", text).replace("’", "'"))
    letters = "".join(words)
    if not letters:
        return UNKNOWN
    for language, script in SCRIPTS if not ascii_alone else ():
        found = len(script.findall(letters))
        # Japanese mixes its own letters with Chinese ones; a quarter of them is enough to tell.
        if found * (4 if language == "ja" else 2) > len(letters):
            return language
    table = _languages_of_words()
    scores: dict[str, float] = {}
    for word in words:
        languages = table.get(word) or table.get(word.lower())
        # "AM", "PM" and "OR" are abbreviations, not German, not English.
        if languages and not (len(word) > 1 and word.isupper()):
            for language in languages:
                scores[language] = scores.get(language, 0.0) + 1 / len(languages)
    written = set() if ascii_alone else set(text.lower())
    for some, languages in _LETTERS.items() if written else ():
        for language in languages if written.intersection(some) else ():
            scores[language] = scores.get(language, 0.0) + 1 / len(languages)
    ranked = sorted(scores.items(), key=lambda pair: -pair[1])
    if not ranked or ranked[0][1] < 1:
        return UNKNOWN
    # Answers are in English unless they say otherwise: a foreign lead has to be a clear one.
    lead = 0.5 if ranked[0][0] == "en" else 0.75
    if len(ranked) > 1 and ranked[0][1] - ranked[1][1] < lead:
        return UNKNOWN
    return ranked[0][0]
