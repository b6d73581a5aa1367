"""Proper names: capitalised words that grammar does not explain."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.language import UNKNOWN, language_of
from affidavit.ledger.values.calendar_names import calendar_names
from affidavit.ledger.values.text import fold
from affidavit.ledger.values.value import Value

_WORD = re.compile(r"(?:[A-Z]\.){2,}|[^\W_](?:\w|[-'’&](?=\w))*")
_JOIN = re.compile(r" (?:(?:la|le|van|von|der|den|&)(?: (?:der|den))?) |\s?&\s?| ")
_START = re.compile(
    r"(?:[.!?:;…|>•\n]|(?:^|\n)\s{0,12}(?:[-*+]|\d+[.)])|(?:^|\s)\(?[A-Za-z]\)|[\"“”„«»(\[*_#`—–]|\s-\s)\s{0,12}$"
)

# Words that begin sentences and labels. Cut off the front of a name, and never a name alone.
_STARTERS = frozenset(
    "a about above according actually add additionally after again all also although an and another "
    "any anything are as at based be because before below besides best between both but by call can "
    "check click come confirm contact could currently customer dear delivered delivery despite did dr "
    "do does done during each either enjoy enter estimated even every expect feel finally find first "
    "for from further get go good great had has have he hello her here hey hi his how "
    "however i if i'd i'll i'm i've in including instead is it it's its just keep last later let "
    "let's like line list looking make many may maybe meanwhile might more most mr mrs ms my need "
    "neither new next no non nor not note nothing now of off ok okay old on once one only open or order "
    "other our out over overall page paid payment per perhaps please price prof quick regarding result "
    "sadly same see several she should show since so some sorry speak status step still "
    "such sure tell thank thanks that that's the their them then there therefore there's these they "
    "this those though three through thus to today together tomorrow too total try two under "
    "unfortunately unless until up upon use using very via visit was we we'll we're we've welcome "
    "were what what's when where whereas whether which while who whose why will with within without "
    "change changed replace replaced original contains modify modified cancel cancelled canceled "
    "return returned exchange exchanged update updated refund refunded add added remove removed book "
    "booked set sent scheduled created moved renewed "
    "nearly almost roughly approximately around exactly across among "
    "would yes yesterday yet you you'll you're you've your yours".split()
)
_FOREIGN_STARTERS = frozenset(
    "der die das den dem des ein eine einen und oder aber ist sind im in am an auf für mit von zu "
    "zum zur bei nach sie ihr ihre ihren ihrem ihnen ich wir es er wenn kann können ja nein hallo "
    "guten bitte danke "
    "el la los las un una unos y o su sus en de del con por para es son al se no sí hola gracias "
    "usted si le les des du et ou votre vos notre nous vous il elle ils est sont dans sur avec pour "
    "bonjour merci oui non je il lo gli un uno una e o suo sua con per nel sono ciao grazie "
    "os as um uma seu sua em com não olá obrigado het een en of uw u wij ik op met voor van".split()
)
_NEVER_NAMES = frozenset("the your our my this that these those and or if it its".split())
# "Terminal 1" and "Room 204" name a number, which is found as one.
_IS = re.compile(
    r"\s(?:is|was|has|had|costs?|includes?|included|offers?|comes|runs|opens?|closes|leaves|departs|"
    r"arrives|starts|ends|gives|gets|allows|can|will|does|did|ist|hat|kostet|"
    r"est|a|coûte|comprend|es|tiene|cuesta|incluye|è|ha|costa|é|tem|custa|kost|heeft)\b"
)
_DECIMALS = re.compile(r"[.,:%]\d|%")
_LABELS = frozenset(
    "address terminal gate platform room suite unit line page clause section step option order item invoice "
    "flight seat coach track level tier phase version no number chapter article table figure apt "
    "apartment floor building zone day week grade class size part route bus lot block box code "
    "account ticket case booking reservation source document doc episode season act stage rule "
    "appendix annex exhibit paragraph quarter line platz zimmer gleis wagen coche vía".split()
)
# Not "of" and "de", which join a name to its place as often as they are part of it: "Hotel Miramar
# de Valencia" is in evidence that has the hotel and the city apart.
_JOINERS = frozenset("la le van von der den".split())


def find_names(text: str, taken: bytearray) -> Iterator[Value]:
    """Names of people, places, firms and products, conservatively.

    A capital at the start of a sentence or label says nothing, and German capitalises its nouns:
    there only several capitals in a row count.
    """
    language = language_of(text)
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        if not run and word[0].islower():
            continue  # nothing that a name begins with
        if run and word[0] in _JOINERS:
            continue  # "Ludwig van Beethoven": the gap between the capitals is judged when they meet
        fits = taken.find(1, word.start(), word.end()) < 0 and _may_belong(text, word, run)
        owned = bool(run) and run[-1][0].endswith(("'s", "’s"))  # "Ines Valdarno's The Salt Road"
        if fits and not owned and (not run or _JOIN.fullmatch(text, run[-1].end(), word.start())):
            run.append(word)
            continue
        if run:
            yield from _name(text, run, language)
        run = [word] if fits and _is_capital(word[0]) else []
    yield from _name(text, run, language)


def _may_belong(text: str, word: re.Match[str], run: list[re.Match[str]]) -> bool:
    """Whether a word can stand in a name: a capital, or digits after one: "AquaJet 300"."""
    if _is_capital(word[0]):
        return True
    decimal = _DECIMALS.match(text, word.end())
    return bool(run) and word[0].isdigit() and not decimal and not run[-1][0].isupper()


def _is_capital(word: str) -> bool:
    """ "Porto", "SWISS", "iPhone", and "3-Person" with its capital after the digits."""
    if word[0].isdigit():
        return bool(re.match(r"\d+-[^\W\d_]", word)) and word.split("-")[1][0].isupper()
    return word[0].isupper() or (any(c.isupper() for c in word[1:4]) and word.isalpha())


def _name(text: str, run: list[re.Match[str]], language: str) -> Iterator[Value]:
    whole = run
    run = _trimmed(text, run, foreign=language not in (UNKNOWN, "en"))
    if not run:
        return
    start, end = run[0].start(), run[-1].end()
    if text[start:end].endswith(("'s", "’s")):
        end -= 2
    if _is_label(text, whole[0].start(), end):
        return
    if len(run) == 1 and not _stands_alone(text, run[0], german=language == "de"):
        return
    if len(run) == 2 and language == "de" and _starts_something(text, start):
        return
    if len(run) > 2 and all(word[0].isupper() and len(word[0]) > 1 for word in run):
        return  # a shouted sentence
    yield Value("name", text[start:end], start, end, key=fold(text[start:end]))


def _trimmed(text: str, run: list[re.Match[str]], *, foreign: bool) -> list[re.Match[str]]:
    """A run of capitals without the words at its ends that are no part of a name."""
    run = list(run)
    while run and _is_plain_word(text, run[0], foreign):
        run.pop(0)
    while run and not run[-1][0].isdigit() and _is_plain_word(text, run[-1], foreign):
        run.pop()
    if run and run[-1][0].isdigit() and not _is_model(text, run):
        run.pop()
        while run and fold(run[-1][0]) in _LABELS:
            run.pop()  # "Address Line 2" names no thing but a number
    while len(run) > 1 and fold(run[-1][0]) in _LABELS and _starts_something(text, run[0].start()):
        run.pop()  # "1) Pending Order #W3295833"
    return run


def _is_model(text: str, run: list[re.Match[str]]) -> bool:
    """Whether the digits that end a run are part of the name, as in "AquaJet 300".

    Not in "Room 204", "Widget 88231", "Notes 14(2)", nor at the start of "Across 84 homes".
    """
    digits = run[-1]
    if len(run) == 1 or len(digits[0]) > 4 or fold(run[-2][0]) in _LABELS:
        return False
    if text[digits.end() : digits.end() + 1] == "(":
        return False
    if len(run) > 2 or _is_odd(run[0][0]) or not _starts_something(text, run[0].start()):
        return True
    # "Flex 50 is …" at the start of a sentence, where "Across 84 homes" and "Revenue 2026" are none
    is_year = re.fullmatch(r"(?:19|20)\d\d", digits[0])
    twin = rf"\s(?:and|or|vs\.?|und|oder|et|ou|y|o|e) {re.escape(run[0][0])} \d"
    spoken = _IS.match(text, digits.end()) or re.match(twin, text[digits.end() :][:60])
    return not is_year and bool(spoken)


def _stands_alone(text: str, word: re.Match[str], *, german: bool) -> bool:
    """Whether one capitalised word is a name: not a sentence's first."""
    said = word[0]
    if text[word.end() : word.end() + 1] == ":":
        return False
    loud = len(said) > 1 and (said.isupper() or (said[:-1].isupper() and said[-1] == "s"))
    # "2 Personen" counts them.
    if text[word.start() - 2 : word.start() - 1].isdigit() and text[word.start() - 1] == " ":
        return loud
    if len(said) < 3 or fold(said) in _LABELS:
        return False
    odd = _is_odd(said)
    if german or (not text.isascii() and any(c in text for c in "äöüß")):
        return odd or loud
    return odd or loud or not _starts_something(text, word.start())


def _is_odd(word: str) -> bool:
    """A capital inside the word, as only names have: "AquaJet", "iPhone"."""
    return not word.isupper() and word[1:].lower() != word[1:]


def _is_plain_word(text: str, match: re.Match[str], foreign: bool) -> bool:
    word = match[0]
    if len(word) == 1 and not word.isdigit():
        return True
    lower = word.lower().replace("’", "'").removesuffix("'s")
    if word.isupper() and len(word) > 1:
        return lower in _STARTERS
    # "Los" opens a Spanish sentence, and is half of Los Angeles in English.
    if foreign and lower in _FOREIGN_STARTERS:
        return True
    names = calendar_names()
    if (
        lower.startswith(("i'", "you'"))
        or fold(lower) in names.months
        or (fold(lower) in names.weekdays)
    ):
        return True
    # "New" opens a sentence, and is half of New York inside one.
    return lower in _STARTERS and (_starts_something(text, match.start()) or lower in _NEVER_NAMES)


def _starts_something(text: str, start: int) -> bool:
    return bool(_START.search(text, max(0, start - 12), start)) or start == 0


def _is_label(text: str, start: int, end: int) -> bool:
    """ "Order Total: $5" and "**Next Steps**" are labels, whatever their capitals."""
    after = text[end : end + 4].lstrip("*_ ")
    line = text.rfind("\n", 0, start) + 1
    if text[start:end] == text:
        return " " not in text  # a table's cell may be a name and nothing else
    lead = text[line:start].strip(" *-_#|•>\t0123456789.)")
    return (
        not lead and (after.startswith((":", "|")) or after[:1] == "\n" or end == len(text))
    ) or (text[line : line + 1] == "#")
