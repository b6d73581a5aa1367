"""Results of every shape, and what they read to."""

from __future__ import annotations

import json

import pytest

from affidavit.ledger.passages import render_record
from affidavit.ledger.shapes import read_text

KUBECTL = """\
NAME                      READY   STATUS             RESTARTS        AGE
ingest-7c9f6d5b8-m8wzd    1/1     Running            0               3d4h
ingest-7c9f6d5b8-t5hpr    0/1     CrashLoopBackOff   17 (2m ago)     3d4h
"""
DISK = """\
Filesystem      Size  Used Avail Use% Mounted on
/dev/sda1        50G   20G   28G  42% /
tmpfs           7.8G     0  7.8G   0% /dev/shm
"""
INVOICE = """\
FENWICK PRINT LTD
Unit 6, Leeds

Date of issue: 18 March 2026        Payment due: 17 April 2026
Bill to: Orrery Museum

Description                     Qty   Unit price      Amount
Roll-up banner 850 mm            12       145.00    1,740.00
Exhibit panel, aluminium          6       275.00    1,650.00
                                    Net total       3,390.00
                                    VAT 20%           678.00
"""
MARKDOWN = """\
# Plans

Here are the plans:

| Plan | Price (USD) |
|------|------------:|
| Basic | $10 |
| **Pro** | $25 |

## Support

- **Email:** 24h response
- **Phone:** weekdays only

## Empty
"""
MYSQL = """\
+----+-------+
| id | name  |
+----+-------+
|  1 | Alice |
|  2 | Bob   |
+----+-------+
2 rows in set
"""
PSQL = """\
 id | name  | total
----+-------+-------
  1 | Alice | 12.50
(1 row)
"""
BOX = """\
┏━━━━━━┳━━━━━━━┓
┃ Name ┃ Price ┃
┡━━━━━━╇━━━━━━━┩
│ A    │ 12    │
└──────┴───────┘"""
MANIFEST = """\
kind: Deployment
metadata:
  name: web  # the shop
spec:
  replicas: 3
  containers:
  - name: web
    image: nginx:1.25
"""
HTML = (
    "<html><head><title>Shop</title><style>p{}</style></head><body><h1>Shoes</h1>\n"
    '<p>We sell <b>red</b>&nbsp;shoes &amp; more, <a href="https://x.example/s">here</a>.</p>'
    "<table><caption>Stock</caption><tr><th>SKU</th><th>Qty</th></tr>"
    "<tr><td>A-1</td><td>5</td></tr></table>"
    "<table><tr><th>Opens</th><td>9:00</td></tr><tr><th>Closes</th><td>17:00</td></tr></table>"
    "<table><tr><td>Left</td></tr></table><h2>Last</h2></body></html>"
)
SOURCES = """\
[1] Heat pumps in Nordic homes. Nordic Energy Review, 2019.
The mean COP was 2.9.

[2] Retrofit costs (2022)

Costs fell by 38%.

2 sources found.
"""
SEARCH = """\
1. Best boots
   https://x.example/boots
   The winner is the Alpha.

2. Boots guide
   How to choose.
"""
TRACEBACK = """\
Traceback (most recent call last):
  File "/app/main.py", line 6, in main
    raise ValueError("bad")
ValueError: bad
"""
LOG = """\
2026-03-03T03:00:04Z INFO {"event": "x", "n": 5}
2026-03-03T03:00:05Z WARN memory=421Mi
  at worker 3
"""
GREP = "src/auth/hash.py:22:def legacy(v):\nsrc/auth/login.py:6:import legacy\n"
FENCES = 'Set:\n```json\n{"retries": 3}\n```\n```python\n# not a heading\nx = 1\n```\nDone.'
EMAIL = "From: Ann <ann@x.example>\nSubject: Moved\n\nHi Bob,\n\nIt moved to Friday.\n"

# name: (text, rendered records, prose with its heading)
CASES: dict[str, tuple[str, list[str], list[str]]] = {
    "json": ('{"id": "W1", "n": null}', ["| id: W1; n: none"], []),
    "json in prose": (
        'It said:\n{"id": "W1", "items": [{"sku": "A"}]}\nSee [1] and {x}.',
        ["| id: W1", "· id W1 › items[0] | sku: A"],
        ["It said:", "See [1] and {x}."],
    ),
    "json in a json string": ('"{\\"id\\": 5, \\"n\\": 1}"', ["| id: 5; n: 1"], []),
    "json in a field": (
        '{"content": [{"type": "text", "text": "{\\"city\\": \\"Oslo\\"}"}]}',
        ["› content[0] | type: text; text city: Oslo"],
        [],
    ),
    "text in a json string": ('"All done.\\nTwo lines"', [], ["All done.\nTwo lines"]),
    "a key that comes twice": ('{"a": 1, "a": 2}', ["| a: 1, 2"], []),
    "a bare value": ("42", [], ["42"]),
    "python repr": ("{'id': 'W1', 'ok': True}", ["| id: W1; ok: yes"], []),
    "ndjson": ('{"id": 1}\n{"id": 2}\n', ["[0] | id: 1", "[1] | id: 2"], []),
    "csv": (
        'id,title,note\n1,"Hello, world","two\nlines"\n2,"He said ""hi""",\n',
        ["[0] | id: 1; title: Hello, world; note: two\nlines", '[1] | id: 2; title: He said "hi"; note: '],
        [],
    ),
    "csv under prose": ("Rows:\na,b,c\n1,2,3\n4,5,6", ["[0] | a: 1; b: 2; c: 3", "[1] | a: 4; b: 5; c: 6"], ["Rows:"]),
    "tsv": ("name\tage\nBob\t5\n", ["[0] | name: Bob; age: 5"], []),
    "semicolons": ("Name;Preis\nA;1,50\nB;2,00\n", ["[0] | name: A; preis: 1,50", "[1] | name: B; preis: 2,00"], []),
    "prose with commas": ("Hello, Bob\nThanks, Ann\nBye, all", [], ["Hello, Bob\nThanks, Ann\nBye, all"]),
    "markdown": (
        MARKDOWN,
        [
            "› Plans[0] | plan: Basic; price (usd): $10",
            "› Plans[1] | plan: Pro; price (usd): $25",
            "› Plans › Support | email: 24h response; phone: weekdays only",
        ],
        ["Plans | Here are the plans:", "Plans | ## Empty"],
    ),
    "mysql": (MYSQL, ["[0] | id: 1; name: Alice", "[1] | id: 2; name: Bob"], ["2 rows in set"]),
    "psql": (PSQL, ["[0] | id: 1; name: Alice; total: 12.50"], ["(1 row)"]),
    "box": (BOX, ["[0] | name: A; price: 12"], []),
    "aligned": (
        KUBECTL,
        [
            "[0] | name: ingest-7c9f6d5b8-m8wzd; ready: 1/1; status: Running; restarts: 0; age: 3d4h",
            "[1] | name: ingest-7c9f6d5b8-t5hpr; ready: 0/1; status: CrashLoopBackOff; restarts: 17 (2m ago); age: 3d4h",
        ],
        [],
    ),
    "aligned by single spaces": (
        DISK,
        [
            "[0] | filesystem: /dev/sda1; size: 50G; used: 20G; avail: 28G; use%: 42%; mounted on: /",
            "[1] | filesystem: tmpfs; size: 7.8G; used: 0; avail: 7.8G; use%: 0%; mounted on: /dev/shm",
        ],
        [],
    ),
    "invoice": (
        INVOICE,
        [
            "| date of issue: 18 March 2026; payment due: 17 April 2026; bill to: Orrery Museum",
            "[0] | description: Roll-up banner 850 mm; qty: 12; unit price: 145.00; amount: 1,740.00",
            "[1] | description: Exhibit panel, aluminium; qty: 6; unit price: 275.00; amount: 1,650.00",
            "| net total: 3,390.00; vat 20%: 678.00",
        ],
        ["FENWICK PRINT LTD\nUnit 6, Leeds"],
    ),
    "yaml": (
        MANIFEST,
        [
            "| kind: Deployment; metadata name: web; spec replicas: 3",
            "› spec containers[0] | name: web; image: nginx:1.25",
        ],
        ["# the shop"],
    ),
    "front matter": (
        "---\ntitle: Hello\ntags:\n  - a\n  - b\nday: 2024-01-01\n---\n\n# Body\n\nText.",
        ["| title: Hello; tags: a, b; day: 2024-01-01"],
        ["Body | Text."],
    ),
    "yaml words stay words": (
        "a:\n  country: no\n  at: 12:30\n  zip: 010\n  ok: true\n",
        ["› a | country: no; at: 12:30; zip: 010; ok: yes"],
        [],
    ),
    "html": (
        HTML,
        [
            "› Shoes › Stock[0] | sku: A-1; qty: 5",
            "› Shoes | opens: 9:00; closes: 17:00",
        ],
        [
            "Shop",
            "Shoes | We sell red shoes & more, here (https://x.example/s).",
            "Shoes | Left",
            "Shoes | Last",
        ],
    ),
    "sources": (
        SOURCES,
        [],
        [
            "[1] Heat pumps in Nordic homes. Nordic Energy Review, 2019. | The mean COP was 2.9.",
            "[2] Retrofit costs (2022) | Costs fell by 38%.",
            "2 sources found.",
        ],
    ),
    "search results": (
        SEARCH,
        [],
        [
            "1. Best boots | https://x.example/boots\n   The winner is the Alpha.",
            "2. Boots guide | How to choose.",
        ],
    ),
    "sections": (
        "Customer:\n  Name: Ann\n  City: Oslo\n\nTotal: $5 @ 2\nPaid: *yes\n",
        ["› Customer | name: Ann; city: Oslo", "| total: $5 @ 2; paid: *yes"],
        [],
    ),
    "several things": (
        "Name: A\nPrice: 1\nName: B\nPrice: 2\n",
        ["[0] | name: A; price: 1", "[1] | name: B; price: 2"],
        [],
    ),
    "environment": ("HOST=localhost\nPORT=5432\n", ["| host: localhost; port: 5432"], []),
    "e-mail": (
        EMAIL,
        ["| from: Ann <ann@x.example>; subject: Moved"],
        ["Hi Bob,\n\nIt moved to Friday."],
    ),
    "stack trace": (TRACEBACK, [], [TRACEBACK.strip()]),
    "log": (LOG, [], LOG.strip().split("\n", 1)),
    "grep": (GREP, [], GREP.strip().split("\n")),
    "listing": ("  1\timport os\n  2\t# no\n  3\tx = 1", [], ["1\timport os\n  2\t# no\n  3\tx = 1"]),
    "fences": (FENCES, ["| retries: 3"], ["Set:", "# not a heading\nx = 1", "Done."]),
    "underlined": ("Title\n=====\n\nText.\n\nSub\n---\nMore.", [], ["Title | Text.", "Title › Sub | More."]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "shown", "said"), CASES.values(), ids=CASES)
def test_reads_as(text: str, shown: list[str], said: list[str]) -> None:
    records, prose = read_text(text, root="tool")
    rendered = [passage.text for record in records for passage in render_record(record)]
    assert rendered == [f"tool{line}" if line[0] == "[" else f"tool {line}" for line in shown]
    assert [
        f"{p.heading} | {p.text.strip()}" if p.heading else p.text.strip() for p in prose
    ] == said


# Where the source is escaped or marked up, a place holds the text as it was written there.
MARKED_UP = {"json in a json string", "json in a field", "text in a json string", "csv", "html"}


@pytest.mark.parametrize("name", CASES)
def test_places_hold_the_text(name: str) -> None:
    text = CASES[name][0]
    records, prose = read_text(text, root="tool")
    places = [(cell.pointer, cell.text) for record in records for cell in record.cells]
    for pointer, said in places:
        if pointer.startswith("char=") and name not in MARKED_UP:
            left, right = (int(n) for n in pointer.removeprefix("char=").split(","))
            assert text[left:right].strip("\"'").casefold() in (said.casefold(), _as_json(said))
    for piece in prose:
        if name not in MARKED_UP:
            assert text[piece.start : piece.end].rstrip() == piece.text


def _as_json(said: str) -> str:
    return {"yes": "true", "no": "false", "none": "null"}.get(said, said)


def test_rows_share_their_group() -> None:
    for name in ("csv", "mysql", "aligned", "ndjson", "several things"):
        records, _ = read_text(CASES[name][0], root="tool")
        assert len({record.group for record in records}) == 1
        assert records[0].group


def test_places_of_json_within_a_text() -> None:
    data = {"id": "W1", "a/b": {"é~": [1, {"x": None}]}, "s": 'q"\\', "e": []}
    text = "Lead " + json.dumps(data, ensure_ascii=False, indent=1) + " end"
    records, _ = read_text(text)
    for record in records:
        for cell in record.cells:
            left, right = (int(n) for n in cell.pointer.removeprefix("char=").split(","))
            assert json.loads(text[left:right]) == cell.raw
    assert records[-1].parent is records[0]
    assert records[0].identity == "id W1"
