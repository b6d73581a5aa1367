"""Values as tools write them and as people say them: each with a twin that is wrong. The model has no
opinion, so that the exact checks decide."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict
from affidavit.testing import FixedEntailment

HEAT = (
    "| Pos | Bib | Swimmer | Noc | Time |\n|---|---|---|---|---|\n| 1 | 4 | Ilse Brandsma | NED | 4:11.62 |\n"
    "| 2 | 7 | Rosa Quintal | POR | 4:12.08 |\n| 3 | 3 | Maren Holt | GER | 4:12.90 |"
)
FIGURES = [
    {"metric": "rejects_pct", "march": 0.42, "april": 0.77, "samples": 900},
    {"metric": "p99_cycle_ms", "march": 318, "april": 291, "samples": 900},
]
SHOP = {
    "sku": "KT-200", "sales_last_30_days": 412, "sales_last_7_days": 95, "Weight (kg)": 12.4,
    "spread_bps": 112, "oxygen_mg_l": 7.4, "window": "2026-05-12 08:00-12:00", "audio": "pt",
    "hours": {"mon-fri": "09:00-16:00", "sat": "10:00-18:00"}, "uptime": "3d4h", "avail": "640G",
    "growth": 1.2e-5, "renewals_left": 2, "packed_in": "2026-W21", "memory": "8192 MiB", "data_left": "13.2 GB",
}  # fmt: skip
PAYMENT = {"id": "PAY-88", "amount": 45050, "currency": "EUR", "payer": "Noor Aslan"}
BUDGET = {"unit": "kEUR", "items": [{"name": "Travel", "plan": 120, "actual": 134}]}
LEASE = (
    "The tenant pays a deposit of EUR 2,640 and gives notice of six (6) weeks. See Journal 14(2)."
)
LOG = (
    "2026-04-02 03:00:01 INFO sync started\n2026-04-02 03:04:10 WARN slow reply from node 3\n"
    "2026-04-02 03:09:55 ERROR copy of vault-2 broke off\n2026-04-02 03:10:00 INFO sync finished"
)
TEMPS = [{"hour": 3, "temp_c": 8.3}, {"hour": 4, "temp_c": 7.9}]


@dataclass(frozen=True)
class Case:
    """What a tool returned, an answer of one claim, and what must become of it."""

    name: str
    result: object
    answer: str
    status: str
    decided_by: str | None = None


GOOD, BAD = "supported", ("contradicted", "unsupported")
CASES = [
    Case("race time", HEAT, "Rosa Quintal swam 4:12.08.", GOOD),
    Case("race time altered", HEAT, "Rosa Quintal swam 4:12.80.", "wrong", "values"),
    Case("country of a sports code", HEAT, "Maren Holt of Germany swam 4:12.90.", GOOD),
    Case("another country", HEAT, "Maren Holt of Greece swam 4:12.90.", "wrong", "values"),
    Case("place", HEAT, "Rosa Quintal finished second.", GOOD),
    Case("another place", HEAT, "Rosa Quintal finished third.", "contradicted", "values"),
    Case("unit of a metric's row", FIGURES, "In April rejects were at 0.77%.", GOOD),
    Case("percentile", FIGURES, "The 99th percentile of the cycle was 291 ms in April.", GOOD),
    Case("another percentile", FIGURES, "The 95th percentile of the cycle was 291 ms in April.", "wrong", "values"),
    Case("samples are no figures", FIGURES, "There were 900 samples.", GOOD),
    Case("window in a field's name", SHOP, "KT-200 had 412 sales in the last 30 days.", GOOD),
    Case("no such window", SHOP, "KT-200 had 412 sales in the last 60 days.", "wrong", "values"),
    Case("window of another field", SHOP, "KT-200 had 412 sales in the last 7 days.", "wrong", "values"),
    Case("unit in brackets", SHOP, "It weighs 12,400 g.", GOOD),
    Case("unit in brackets, altered", SHOP, "It weighs 14,200 g.", "wrong", "values"),
    Case("basis points", SHOP, "The spread is 1.12 percentage points.", GOOD),
    Case("basis points are no percent", SHOP, "The spread is 112%.", "wrong", "values"),
    Case("unit by another", SHOP, "Oxygen is at 7.4 mg/L.", GOOD),
    Case("unit by another, altered", SHOP, "Oxygen is at 7.4 g/L.", "wrong", "values"),
    Case("second end of a span", SHOP, "Delivery is on May 12 between 8:00 and 12:00.", GOOD),
    Case("no end of the span", SHOP, "Delivery is on May 12 between 8:00 and 14:00.", "wrong", "values"),
    Case("hours of today's weekday", SHOP, "It is open until 18:00 today.", GOOD),
    Case("hours of other weekdays", SHOP, "It is open until 16:00 today.", "wrong", "values"),
    Case("compact duration", SHOP, "It has been up for 3 days and 4 hours.", GOOD),
    Case("disk size", SHOP, "There are 640 GB available.", GOOD),
    Case("powers of ten", SHOP, "Growth is 1.2 × 10⁻⁵.", GOOD),
    Case("another power of ten", SHOP, "Growth is 1.2 × 10⁻³.", "wrong", "values"),
    Case("twice", SHOP, "You have two renewals left, so you can renew it twice.", GOOD),
    Case("week", SHOP, "It was packed in week 21 of 2026.", GOOD),
    Case("another week", SHOP, "It was packed in week 12 of 2026.", "wrong", "values"),
    Case("binary gigabytes", SHOP, "It has 8 GB of memory.", GOOD),
    Case("GB against GB", SHOP, "There are 12.3 GB of data left.", "wrong", "values"),
    Case("cents by a tool's word", PAYMENT, "PAY-88 is over €450.50.", GOOD),
    Case("cents as euros", PAYMENT, "PAY-88 is over €45,050.", "wrong", "values"),
    Case("pence by a unit", {"rate_p_per_kwh": 31.46, "exit_fee_gbp": 75}, "The rate is 31.46p per kWh.", GOOD),
    Case("pence by a unit, altered", {"rate_p_per_kwh": 31.46, "exit_fee_gbp": 75}, "The rate is 34.16p per kWh.", "wrong", "values"),
    Case("zeros left out", BUDGET, "Travel came to €134,000.", GOOD),
    Case("zeros left out, altered", BUDGET, "Travel came to €143,000.", "wrong", "values"),
    Case("number written twice", LEASE, "Notice is six weeks.", GOOD),
    Case("lines at a level", LOG, "There was one error in the log.", GOOD, "derived"),
    Case("more than logged", LOG, "There were three errors in the log.", "contradicted", "values"),
    Case("tax in Spanish", PAYMENT, "El importe es de 450,50 €, sin IVA.", GOOD),
    Case("about a decimal", TEMPS, "At hour 3 it was about 8.3 °C.", GOOD),
    Case("not about a decimal", TEMPS, "At hour 3 it was about 8.6 °C.", "wrong", "values"),
]  # fmt: skip

TOOLS = [
    {"name": "get_payment", "description": "Look up a payment.", "input_schema": {"type": "object", "properties": {"id": {"type": "string"}}}},
    {"name": "refund_payment", "description": "Refund a payment, in minor units.", "input_schema": {"type": "object", "properties": {"id": {"type": "string"}, "amount": {"type": "integer"}}}},
]  # fmt: skip


def claim_of(case: Case) -> ClaimVerdict:
    told = case.result if isinstance(case.result, str) else json.dumps(case.result)
    use = {"type": "tool_use", "id": "c1", "name": "get_payment", "input": {}}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "What do you find?"},
        {"role": "assistant", "content": [use]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c1", "content": told}],
        },
        {"role": "assistant", "content": case.answer},
    ]
    system = "Today is Saturday, 9 May 2026."
    run = read_run({"system": system, "tools": TOOLS, "messages": messages})
    return Detector(entailment=FixedEntailment()).check(run).claims[0]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_claim(case: Case) -> None:
    claim = claim_of(case)
    expected = BAD if case.status == "wrong" else (case.status,)
    assert claim.status in expected, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation
