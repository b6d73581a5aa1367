"""What the names of tools and arguments say about their values."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

from pydantic import JsonValue

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """``pickUpPlaceID`` → pick, up, place, id."""
    return tuple(word.lower() for word in _WORD.findall(name.replace("IDs", "Ids")))


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The last word of a name whose value stands for one existing thing.
IDENTIFIER = _set(
    "id ids uuid uuids guid uid uids identifier identifiers sku skus asin asins isbn ean upc gtin vin "
    "iban imei ssn nin ein mrn doi dois pmid orcid arn arns pnr locator locators rma awb sha commit token "
    "cursor slug slugs eid urn cvv cvc otp passcode bic swift"
)
IDENTIFIER_PAIRS = frozenset({("cvv", "2")})
# These too, unless the word before says that it counts or places something.
NUMBER = _set("number numbers no num nr nos")
NOT_A_NUMBER_OF = _set(
    "page line row column col max min total count version week chapter step attempt port house "
    "street room floor seat guest guests random lucky sequence start end"
)
# A code or a key is an identifier after one of these words.
CODE = _set("code codes key keys")
CODE_OF = _set(
    "confirmation booking reservation tracking order voucher coupon promo discount gift referral "
    "invite invitation access auth authorization redemption search issue ticket project product "
    "item customer account session place object record entity asset offer file api security verification "
    "otp sms pass"
)
# Things that have identifiers: `order="ORD-88213"` is one, `customer="Lumen Dental"` is not.
THING = _set(
    "order orders invoice invoices ticket tickets account accounts customer tracking parcel shipment "
    "transaction transactions payment contract case incident employee user member device booking "
    "reservation confirmation reference ref target resource object record item items issue "
    "entity asset policy claim patient candidate vehicle container package parent source document "
    "subscription campaign message thread conversation channel pull pr"
)
# Of these a bare number may be how much or how many, and not which.
NOT_NUMBERED = _set("payment claim target source parent message campaign item items ref policy")
# Somebody with an account: `user="bob_k"` is a handle, `user="Bob"` is a name.
SOMEBODY = _set("user users member employee approver requester recipient participant participants")
HANDLE = _set(
    "handle handles username usernames login mention mentions assignee assignees reviewer reviewers"
)
HANDLE_PAIRS = frozenset({("user", "name"), ("screen", "name"), ("user", "handle")})
PHONE = _set("phone phones mobile tel telephone fax whatsapp msisdn cell")
URL = _set(
    "url urls uri uris link links href endpoint website webpage webhook callback domain hostname host permalink"
)
PATH = _set(
    "path paths file files filename filenames filepath filepaths dir directory folder cwd workdir"
)

# Names of a vocabulary that everybody knows, or of the caller's own choosing, not of one thing.
WORLD = _set(
    "timezone tz locale language lang currency country model font color colour unit encoding charset "
    "mime type voice theme"
)
# Slashes and dots that are no path.
NOT_A_PATH = _set(
    "type mime repo repository package packages module image images model branch tag ref version "
    "format date time range ratio scope permission topic channel namespace"
)

# Written by the caller for its own use: nobody could have supplied it.
OWN = _set("idempotency nonce")
OWN_PAIRS = frozenset({("client", "token"), ("request", "token"), ("client", "reference")})

# Words of a name whose value is the model's own wording.
PROSE = _set(
    "text message body content contents title subject description note notes comment comments reason "
    "summary question answer instructions instruction prompt caption label reply feedback details "
    "memo remark remarks abstract bio html markdown greeting name"
)
QUERY = _set(
    "query queries q search keyword keywords term terms expression sql filter filters pattern patterns "
    "regex glob jql cql where criteria"
)
# Of these, what is written in a notation of its own, where a slash begins no path.
PATTERN = _set("expression sql filter filters pattern patterns regex glob jql cql where")
CODE_TEXT = _set(
    "command commands cmd script snippet program python javascript bash shell patch diff "
    "template payload data json xml yaml csv schema"
)
CODE_TEXT_PAIRS = frozenset({("source", "code")})

# Verbs of tools that bring something new into being: it is theirs to name.
CREATES = _set(
    "create make mkdir new generate register init initialize define provision draft touch insert"
)
WRITES = CREATES | _set("write save export render dump put screenshot")
MOVES = _set("move rename copy mv cp")
# With one of these it brings nothing new: `get_new_messages`, `read_export`.
READS = _set(
    "get list find fetch read search query show check view describe load open lookup retrieve count"
)
DESTINATION = _set("dest destination output out save new")
SOURCE = _set("source src input from template old original base")

# Verbs and nouns of tools whose text goes to somebody.
SENDS = _set(
    "send reply email mail message notify post publish comment tweet sms forward respond answer "
    "announce dm text slack"
)

# Words that stand for a thing without identifying it.
SENTINELS = _set(
    "me self myself default primary all any none null current latest root inbox main auto new unknown "
    "n/a na unassigned everyone here channel team * - . / ~ .. ./ 0 -1 true false home"
)


def actions(args: JsonValue) -> list[tuple[str, ...]]:
    """The words of each action that arguments tell a tool to take: ``command="view"``."""
    if not isinstance(args, dict):
        return []
    told = (args.get(key) for key in ("command", "action", "operation", "method"))
    return [words(text) for text in told if isinstance(text, str) and len(text) < 24]


def counts(name: str) -> bool:
    """Whether a small number under this name is an amount: ``people_number=2``, ``guest_no=4``."""
    parts = words(name)
    return parts[-1:] != () and parts[-1] in NUMBER and not set(parts[:-1]) & THING


@lru_cache(maxsize=4096)
def identifier_name(name: str) -> bool:
    """Whether an argument of this name holds an identifier whatever its value looks like."""
    parts = words(name)
    if not parts:
        return False
    last, before = parts[-1], parts[-2] if len(parts) > 1 else ""
    if WORLD & set(parts[:-1]):
        return False
    if last in IDENTIFIER or (before, last) in IDENTIFIER_PAIRS:
        return True
    if last in NUMBER:
        return bool(before) and before not in NOT_A_NUMBER_OF
    return last in CODE and before in CODE_OF


def thing_name(name: str) -> bool:
    """Whether an argument of this name may hold an identifier: its value decides. A code or a key of
    something else (``zip_code``) is none."""
    parts = words(name)
    return bool(parts) and (parts[-1] in THING or (len(parts) == 1 and parts[0] in CODE))


def numbered_thing(name: str) -> bool:
    """Whether a number under this name says which thing is meant: ``record=77123``."""
    return thing_name(name) and words(name)[-1] not in NOT_NUMBERED


def somebody(parts: tuple[str, ...]) -> bool:
    """Whether an argument of this name says who: ``user``, ``assigned_to``."""
    assigned = parts[-1:] == ("to",) and not {"assign", "assigned"}.isdisjoint(parts)
    return assigned or (parts[-1:] != () and parts[-1] in SOMEBODY)


def own_name(name: str) -> bool:
    """Whether the caller makes the value up, by the argument's purpose."""
    parts = words(name)
    return bool(OWN & set(parts)) or any(pair in OWN_PAIRS for pair in itertools.pairwise(parts))
