"""Words as they are compared: folded, stemmed, without the ones that say nothing.

Evidence speaks in field names (``unit_price``), answers in sentences ("costs $5 each"): a short table
of what agents' tools call things brings the two together.
"""

from __future__ import annotations

import re
import threading
from functools import cache, lru_cache
from typing import Any

from affidavit._remembered import remembered
from affidavit.ledger.values import fold

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s\b)[a-z])")
_ACRONYMS = re.compile(r"(?<=[A-Z]{2})s\b")
"""What makes several of an acronym: DVDs, PDFs, URLs."""

# Function words of the languages answers are most often written in. Negations and quantifiers are not
# here: they carry meaning of their own.
STOP_WORDS = frozenset(
    """
    a an the this that these those it its it's they them their there here he she his her him we us our
    i me my mine you your yours is are was were be been being am do does did done have has had having
    will would can could may might shall should must of in on at by for to from with as and or but if
    so than then also just about into over under after before during per each which who whom whose
    what when where how why out up down off yes please s re ve ll d m t one's very more most some any
    such own same other both still now currently according based get gets got
    der die das den dem des ein eine einen einem einer ist sind war wird werden wurde hat haben sie
    ihr ihre ihren ihnen und oder aber für von zu zum zur im in am an auf mit bis bei aus als auch es
    el la los las un una unos unas es son está están fue ha han su sus y o de del al en por para con se
    lo le que a
    le les une des du au aux est sont était a ont son sa ses et ou mais dans sur pour par avec ce cette
    il elle vous votre vos
    di da il lo gli e è sono nel nella per con si che o os um uma é são com não het een en van op voor
    """.split()
)

NEGATIONS = frozenset(
    """
    no not none never neither nor without cannot nothing nobody nowhere hardly n't isn't aren't wasn't
    weren't don't doesn't didn't won't can't couldn't hasn't haven't hadn't wouldn't shouldn't unable
    kein keine keinen keiner keinem nicht nie niemals ohne ni nunca jamás ningún ninguna ninguno sin
    pas jamais aucun aucune sans nessun nessuna non senza geen niet nooit nenhum nenhuma não nem
    """.split()
)

# Each line is one notion, under the words tools and answers use for it. Stems are compared.
_NOTIONS = """
    price cost costs rate charge charged fee fare amount pay paid payment
    total sum altogether overall together combined
    start starts begin begins started began begun commence commenced opening from
    end ends ended finish until expires expiry expire valid
    arrive arrives arrival land lands delivery deliver delivered eta due
    depart departs departure leave leaves
    remaining left remains balance available
    used taken spent consumed
    issued issue created placed opened ordered
    customer client buyer guest passenger traveller user
    organizer host organised organized organizing organizing organised
    assignee assigned owner responsible
    phone telephone mobile tel
    address street location place venue
    quantity qty count number units many
    duration length lasts long takes runtime period
    weight weighs heavy
    height tall
    capacity seats holds sleeps
    rating score rated stars
    reviews ratings
    killed died dead death deaths fatal fatality fatalities perished deceased
    hurt injured injury injuries wounded
    refund refunded refundable reimbursed
    cancel cancelled cancellable canceled cancellation
    ship shipped shipment shipping dispatch dispatched
    transport travel
    return returned returnable returns send-back
    discount off saves saving reduction
    tax vat iva mwst
    status state condition
    precipitation precip rain prob probability chance
    minimum min least
    maximum max most limit
    average mean avg
    version release
    error fault failure failed fails
    approve approved approval
    confirm confirmed confirmation
    complete completed finished done
    free complimentary
    need require required requires needs must mandatory compulsory obligatory
    page pages pp
    author authors written
    vendor supplier seller merchant payee
    email e-mail mail
    employee staff person
    breakfast meal meals
    stock inventory
    available stock
    salary pay wage
    bag baggage luggage
    child children kid kids
    payment transaction
    platform track gleis anden quai binario voie spoor perron
    seat asiento sitz sitzplatz siege posto
    coach carriage car coche wagen voiture carrozza
    price precio preis prix prezzo prijs
    invoice rechnung factura facture fattura factuur
    due fallig zahlbar bezahlen vence
    discount skonto rabatt descuento remise sconto korting
    one 1
    two 2
    three 3
    four 4
    five 5
    """


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The word without its inflection, folded (the Snowball English stemmer; other languages keep
    their folded form, which is what it mostly leaves them)."""
    plain = word.isascii() and word.isalnum()
    folded = word.lower() if plain else fold(word).replace("'s", "").replace("’s", "")
    if folded[-1:].isdigit() or _VOWELS.isdisjoint(folded):
        if len(folded) > 3 and folded[-1] == "s" and folded != "https":
            return folded[:-1]  # several of an acronym: pdfs
        return folded  # codes, which no rule of the stemmer changes: columns have thousands of them
    return str(_stemmer().stemWord(folded))


_VOWELS = frozenset("aeiouy")


_OF_THREAD = threading.local()


def _stemmer() -> Any:
    """The stemmer of this thread: it keeps the word it works on in itself, and must not be shared."""
    found = getattr(_OF_THREAD, "stemmer", None)
    if found is None:
        import snowballstemmer

        found = _OF_THREAD.stemmer = snowballstemmer.stemmer("english")
    return found


def words(text: str) -> list[str]:
    """All words of a text, folded, in order, function words included. ``OOMKilled`` is two words."""
    return [_plain(word) for word in _WORD.findall(_JOINED.sub(" ", _ACRONYMS.sub("", text)))]


def _plain(word: str) -> str:
    return word.lower() if word.isascii() and word.isalnum() else fold(word).removesuffix(" s")


@remembered(65536)
def content_stems(text: str) -> frozenset[str]:
    """Stems of the words that say something: no function words, no negations. ``PayPal`` is "pay", "pal" and,
    as others write it, "paypal"."""
    return _stems_of(text)


def _stems_of(text: str) -> frozenset[str]:
    said = _WORD.findall(_JOINED.sub(" ", _ACRONYMS.sub("", text)))
    found = {*map(_content_stem, said), *map(stem, _BRAND.findall(text))}
    found.discard("")
    return frozenset(found)


def word_runs(text: str) -> list[str]:
    """The stretches of a text that words stand in, as they are written: whatever splits words and joins them looks no
    further, so that the stems of a text are those of its runs (:func:`stems_of_run`)."""
    return _RUN.findall(text)


_RUN = re.compile(r"[\w'’]+")


def stems_of_run(run: str) -> frozenset[str]:
    """The content stems of a stretch of :func:`word_runs`."""
    if run.isdecimal() and run.isascii():
        return frozenset((run,))  # a long table is mostly numbers
    return _stems_of(run)


@lru_cache(maxsize=65536)
def _content_stem(word: str) -> str:
    """The stem of a word as it is written; nothing for one that says nothing."""
    if word.isdecimal() and word.isascii():
        return word  # a long table is mostly numbers
    plain = _plain(word)
    if plain in STOP_WORDS or plain in NEGATIONS or (len(plain) == 1 and not plain.isdigit()):
        return ""
    return stem(plain) if " " not in plain or not _CONTRACTED.search(plain) else ""


_BRAND = re.compile(r"\b[A-Z][a-z]+[A-Z][a-z]+\b")


_CONTRACTED = re.compile(r" (?:t|ve|ll|re|d|m)$")
"""What is left of "don't" and "you'll": words of grammar and denial."""


@lru_cache(maxsize=65536)
def notions(stemmed: str) -> frozenset[str]:
    """The stems that may stand for this one, itself included."""
    return _notion_table().get(stemmed, frozenset()) | {stemmed}


@cache
def _notion_table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _NOTIONS.strip().splitlines():
        group = {stem(word) for word in line.split()}
        for member in group:
            table.setdefault(member, set()).update(group)
    return {member: frozenset(group) for member, group in table.items()}


def named_in(stems: frozenset[str], text_stems: frozenset[str]) -> frozenset[str]:
    """Those of ``stems`` that a text says, in the same or another word."""
    return frozenset(
        s for s in stems if not notions(s).isdisjoint(text_stems) or _shortened(s, text_stems)
    )


def _shortened(word: str, text_stems: frozenset[str]) -> bool:
    """Field names shorten: ``auto_renew`` is "automatically"."""
    if len(word) < _LEAST_SHORT:
        return False
    if any(word[:size] in text_stems for size in range(_LEAST_SHORT, len(word))):
        return True
    # One search through all of them: the stems of a long log are many thousands.
    return f"\n{word}" in "\n" + "\n".join(text_stems)


_LEAST_SHORT = 4
