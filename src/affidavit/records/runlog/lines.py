"""A record as one line of JSON. The body comes last and stays the text that was hashed."""

from __future__ import annotations

import json

from affidavit.records.runlog.facets import facets_of
from affidavit.records.runlog.record import HASH_FORMAT, Facets, Record

OPENING = b'{"format":'
"""What every line begins with: tells a log from somebody else's file."""
_BODY = ',"body":'
_TEXTS = ("time", "kind", "run_id", "previous", "hash")


def to_line(record: Record) -> str:
    """The record's line, without its end."""
    head = {
        "format": HASH_FORMAT,
        "seq": record.seq,
        "time": record.time,
        "kind": record.kind,
        "run_id": record.run_id,
        "previous": record.previous,
        "hash": record.hash,
    }
    return f"{json.dumps(head, separators=(',', ':'))[:-1]}{_BODY}{record.body}}}"


def from_line(line: str) -> Record:
    """The record of a line; raises ValueError, KeyError or TypeError where it is none."""
    # A quote inside a string is escaped, so the first of these is the key itself.
    head, found, rest = line.partition(_BODY)
    if not found or not rest.endswith("}"):
        raise ValueError("no body")
    data, body = json.loads(head + "}"), rest[:-1]
    seq = data["seq"]
    time, kind, run_id, previous, digest = texts = [data[name] for name in _TEXTS]
    if type(seq) is not int or any(type(text) is not str for text in texts):
        raise ValueError("a field of another type")
    facets = facets_of(kind, json.loads(body))
    return Record(seq, time, kind, run_id, facets, previous, digest, body)


def unreadable(line: str, seq: int) -> Record:
    """What stands for a line that is no record, so that a log which holds one can be gone through."""
    return Record(seq, "", "unreadable", "", Facets(), "", "", line)
