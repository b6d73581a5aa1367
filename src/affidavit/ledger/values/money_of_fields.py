"""Amounts of money in fields: which they are, in whole units or cents, and in which currency."""

from __future__ import annotations

import re

from affidavit.ledger.records import Cell, Record
from affidavit.ledger.values.currencies import CODES, SIGNS
from affidavit.ledger.values.field_paths import (
    PERCENT,
    UNIT_HOLDERS,
    ancestry,
    field_words,
    lower_steps,
    names_of,
    texts_of,
)

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
_AMOUNTS_IN = re.compile(
    r"(?:(?:amounts?|prices?|values?|totals?|money|figures|currency|betr[aä]ge?|importes?|valores|"
    r"montants?|importi|belopp)_(?:are_)?(?:in|scale|format|expressed_in)|currency_minor_units?|"
    r"minor_units?|denomination)"
)
_CURRENCY_HOLDERS = (
    "currency", "currency_code", "ccy", "currency_iso", "moneda", "moeda", "divisa", "valuta",
    "devise", "währung", "waehrung", "waluta", "monnaie",
)  # fmt: skip


def is_money(cell: Cell) -> bool:
    """Whether a field can hold an amount of money, by the words of its name."""
    words = field_words(cell.path)
    names = set(words)
    if not words or PERCENT & names:
        return False
    if named_minor(words) or words[-1].upper() in CODES:
        return True
    if words[-1] in _NO_AMOUNT or (words[-1] in _SHARES and not _PER_TIME & names):
        return False
    if words[-1].endswith(("price", "cost", "fee", "fees", "preis", "betrag", "cents")):
        return True
    return bool(_AMOUNT & names) or "price" in names


def is_minor(cell: Cell, record: Record, *, whole: bool) -> bool:
    """Whether an amount is in cents: by its name, or by ``amount_unit: "minor (cents)"``.

    A fraction of a cent is so called only by name: ``price_per_kwh_cents: 31.4``.
    """
    words = field_words(cell.path)
    if named_minor(words[-1:], words):
        return True
    return whole and any(map(_says_minor, ancestry(record)))


def named_minor(ends: tuple[str, ...], words: tuple[str, ...] = ()) -> bool:
    """Whether one of some words is a hundredth of a currency's unit, next to the others."""
    names = set(ends)
    return bool(names & _MINOR - _DOUBTFUL_MINOR) or bool(
        names & _DOUBTFUL_MINOR and _AMOUNT & set(words or ends)
    )


def _says_minor(record: Record) -> bool:
    """ "unit: ct", "amounts_in: cents" and "currency_minor_unit: 2"."""
    for cell in record.cells:
        name = lower_steps(cell.path)[-1:]
        if not name:
            continue
        hint = bool(_AMOUNTS_IN.fullmatch(name[0]))
        if isinstance(cell.raw, str) and len(cell.raw) < 40:
            spoken = hint or name[0].endswith(UNIT_HOLDERS)
            if spoken and _MINOR_SAID.search(cell.raw):
                return True
        elif hint and "minor" in name[0] and (cell.raw is True or cell.raw == 2):
            return True
    return False


def currency_of(cell: Cell, record: Record) -> str:
    """The currency of an amount: in its name, beside it, or in a record around it; else ""."""
    for word in reversed(field_words(cell.path)):
        if word.upper() in CODES:
            return word.upper()
    parents = names_of(cell.path)[:-1]
    for holder in ancestry(record):
        found = list(texts_of(holder, _CURRENCY_HOLDERS))
        # The currency in the same object first: {"price": {"amount": 9, "currency": "EUR"}}
        found.sort(key=lambda entry: entry[0][:-1] != parents)
        for _, raw in found:
            code = raw.strip()
            return code.upper() if code.upper() in CODES else SIGNS.get(code, code.upper())
        for path, raw in texts_of(holder, UNIT_HOLDERS):  # {"value": 9.5, "unit": "EUR"}
            code = raw.strip().split(" ")[0].split("/")[0]
            if path[:-1] == parents[: len(path) - 1] and (code in CODES or code in SIGNS):
                return code if code in CODES else SIGNS[code]
    return ""
