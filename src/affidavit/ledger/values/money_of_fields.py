"""Amounts of money in fields: which they are, in whole units or cents, and in which currency."""

from __future__ import annotations

import re

from affidavit.ledger.values.currencies import CODES, SIGNS
from affidavit.ledger.values.field_paths import (
    AMOUNTS_IN,
    CURRENCY_HOLDERS,
    PERCENT,
    UNIT_HOLDERS,
    Declared,
    Level,
    Path,
    field_words,
    lower_steps,
    names_of,
    texts_of,
    undated,
)
from affidavit.ledger.values.text import singular
from affidavit.ledger.values.units import quantity_unit, time_unit

_AMOUNT = frozenset(
    "amount balance price cost fee total subtotal tax taxes charge charged refund payment paid due "
    "discount deposit salary wage rent fare rate revenue spend spent credit debit limit value net "
    "gross budget income expense owed owing available current pending reserved shipping base "
    "premium payout tip surcharge fine sum overage tariff savings topup "
    "bill invoice installment instalment preise importo imposto propina renta cuota miete gehalt "
    "belopp pris avgift beløb beløp kwota cena summa loyer salaire totale spesa factura rechnung "
    "preis betrag summe saldo gebühr kosten gesamt precio importe saldo coste prix montant solde "
    "prezzo importo preço valor prijs bedrag".split()
)
_NO_AMOUNT = frozenset(
    "id ids count number no qty quantity days nights hours items pages rank index version "
    "results hits rows year month seats stars rating score".split()
)
_SHARES = frozenset("rate ratio share yield".split())
_PER_TIME = frozenset(
    "night nightly day daily hour hourly week weekly month room base price".split()
)
_CHARGED_BY = frozenset(
    "night day week month year hour minute person head guest adult child unit item piece seat user km mile kg litre kwh".split()
)
_MINOR = frozenset(
    "cents cent cts minor pence centimes centime centimos céntimos cêntimos centimo céntimo "
    "centesimi centavos centavo rappen öre øre ore grosze groszy grosz paise paisa kopecks kopeks "
    "haléře haleru halere fillér bani senti satang eurocent eurocents".split()
)
# Also words of their own, which need an amount beside them: Italian "ore" are hours.
_DOUBTFUL_MINOR = frozenset("ore bani".split())
_MINOR_SAID = re.compile(
    rf"(?<![^\W_])(?:{'|'.join(sorted(_MINOR - _DOUBTFUL_MINOR))}|ct)(?![^\W_])", re.I
)


def is_money(path: Path) -> bool:
    """Whether a field can hold an amount of money, by the words of its name."""
    words = undated(field_words(path))
    names = set(words)
    if not words or PERCENT & names:
        return False
    if named_minor(words) or words[-1].upper() in CODES or words[-1] in SIGNS:
        return True
    if "per" in words[1:] and words[words.index("per", 1) - 1].upper() in CODES:
        return True  # "eur_per_month"
    if words[-2:-1] == ("per",) and words[-1] in _CHARGED_BY and len(words) == 2:
        return True  # "per_day", which says nothing but by what it is charged
    if is_per_time(words):
        return True
    if words[-1] in _NO_AMOUNT or (words[-1] in _SHARES and not _PER_TIME & names):
        return False
    if words[-1].endswith(("price", "cost", "fee", "fees", "preis", "betrag", "cents")):
        return True
    return bool(_AMOUNT & names) or "price" in names


def is_charge(path: Path, declared: Declared) -> bool:
    """Whether a field says by its name for what one pays, and a currency is told beside it: ``breakfast_per_person``.
    What is counted stands in the plural, ``guests_per_room``, and what is measured has a unit, ``km_per_day``."""
    words = field_words(path)
    if "per" not in words[1:] or words[-1] not in _CHARGED_BY or words[0] in _NO_AMOUNT:
        return False
    of = words[words.index("per", 1) - 1]
    counted = of.endswith("s") or quantity_unit(of) or time_unit(of)
    return not counted and bool(currency_of(path, declared))


_PRICES = frozenset(
    "price prices cost costs fee fees fare fares rent salary wage premium surcharge deposit tip refund payout "
    "subtotal discount tax vat msrp rrp precio precios importe coste costo prix coût montant prezzo preis "
    "preise betrag kosten preço valor prijs bedrag pris cena".split()
)


def is_per_time(words: tuple[str, ...]) -> bool:
    """Whether a price by name ends in the span it is charged for: ``condo_fee_month``. Spans are counted in the plural."""
    priced = len(words) > 1 and words[-2] in _PRICES
    return priced and words[-1] in _CHARGED_BY and time_unit(words[-1]) is not None


def is_price(path: Path) -> bool:
    """Whether a field holds money whatever unit stands beside it: ``unit: kg, price: 4.20``."""
    return bool(_PRICES & set(field_words(path)))


def is_count(path: Path) -> bool:
    """Whether a field counts things, by a plural at the end of its name that is no amount: ``seats``, ``paid_orders``.
    Earnings and savings are amounts."""
    words = undated(field_words(path))
    last = words[-1] if words else ""
    amount = not {last, singular(last)}.isdisjoint(_AMOUNT | _PRICES | _MINOR)
    return (
        singular(last) != last and not last.endswith("ings") and not amount and not is_money(path)
    )


def is_minor(path: Path, declared: Declared, *, whole: bool) -> bool:
    """Whether an amount is in cents: by its name, or by ``amount_unit: "minor (cents)"``.

    A fraction of a cent is so called only by name: ``price_per_kwh_cents: 31.4``.
    """
    words = undated(field_words(path))
    if named_minor(words[-1:], words) or _is_minor_by(words):
        return True
    return whole and any(_says_minor(level, words) for level in declared)


def _is_minor_by(words: tuple[str, ...]) -> bool:
    """ "day_rate_p_per_kwh" and "cents_per_minute": the hundredth stands before what it is by."""
    if "per" not in words[1:]:
        return False
    before = words[words.index("per", 1) - 1]
    return before in ("p", "c") or named_minor((before,), words)


def named_minor(ends: tuple[str, ...], words: tuple[str, ...] = ()) -> bool:
    """Whether one of some words is a hundredth of a currency's unit, next to the others."""
    names = set(ends)
    return bool(names & _MINOR - _DOUBTFUL_MINOR) or bool(
        names & _DOUBTFUL_MINOR and _AMOUNT & set(words or ends)
    )


def _says_minor(level: Level, words: tuple[str, ...]) -> bool:
    """ "unit: ct", "amounts_in: cents" and "currency_minor_unit: 2"; of the field of one name alone where
    the path goes on with that name."""
    for path, raw in level:
        if not isinstance(raw, str):
            return True
        if len(path) == 2 and path[0] == "amounts_in":
            if " ".join(words).endswith(str(path[1])):
                return True
            continue
        last = lower_steps(path)[-1]
        spoken = last.endswith(UNIT_HOLDERS) or AMOUNTS_IN.fullmatch(last)
        if spoken and _MINOR_SAID.search(raw):
            return True
    return False


def currency_of(path: Path, declared: Declared) -> str:
    """The currency of an amount: in its name, beside it, or in a record around it; else ""."""
    for word in reversed(field_words(path)):
        if word.upper() in CODES or word in SIGNS:
            return SIGNS.get(word) or word.upper()
    parents = names_of(path)[:-1]
    for level in declared:
        found = list(texts_of(level, CURRENCY_HOLDERS))
        # The currency in the same object first: {"price": {"amount": 9, "currency": "EUR"}}
        found.sort(key=lambda entry: entry[0][:-1] != parents)
        for _, raw in found:
            code = raw.strip()
            return code.upper() if code.upper() in CODES else SIGNS.get(code, code.upper())
        for names, raw in texts_of(level, UNIT_HOLDERS):  # {"value": 9.5, "unit": "EUR"}
            code = raw.strip().split(" ")[0].split("/")[0]
            if names[:-1] == parents[: len(names) - 1] and (code in CODES or code in SIGNS):
                return code if code in CODES else SIGNS[code]
    return ""


_SCALED = re.compile(
    r"(?:in\s)?(?P<before>k|T|m|M|mn|bn|Mio\.?|Mrd\.?|thousands?|millions?|billions?)?(?:\sof)?\s?"
    r"(?P<code>[A-Z]{3}|[$€£])(?:\s?(?P<after>k|m|M|mn|mln|bn|b|'?000s?|thousands?|millions?|billions?|Mio\.?|Mrd\.?))?"
)
_SCALES = {
    "k": 3, "t": 3, "thousand": 3, "000": 3, "m": 6, "mn": 6, "mln": 6, "mio": 6, "million": 6, "bn": 9, "b": 9,
    "mrd": 9, "billion": 9,
}  # fmt: skip


def scaled_currency(raw: str) -> tuple[str, int] | None:
    """The currency that a unit is, and how many zeros it leaves out: "kEUR", "USD millions", "€m"."""
    match = _SCALED.fullmatch(raw.strip())
    if match is None:
        return None
    code = match["code"]
    if code not in CODES and code not in SIGNS:
        return None
    word = (match["before"] or match["after"] or "").lower().strip(".'")
    word = word.removesuffix("s") if len(word) > 3 else word
    return SIGNS.get(code, code), _SCALES.get(word.removesuffix("s"), _SCALES.get(word, 0))


def _named_scale(words: tuple[str, ...]) -> tuple[str, int] | None:
    """The currency and the zeros that a field's own name ends in: ``net_debt_meur``, ``revenue_usd_mn``,
    ``sales_thousand_gbp``."""
    for end in (words[-1:], words[-2:]):
        named = _NAMED_SCALE.fullmatch(" ".join(end))
        code = (named["any"] or named["code"] or named["of"]).upper() if named else ""
        if named and code in CODES:
            return code, _SCALES[named["before"] or named["after"]]
    return None


_SCALE = "k|t|m|mn|mln|mio|bn|mrd|thousand|million|billion"
_COMMON_CODES = "eur|usd|gbp|chf|sek|nok|dkk|pln|czk|huf|ron|jpy|cny|inr|aud|cad|nzd|brl|zar"
"""Codes that make no other word with one letter before them, as "tall" is no thousand of ``ALL``."""
_NAMED_SCALE = re.compile(
    rf"(?:(?P<before>{_SCALE})(?: (?P<any>[a-z]{{3}})|(?P<code>{_COMMON_CODES}))|(?P<of>[a-z]{{3}}) (?P<after>{_SCALE})s?)"
)


_BRACKETS = re.compile(r"\(([^()]+)\)\s*$")
_CENTS = ("", -2)


def in_brackets(path: Path) -> tuple[str, int] | None:
    """The currency and the zeros that a column's head has in brackets: "Revenue (k$)", "Rate (ct)"."""
    last = next((step for step in reversed(path) if isinstance(step, str)), "")
    found = _BRACKETS.search(last)
    if found is None:
        return None
    return _CENTS if found[1].lower() in ("ct", "cts") else scaled_currency(found[1])


def declared_money(path: Path, declared: Declared) -> tuple[str, int] | None:
    """The currency, and how many zeros are left out, of a field that says so itself, in brackets or as the end
    of its name; that a unit beside it declares for it: ``unit: kEUR, plan: 120``; or a caption over all figures,
    "in EUR thousand"."""
    words, parents = field_words(path), names_of(path)[:-1]
    if (named := in_brackets(path) or _named_scale(words)) is not None:
        return named
    if not words or words[-1] in _NO_AMOUNT or PERCENT & set(words):
        return None
    for level in declared:
        for where, said in level:
            over_all = (
                scaled_currency(said)
                if where == ("amounts_in",) and isinstance(said, str)
                else None
            )
            if over_all is not None and over_all[1]:
                return over_all
        for names, raw in texts_of(level, UNIT_HOLDERS):
            near = names[-1] in UNIT_HOLDERS and names[:-1] == parents[: len(names) - 1]
            if near and (found := scaled_currency(raw)) is not None:
                return found
    return None
