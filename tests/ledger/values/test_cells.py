"""What one structured field says, read with its name and with what lies beside it."""

from __future__ import annotations

from typing import Any

import pytest

from affidavit.ledger.values import compare, parse_values, read_cell
from affidavit.ledger.walk import records_of

# A result, a field of it, what an answer may say of that field, and what it may not.
CASES: list[tuple[dict[str, Any], str, list[str], list[str]]] = [
    ({"currency": "USD", "total_cents": 66899}, "total_cents",
     ["$668.99", "668.99 USD", "66,899 cents", "$669"], ["$66,899", "€668.99", "$668.98"]),
    ({"order": {"currency": "EUR", "lines": [{"price_cents": 1450}]}}, "price_cents",
     ["€14.50", "14,50 €"], ["$14.50", "€1,450"]),
    ({"currency": "EUR", "amount_unit": "minor (cents)", "balance": 4599}, "balance",
     ["€45.99"], ["€4,599.00", "€4,599"]),
    ({"currency": "JPY", "amount_minor": 2500}, "amount_minor", ["¥2,500", "2500 yen"], ["¥25"]),
    ({"price": {"total": 148.2, "currency": "EUR"}}, "total", ["€148.20", "148,20 €"], ["£148.20"]),
    ({"total": {"value": "149.00", "currency": "EUR"}}, "value", ["€149", "€149.00"], ["€14.90"]),
    ({"currency": "USD", "balance": -1187.36}, "balance", ["$1,187.36"], ["$1,187.63"]),
    ({"amount_due": 660.0}, "amount_due", ["$660", "€660", "660"], ["$606"]),
    ({"revenue_usd": 1932000}, "revenue_usd", ["$1,932,000", "$1.93 million"], ["€1,932,000"]),
    ({"duration_seconds": 5400}, "duration_seconds",
     ["1 h 30 min", "90 minutes", "1.5 hours", "an hour and a half"], ["5400 minutes", "2 hours"]),
    ({"duration_min": 165}, "duration_min", ["165 minutes", "2 h 45 min"], ["165 hours"]),
    ({"keeps_warm_minutes": 90}, "keeps_warm_minutes", ["90 minutes"], ["90 hours", "three hours"]),
    ({"p99_latency_ms": 4870}, "p99_latency_ms", ["4,870 ms", "4.87 s"], ["4.87 ms"]),
    ({"unit": "days", "remaining": 11.5}, "remaining", ["11.5 days"], ["11.5 hours", "12 days"]),
    ({"pto_remaining_h": "54.5"}, "pto_remaining_h", ["54.5 hours"], ["54.5 days"]),
    ({"condo_fee_month": 79, "price_eur": 410000}, "condo_fee_month", ["€79 a month", "€79"], ["€97"]),
    ({"rent_months": 3}, "rent_months", ["3 months"], ["€3"]),
    ({"revenue (USD m)": 96}, "revenue (USD m)", ["$96 million", "US$96 million"], ["96 metres", "$69 million"]),
    ({"width (m)": 96}, "width (m)", ["96 m"], ["$96 million"]),
    ({"warranty_months": 24}, "warranty_months", ["24 months", "2 years"], ["24 days"]),
    ({"log_retention_days": 7}, "log_retention_days", ["7 days", "one week"], ["7 months"]),
    ({"units": {"temperature": "°C", "wind": "m/s"}, "daily": [{"t_min": -7.2, "t_max": -2.8}]},
     "t_min", ["-7.2 °C"], ["7.2 °C", "-7.2 °F", "-7.2 minutes"]),
    ({"units": {"temperature": "°C", "wind": "m/s"}, "daily": [{"gust": 17.9}]}, "gust",
     ["17.9 m/s"], ["17.9 km/h"]),
    ({"error_rate": 0.125}, "error_rate", ["12.5%", "0.125", "12.5 percent"], ["0.125%", "1.25%"]),
    ({"precip_prob": 0.65, "units": {"precipitation": "mm"}}, "precip_prob", ["65%"], ["0.65 mm"]),
    ({"utilization": 1}, "utilization", ["100%"], ["10%"]),
    ({"discount_pct": 15}, "discount_pct", ["15%"], ["1.5%"]),
    ({"apy": 0.0415}, "apy", ["4.15%", "415 basis points"], ["41.5%"]),
    ({"penalty_percent_per_day": 0.5}, "penalty_percent_per_day", ["0.5%", "0.5 percent"], ["50%", "5%"]),
    ({"interest_pct_per_annum": 4}, "interest_pct_per_annum", ["4%"], ["400%", "0.04%"]),
    ({"daily_percent_late_fee": 0.2}, "daily_percent_late_fee", ["0.2%"], ["20%", "$0.20"]),
    ({"pct_of_orders_late": 0.8}, "pct_of_orders_late", ["0.8%"], ["80%"]),
    ({"percent_off_minutes": 30}, "percent_off_minutes", ["30 minutes"], ["30%"]),
    ({"pct_checked_orders_count": 12}, "pct_checked_orders_count", ["12"], ["13%"]),
    ({"storage_gb": 200}, "storage_gb", ["200 GB"], ["200 MB"]),
    ({"used_mib": 5570}, "used_mib", ["5570 MiB", "5.44 GiB", "5,570Mi"], ["5570 GiB"]),
    ({"limit_mib": 8192}, "limit_mib", ["8 GiB", "8 GB"], ["9 GB"]),
    ({"speed_kmh": 38}, "speed_kmh", ["38 km/h"], ["38 m/s"]),
    ({"distance_to_place_km": 3.2}, "distance_to_place_km", ["3.2 km", "3200 m"], ["3.2 miles"]),
    ({"weight_kg": 2.4}, "weight_kg", ["2.4 kg", "2,400 g"], ["2.4 lb"]),
    ({"starts_at": "2026-03-13T18:30:00-07:00"}, "starts_at",
     ["Friday, March 13 at 6:30 PM", "18:30", "March 14 at 1:30 AM UTC", "in March"],
     ["Saturday, March 14 at 6:30 PM", "19:30", "Thursday, March 13"]),
    ({"created_at": 1772726400}, "created_at", ["March 5, 2026", "16:00 UTC"], ["March 6"]),
    ({"date": "2026-03-14", "time": "18:30"}, "date", ["March 14 at 6:30 PM"], ["March 14, 19:30"]),
    ({"date": "2026-03-08", "tides": [{"at": "10:42"}]}, "at", ["10:42", "March 8 at 10:42"], ["10:24"]),
    ({"year": 2020}, "year", ["2020", "in 2020"], ["in 2021"]),
    ({"last4": "4417"}, "last4", ["card ending in 4417", "4417"], ["card ending in 4471"]),
    ({"id": "gift_card_3491931"}, "id", ["gift card 3491931"], ["item 3491932"]),
    ({"phone": "+1-503-555-0148"}, "phone", ["(503) 555-0148"], ["(503) 555-0149"]),
    ({"condition": "light_snow"}, "condition", ["“light snow”"], ["“heavy snow”"]),
    ({"title": "Kestrel 3-Person Tent, Moss"}, "title", ["a Kestrel 3-Person Tent"], ["a Kestrel Tent"]),
    ({"first_name": "Marta", "last_name": "Nowak"}, "first_name", ["for Marta Nowak"], ["for Marta Noll"]),
    ({"image": "registry.local/ingest:2.14.1"}, "image", ["ingest:2.14.1"], ["ingest:2.14.2"]),
    ({"qty": 3, "replicas": {"ready": 4}}, "ready", ["4 replicas", "four"], ["5 replicas"]),
    ({"temp_c": 21.5}, "temp_c", ["21.5 °C", "70.7 °F"], ["21.5 °F"]),
    ({"pressure_mb": 1013}, "pressure_mb", ["1013 hPa"], ["1013 MB"]),
    ({"duration": "PT2H45M"}, "duration", ["2 h 45 min", "165 minutes"], ["2 h 54 min"]),
    ({"duration": "1:30:00"}, "duration", ["90 minutes"], ["90 seconds"]),
    ({"date": 20260305}, "date", ["March 5, 2026", "Thursday"], ["March 6"]),
    ({"year": 2026, "month": 3}, "month", ["in March 2026"], ["in March 2025"]),
    ({"audio": "pt-BR"}, "audio", ["in Brazilian Portuguese", "in Portuguese"], ["in European Portuguese", "in Spanish"]),
    ({"lang": "de, fr-CA"}, "lang", ["in German", "in Canadian French"], ["in Swiss French"]),
    ({"date": "Sat 7 Nov", "time": "10:00-13:00"}, "time", ["Saturday at 10:00", "7 November at 13:00"], ["Sunday at 10:00"]),
    ({"country": "PT"}, "country", ["in Portugal"], ["in Poland"]),
    ({"humidity": 65}, "humidity", ["65%"], ["56%"]),
    ({"priceUsd": 12.5}, "priceUsd", ["$12.50"], ["€12.50"]),
    ({"amountInCents": 1250, "currency": "GBP"}, "amountInCents", ["£12.50"], ["£1,250"]),
    ({"created": "Thu, 05 Mar 2026 09:30:00 GMT"}, "created", ["March 5 at 9:30 AM UTC"], ["March 5 at 9:30 AM EST"]),
    ({"price_per_kwh_cents": 31.4, "currency": "EUR"}, "price_per_kwh_cents", ["31.4 cents"], ["€31.40"]),
    ({"dimensions": {"l": 40, "h": 20, "unit": "cm"}}, "l", ["40 cm"], ["40 litres"]),
    ({"vat_rate": 20, "currency": "GBP"}, "vat_rate", ["20%"], ["2%"]),
    ({"display_in": 6.1}, "display_in", ["6.1 inches"], ["6.1 cm"]),
    ({"sat": "10:00-14:00"}, "sat", ["10 AM", "2 PM"], ["3 PM"]),
    ({"importe_centimos": 2450, "moneda": "EUR"}, "importe_centimos", ["24,50 €"], ["2450 €"]),
    ({"belopp_ore": 9900, "valuta": "SEK"}, "belopp_ore", ["99 kronor"], ["9900 kronor"]),
    ({"durata_ore": 3}, "durata_ore", ["3 hours"], ["3 days"]),
    ({"amounts_in": "cents", "paid": 31250}, "paid", ["€312.50"], ["€31,250"]),
    ({"unit": "ct", "price": 499}, "price", ["€4.99"], ["€499"]),
    ({"currency_minor_unit": 2, "total": 1250, "currency": "USD"}, "total", ["$12.50"], ["$1,250"]),
    ({"reading": 14.1, "unit": "C"}, "reading", ["14.1 °C"], ["14.1 °F"]),
    ({"value": 23.8, "unit": "%"}, "value", ["23.8%"], ["23.8 km"]),
    ({"value": 9.5, "unit": "EUR"}, "value", ["€9.50"], ["$9.50"]),
    ({"published": 1777420800}, "published", ["29 April 2026"], ["30 April 2026"]),
    ({"days": "mon,thu"}, "days", ["on Mondays", "Thursday"], ["on Tuesdays"]),
    ({"size": 7900000000}, "size", ["7.9 GB"], ["7.9 MB"]),
    ({"laufzeit_monate": 24}, "laufzeit_monate", ["zwei Jahre", "24 Monate"], ["24 Jahre"]),
    ({"text": "at least sixty (60) days before the end"}, "text", ["at least 60 days"], ["no more than 60 days"]),
]  # fmt: skip


@pytest.mark.parametrize(("data", "field", "fits", "misfits"), CASES, ids=[c[1] for c in CASES])
def test_field_against_what_is_said(
    data: dict[str, Any], field: str, fits: list[str], misfits: list[str]
) -> None:
    for said in fits:
        assert holds(data, field, said), said
    for said in misfits:
        assert not holds(data, field, said), said


def holds(data: dict[str, Any], field: str, said: str) -> bool:
    """Whether every value said is among the readings of the field."""
    readings = [
        value
        for record in records_of(data)
        for cell in record.cells
        if cell.path[-1] == field
        for value in read_cell(cell, record)
    ]
    claims = parse_values(said)
    assert claims
    assert readings
    return all(any(compare(c, e) in ("same", "rounded") for e in readings) for c in claims)


@pytest.mark.parametrize("raw", [None, True, False, "", "   ", float("nan"), float("inf"), 1e300])
def test_nothing_is_read_from_nothing(raw: object) -> None:
    for record in records_of({"field": raw}):
        for cell in record.cells:
            assert read_cell(cell, record) == ()


def test_each_of_many_entries_of_one_object_is_read_by_its_own_unit_and_currency() -> None:
    codes, units = ("EUR", "USD", "GBP"), ("kg", "g")
    data = {
        f"P-{n:03}": {
            "price": 500 + n,
            "currency": codes[n % 3],
            "weight": 2,
            "weight_unit": units[n % 2],
            "load": {"value": 7, "unit": units[(n + 1) % 2]},
        }
        for n in range(40)
    }
    records = records_of({"parts": data})
    cells = {cell.pointer: (cell, record) for record in records for cell in record.cells}
    for n, part in enumerate(data):
        money = [v for v in read_cell(*cells[f"/parts/{part}/price"]) if v.kind == "money"]
        assert [value.unit for value in money] == [codes[n % 3]]
        load = [v for v in read_cell(*cells[f"/parts/{part}/load/value"]) if v.kind == "quantity"]
        assert [value.face_unit for value in load] == [units[(n + 1) % 2]]


def test_a_currency_that_one_entry_of_many_declares_is_that_of_all() -> None:
    data: dict[str, dict[str, Any]] = {f"P-{n:03}": {"price": 500 + n} for n in range(40)}
    data["P-000"]["currency"] = "CHF"
    data |= {f"S-{n:03}": {"size_unit": "cm", "size": n} for n in range(40)}
    (record,) = records_of({"parts": data})
    for cell in record.cells:
        if cell.key.endswith("price"):
            assert "CHF" in {value.unit for value in read_cell(cell, record)}
