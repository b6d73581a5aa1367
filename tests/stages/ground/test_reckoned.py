"""What an answer reckons with what the user gave, over several fields, lines or years; each with a twin that
comes out otherwise. The model has no opinion, so that the exact checks decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit.report import ClaimVerdict

Judged = Callable[..., ClaimVerdict]

SOUP = (
    "## Harvest soup\n\nServes 4\n\n| Ingredient | Amount |\n|---|---|\n| carrots | 600 g |\n| stock | 750 ml |\n"
    "| leeks | 2 |\n| thyme | 3 sprigs |\n"
)
TEN = "There are 10 of us tonight, three of us vegan. What do I need for the harvest soup?"
PANCAKES = "Pancakes (makes 8)\n\n200 g flour, 2 eggs, 300 ml milk, a pinch of salt. Rest for 20 minutes, then fry."
FLATBREAD = {"recipe": "Flatbread", "servings": 6, "ingredients": [
    {"name": "flour", "qty": 500, "unit": "g"}, {"name": "yeast", "qty": 7, "unit": "g"}, {"name": "water", "qty": 320, "unit": "ml"},
]}  # fmt: skip
SYRUPS = "Ibuflam syrup: give 10 mg/kg every eight hours. Paracet syrup: 15 mg per kg of body weight, at most four times a day."
CARS = {
    "cars": [
        {"model": "Lumo", "consumption_l_per_100km": 6.4},
        {"model": "Vento", "consumption_l_per_100km": 5.2},
    ]
}
ALDER = "Guest house Alder: double room €84 per night, breakfast €9.50 per person. Tourist tax €2 a night."
LAWN = "Grass seed: 35 g per m². Fertiliser: 2 kg for every 100 m²."
STOCK = "sku,item,qty,unit_price_eur,cost_price_eur\nB-1,Brass hinge,40,3.20,2.10\nB-2,Oak panel,12,41.50,30.00\nB-3,Door knob,25,8.80,9.90\n"
SHIFTS = {
    "shifts": [
        {"day": "Mon", "hours": 7.5, "hourly_rate": 18},
        {"day": "Tue", "hours": 6, "hourly_rate": 18},
        {"day": "Sat", "hours": 4, "hourly_rate": 24},
    ]
}
POLL = {
    "poll": "P-4",
    "answered": 800,
    "skipped": 31,
    "counts": {"very easy": 90, "easy": 310, "neutral": 240, "hard": 96, "very hard": 64},
}
FAULTS = {"line": "U3", "faults": {"signal": 14, "doors": 9, "power": 4, "other": 6}}
ROOMS = {
    "rooms": [{"room": r, "free": r in ("Oak", "Yew")} for r in ("Oak", "Elm", "Fir", "Ash", "Yew")]
}
PUMP = (
    "2026-03-02 08:00 P-2 DATA flow_lpm=41 temp_c=18.2\n2026-03-02 08:15 P-2 DATA flow_lpm=44 temp_c=18.9\n"
    "2026-03-02 08:20 P-2 WARN pressure drop\n2026-03-02 08:26 P-2 INFO pressure restored\n"
    "2026-03-02 08:30 P-2 DATA flow_lpm=38 temp_c=19.4\n2026-03-02 08:45 P-2 DATA flow_lpm=45 temp_c=18.7\n"
)
LIFTS = (
    "[14:02:11] lift B stopped between floors\n[14:02:40] lift A arrived floor 3\n[14:09:11] lift B released\n"
    "[14:15:00] lift A door held\n[14:15:30] lift A door closed\n"
)
DEPOTS = " depot | parcels | returns\n-------+---------+--------\n Ghent |    412 |     31\n Bruges|    377 |     18\n Namur |    298 |     44\n Mons  |    150 |      9\n"
PARCELS = "## Parcel rates\n\n| Service | Max weight | Max length |\n|---|---|---|\n| Mini | 2 kg | 35 cm |\n| Basic | 5 kg | 60 cm |\n| Jumbo | 10 kg | 120 cm |\n"
MINE = "My parcel weighs 6.5 kg and the parcel is 58 cm long. Is Basic OK?"
HALL = {"room": "R-12", "max_persons": 40, "price_per_hour": 30}
CARD = {"card": "K-4", "borrowed": 5, "limit": 8}
WATER = "ACCOUNT           W-5521\nMETER READ 2024   1,842 m3\nMETER READ 2025   1,967 m3\nCHARGE 2024       $412.10\nCHARGE 2025       $388.40\nDEPOSIT           $150\n"
SCHOOL = {
    "school": "Elmway",
    "pupils_2024": 412,
    "pupils_2025": 437,
    "staff_2024": 31,
    "staff_2025": 29,
}
RABIES = "At least 21 days must lie between vaccination and travel."
CAT = "Our cat was vaccinated on April 28, 2026 and we'd like to travel on June 3. OK?"
TRAPS = "3 June. Trap 7: emptied after four days, 52 moths.\n9 June. Trap 7: emptied after six days, 90 moths.\nThe van is €210 for 5 days."
JACKET = {"item": "Jacket", "price_eur": 80, "discount_percent": 15}
DINNER = "Menu for two: €64. Service charge 12.5 %, not included."
FRANCS = {"base": "EUR", "date": "2026-05-01", "rates": {"CHF": 0.94, "USD": 1.08}}
TINS = "One tin covers 12 m². Price per tin: €28.90."
MUESLI = "Per 100 g: energy 380 kcal, protein 12 g, sugar 6.5 g."
BRANCH = {"region": "N", "q1_sales": 420, "q2_sales": 380, "q3_sales": 460, "q4_sales": 510}
PLAN = {"plan": "Basic", "storage_limit_gb": 50, "used_gb": 41.5, "max_file_mb": 250}
REELS = {
    "reels": [
        {"name": "intro", "seconds": 75},
        {"name": "main", "seconds": 610},
        {"name": "outro", "seconds": 42},
    ]
}
CLIP = {"title": "Kiln Talk", "duration_s": 2754, "price_eur": 299.2, "length_km": 41.3}


@dataclass(frozen=True)
class Case:
    """What a tool returned, the answer, the words of the claim that is looked at, and what must become of it."""

    result: Any
    answer: str
    says: str
    status: str
    asked: str = "How does it look?"


def good(result: Any, answer: str, says: str, asked: str = "How does it look?") -> Case:
    return Case(result, answer, says, "supported", asked)


def wrong(result: Any, answer: str, says: str, asked: str = "How does it look?") -> Case:
    return Case(result, answer, says, "not supported", asked)


CASES = [
    # amounts for as many as the user has
    good(SOUP, "You need 1.5 kg of carrots.", "1.5", TEN),
    wrong(SOUP, "You need 1.2 kg of carrots.", "1.2", TEN),
    wrong(SOUP, "You need 1.5 kg of leeks.", "1.5", TEN),
    good(SOUP, "You need 5 leeks and 1.9 litres of stock.", "leeks", TEN),
    wrong(SOUP, "You need 6 leeks and 1.9 litres of stock.", "leeks", TEN),
    good(SOUP, "To buy:\n\n- 1.5 kg of carrots\n- 7.5 sprigs of thyme", "sprigs", TEN),
    good(PANCAKES, "You need 600 g of flour, 6 eggs and 900 ml of milk.", "eggs", "I'd like to make 24 pancakes."),
    wrong(PANCAKES, "You need 600 g of flour, 9 eggs and 900 ml of milk.", "eggs", "I'd like to make 24 pancakes."),
    wrong(PANCAKES, "Let it rest for 60 minutes.", "60", "I'd like to make 24 pancakes."),
    good(FLATBREAD, "You need 250 g of flour, 3.5 g of yeast and 160 ml of water.", "yeast", "Flatbread for three people, please."),
    wrong(FLATBREAD, "You need 250 g of flour, 4.5 g of yeast and 160 ml of water.", "yeast", "Flatbread for three people, please."),
    good(FLATBREAD, "That takes 1 kg of flour and 14 g of yeast.", "yeast", "I'd like to double the recipe."),
    wrong(FLATBREAD, "That takes 1 kg of flour and 21 g of yeast.", "yeast", "I'd like to double the recipe."),
    # rates of the evidence by what the user gives
    good(SYRUPS, "He can have 240 mg of Paracet.", "240", "My son weighs 16 kg. How much Paracet?"),
    wrong(SYRUPS, "He can have 160 mg of Paracet.", "160", "My son weighs 16 kg. How much Paracet?"),
    good(CARS, "The Lumo will need about 22.4 litres.", "22.4", "How much petrol on 350 km?"),
    wrong(CARS, "The Lumo will need 18.2 litres.", "18.2", "How much petrol on 350 km?"),
    good(ALDER, "Three nights come to €252.", "252", "What would three nights cost?"),
    wrong(ALDER, "Three nights come to €262.", "262", "What would three nights cost?"),
    good(LAWN, "You need 4.2 kg of grass seed.", "4.2", "My lawn is 120 m². How much seed and fertiliser?"),
    good(LAWN, "You need 2.4 kg of fertiliser.", "2.4", "My lawn is 120 m². How much seed and fertiliser?"),
    wrong(LAWN, "You need 2.4 kg of grass seed.", "2.4", "My lawn is 120 m². How much seed and fertiliser?"),
    # so many at a price
    good(STOCK, "The stock is worth €846.00 altogether.", "846"),
    wrong(STOCK, "The stock is worth €864.00 altogether.", "864"),
    wrong(STOCK, "The stock is worth €691.50 altogether.", "691"),
    good(STOCK, "At cost the whole stock comes to €691.50.", "691"),
    good(STOCK, "The oak panels are worth €498.00.", "498"),
    wrong(STOCK, "The oak panels are worth €128.00.", "128"),
    good(STOCK, "On the door knobs you'd lose €27.50.", "27.50"),
    wrong(STOCK, "On the door knobs you'd gain €27.50.", "27.50"),
    good(SHIFTS, "You earned $339 in total.", "339"),
    wrong(SHIFTS, "You earned $393 in total.", "393"),
    # fields that are named together, and shares
    good(POLL, "400 of the 800 who answered found it easy or very easy.", "400"),
    wrong(POLL, "406 of the 800 who answered found it easy or very easy.", "406"),
    wrong(POLL, "400 of the 800 who answered found it easy or neutral.", "400"),
    good(POLL, "One in five, 160 people, found it hard or very hard.", "160"),
    wrong(POLL, "One in four, 160 people, found it hard or very hard.", "160"),
    good(FAULTS, "Signals and doors together caused 23 faults.", "23"),
    wrong(FAULTS, "Signals and power together caused 23 faults.", "23"),
    good(ROOMS, "Two in five rooms are free.", "Two"),
    wrong(ROOMS, "One in five rooms is free.", "One"),
    # figures over the lines of a log, and from line to line
    good(PUMP, "Over the four readings, P-2 averaged 42 l/min.", "42"),
    wrong(PUMP, "Over the four readings, P-2 averaged 46 l/min.", "46"),
    good(PUMP, "The average temperature was 18.8 °C.", "18.8"),
    wrong(PUMP, "The average temperature was 42 °C.", "42"),
    good(PUMP, "The pressure dropped at 08:20 and was restored six minutes later.", "six"),
    wrong(PUMP, "The pressure dropped at 08:20 and was restored ten minutes later.", "ten"),
    good(LIFTS, "Lift B stopped between floors at 14:02 and was released seven minutes later.", "seven"),
    wrong(LIFTS, "Lift B stopped between floors at 14:02 and was released thirteen minutes later.", "thirteen"),
    # the total of an enumeration that began in the sentence before
    good(DEPOTS, "Ghent handled the most parcels, 412. Then come Bruges with 377, Namur with 298 and Mons with 150, which makes 1,237 parcels altogether.", "1,237"),
    wrong(DEPOTS, "Ghent handled the most parcels, 412. Then come Bruges with 377, Namur with 298 and Mons with 150, which makes 1,327 parcels altogether.", "1,327"),
    good(DEPOTS, "Ghent had 412 parcels and Namur had 298; that's 710 parcels in all.", "710"),
    wrong(DEPOTS, "Ghent had 412 parcels and Namur had 298; that's 770 parcels in all.", "770"),
    wrong(DEPOTS, "Namur handled 412 parcels.", "412"),
    # what the user has, and what is allowed
    good(PARCELS, "Its 6.5 kg are 1.5 kg more than Basic allows.", "1.5", MINE),
    wrong(PARCELS, "Its 6.5 kg are 2.5 kg more than Basic allows.", "2.5", MINE),
    wrong(PARCELS, "Its 6.5 kg are within the weight that Basic allows.", "within", MINE),
    good(PARCELS, "Its 58 cm are within the length that Basic allows.", "within", MINE),
    good(PARCELS, "Its 6.5 kg are within the weight that Jumbo allows.", "within", MINE),
    wrong(PARCELS, "Its 6.5 kg exceed the weight that Jumbo allows.", "exceed", MINE),
    good(PARCELS, "Your parcel is too heavy for Basic.", "heavy", MINE),
    wrong(PARCELS, "Your parcel is light enough for Basic.", "light", MINE),
    good(HALL, "Your 46 guests are six more than the room holds.", "six", "Is R-12 big enough for 46 guests?"),
    wrong(HALL, "Your 46 guests are eight more than the room holds.", "eight", "Is R-12 big enough for 46 guests?"),
    good(CARD, "You can borrow 3 more.", "3"),
    wrong(CARD, "You can borrow 4 more.", "4"),
    # one year and the next
    good(WATER, "The charge went down by $23.70 from last year.", "23.70"),
    wrong(WATER, "The charge went down by $32.70 from last year.", "32.70"),
    wrong(WATER, "The charge went up by $23.70 from last year.", "23.70"),
    wrong(WATER, "Your deposit dropped by $23.70.", "23.70"),
    good(SCHOOL, "Elmway has 25 pupils more than last year.", "25"),
    wrong(SCHOOL, "Staff went down by 25.", "25"),
    # days between dates of which one has no year
    good(RABIES, "From April 28 to June 3 it's 36 days.", "36", CAT),
    wrong(RABIES, "From April 28 to June 3 it's 33 days.", "33", CAT),
    good(RABIES, "From 28 December to 4 January that's 7 nights.", "7", "The hut from 28 December to 4 January?"),
    # a total spread over what was told with it
    good(TRAPS, "By 9 June it held 90 moths after six days, or 15 a day.", "15"),
    wrong(TRAPS, "By 9 June it held 90 moths after six days, or 18 a day.", "18"),
    good(TRAPS, "The van is €210 for 5 days, so €42 a day.", "42"),
    wrong(TRAPS, "The van is €210 for 5 days, so €52 a day.", "52"),
    # a percentage on an amount or off it, and another currency
    good(JACKET, "With the 15% discount it costs €68.", "68"),
    wrong(JACKET, "With the 15% discount it costs €65.", "65"),
    wrong(JACKET, "The 15% discount takes it to €92.", "92"),
    good(DINNER, "With the service charge of 12.5% that's €72.", "72"),
    wrong(DINNER, "With the service charge of 12.5% that's €56.", "56"),
    good(FRANCS, "Your €350 are CHF 329.", "329", "How much are €350 in francs?"),
    wrong(FRANCS, "Your €350 are CHF 372.34.", "372", "How much are €350 in francs?"),
    good(FRANCS, "Your €350 are $378.", "378", "How much are €350 in dollars?"),
    good(TINS, "Four tins cost €115.60.", "115"),
    wrong(TINS, "Four tins cost €105.60.", "105"),
    good(MUESLI, "Your 250 g have 950 kcal and 30 g of protein.", "950", "What is in 250 g?"),
    wrong(MUESLI, "Your 250 g have 30 g of sugar.", "30", "What is in 250 g?"),
    good(BRANCH, "Q1 and Q2 together brought 800.", "800"),
    wrong(BRANCH, "Q1 and Q2 together brought 840.", "840"),
    good(BRANCH, "The year came to 1,770 in total.", "1,770"),
    good(BRANCH, "Sales averaged 442.5 a quarter.", "442"),
    wrong(BRANCH, "Sales averaged 424.5 a quarter.", "424"),
    good(PLAN, "Your 300 MB file is 50 MB over the limit.", "50", "Can I upload a 300 MB file?"),
    wrong(PLAN, "Your 300 MB file is within the limit.", "within", "Can I upload a 300 MB file?"),
    good(REELS, "All reels together run for just over 12 minutes.", "12"),
    wrong(REELS, "All reels together run for just over 13 minutes.", "13"),
    # close to a figure, on the side that is said
    good(CLIP, "It runs for just under 46 minutes.", "46"),
    wrong(CLIP, "It runs for just over 46 minutes.", "46"),
    good(CLIP, "It runs for a little over 45 minutes.", "45"),
    wrong(CLIP, "It runs for a little under 45 minutes.", "45"),
    good(CLIP, "It costs just under €300.", "300"),
    wrong(CLIP, "It costs slightly more than €300.", "300"),
    good(CLIP, "It is slightly more than 41 km long.", "41"),
    wrong(CLIP, "It is nearly 41 km long.", "41"),
]  # fmt: skip


def claim_of(case: Case, judged: Judged) -> ClaimVerdict:
    return judged([("look_up", {}, case.result)], case.answer, case.says, asked=case.asked)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer[-60:])
def test_reckoned(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert (claim.status == "supported") == (case.status == "supported"), claim.explanation
