"""Journeys and stays: flights, hotels, rented cars, events."""

from __future__ import annotations

from affidavit.training.pairs.domains.domain import CITY, Domain, Field, f, identifier
from affidavit.training.pairs.kinds import (
    Clock,
    Code,
    Count,
    Day,
    Duration,
    Flag,
    Measure,
    Money,
    Name,
    Note,
    Person,
    Several,
    State,
)

_AIRLINES = Name(
    "Lufthansa|Delta|KLM|Iberia|Qantas|Air Canada|Emirates|SAS|Finnair|TAP|JetBlue|ANA".split("|")
)

FLIGHT = Domain(
    "flight",
    ("search_flights", "get_flight", "flight_status", "FlightSearch", "flights.lookup"),
    identifier("flight_number flight id flight_no", "?? ###"),
    (
        f(
            "airline carrier operated_by",
            _AIRLINES,
            "{S} is operated by {v}",
            "You'd fly with {v}",
            "It's a {v} flight",
        ),
        f("origin from departure_city", CITY, "{S} leaves from {v}", "{S} departs from {v}"),
        f(
            "destination to arrival_city",
            CITY,
            "{S} goes to {v}",
            "{S} lands in {v}",
            "The destination is {v}",
        ),
        f(
            "departure_time departs_at departure",
            Clock(),
            "{S} leaves at {v}",
            "{S} departs at {v}",
            "Departure is at {v}",
            "Takeoff is at {v}",
        ),
        f("arrival_time arrives_at arrival", Clock(), "{S} arrives at {v}", "{S} lands at {v}"),
        f(
            "date departure_date travel_date",
            Day(),
            "{S} is on {v}",
            "{S} departs on {v}",
            "You fly on {v}",
        ),
        f(
            "price fare ticket_price",
            Money(4000, 180000),
            "The fare is {v}",
            "{S} costs {v}",
            "Tickets are {v}",
            "A seat costs {v}",
        ),
        f("duration flight_time", Duration(5, 900), "{S} takes {v}", "The flight lasts {v}"),
        f("stops num_stops layovers", Count(0, 3), "{S} has {v} stops", "There are {v} stops"),
        f("gate departure_gate", Code("?##"), "{S} leaves from gate {v}", "The gate is {v}"),
        f("terminal", Code("#"), "{S} leaves from terminal {v}", "Go to terminal {v}"),
        f(
            "seats_left available_seats seats_available",
            Count(1, 60),
            "There are {v} seats left",
            "{S} has {v} seats available",
        ),
        f(
            "cabin class cabin_class",
            Name(["economy", "business", "premium economy", "first class"]),
            "The cabin is {v}",
            "It's a {v} ticket",
            "You're booked in {v}",
        ),
        f(
            "refundable is_refundable",
            Flag(),
            "{S} is refundable",
            "The ticket can be refunded",
            no=("{S} is not refundable", "The ticket is non-refundable", "It can't be refunded"),
        ),
        f(
            "status flight_status",
            State(
                {
                    "on_time": ("{S} is on time", "{S} is running on schedule"),
                    "delayed": ("{S} is delayed", "{S} has been delayed", "{S} is running late"),
                    "cancelled": ("{S} has been cancelled", "{S} is cancelled"),
                    "boarding": ("{S} is boarding", "{S} is boarding now"),
                    "landed": ("{S} has landed", "{S} has already landed"),
                }
            ),
        ),
        f(
            "checked_bags baggage_allowance bags_included",
            Count(0, 3),
            "{v} checked bags are included",
            "It comes with {v} checked bags",
        ),
        f(
            "wifi has_wifi",
            Flag(),
            "{S} has wifi",
            "There is wifi on board",
            no=("{S} has no wifi", "There is no wifi on board", "It does not have wifi"),
        ),
    ),
)

HOTEL = Domain(
    "hotel",
    ("search_hotels", "get_hotel", "HotelLookup", "hotels.find", "find_stay"),
    Field(
        ("name", "hotel_name"),
        Name(
            [
                "Harbor View Inn",
                "The Linden",
                "Casa Mirador",
                "Park Lane Suites",
                "Hotel Aurora",
                "Stonebridge Lodge",
                "The Old Mill",
                "Bayfront Plaza",
                "Maple Court",
                "Villa Serena",
            ]
        ),
        (),
    ),
    (
        f(
            "price_per_night nightly_rate rate",
            Money(4000, 60000),
            "{S} costs {v} a night",
            "The nightly rate is {v}",
            "A room is {v} per night",
            "Rooms start at {v}",
        ),
        f(
            "rating guest_rating score",
            Measure("out_of_10", ("out of 10", "points"), 40, 99),
            "{S} is rated {v}",
            "Guests rate it {v}",
        ),
        f("stars star_rating", Count(1, 5), "{S} has {v} stars", "It is rated {v} stars"),
        f("city location", CITY, "{S} is in {v}", "{S} is located in {v}"),
        f("check_in check_in_time", Clock(), "Check-in is from {v}", "You can check in at {v}"),
        f("check_out check_out_time", Clock(), "Check-out is at {v}", "You must leave by {v}"),
        f("arrival check_in_date", Day(), "You arrive on {v}", "Your stay starts on {v}"),
        f("departure check_out_date", Day(), "You leave on {v}", "Your stay ends on {v}"),
        f("nights num_nights", Count(1, 14), "You're staying {v} nights", "The stay is {v} nights"),
        f(
            "rooms_left available_rooms",
            Count(1, 30),
            "{S} has {v} rooms left",
            "There are {v} rooms available",
        ),
        f(
            "pets_allowed pet_friendly",
            Flag(),
            "{S} allows pets",
            "Pets are welcome",
            "{S} is pet-friendly",
            no=("{S} does not allow pets", "Pets are not allowed"),
        ),
        f(
            "breakfast_included breakfast",
            Flag(),
            "Breakfast is included",
            "{S} includes breakfast",
            no=("Breakfast is not included", "{S} has no breakfast"),
        ),
        f(
            "free_cancellation cancellable",
            Flag(),
            "{S} can be cancelled for free",
            "Cancellation is free",
            no=("Cancellation is not free", "There is no free cancellation"),
        ),
        f(
            "amenities facilities",
            Several(
                ["pool", "gym", "sauna", "parking", "spa", "bar", "rooftop terrace", "laundry"]
            ),
            "{S} has a {v}",
            "There is a {v}",
            "Amenities include a {v}",
            no=("{S} does not have a {v}", "There is no {v}"),
        ),
        f(
            "distance_to_center distance",
            Measure("km", ("km", "kilometers"), 2, 240),
            "{S} is {v} from the center",
            "It's {v} away from downtown",
        ),
        f("resort_fee cleaning_fee", Money(500, 9000), "The fee is {v}", "There's a {v} fee"),
    ),
)

RESERVATION = Domain(
    "reservation",
    ("get_reservation", "book_table", "create_booking", "reservations.get", "bookingDetails"),
    identifier("confirmation_number reservation_id booking_id id", "R?####"),
    (
        f(
            "status",
            State(
                {
                    "confirmed": ("{S} is confirmed", "{S} has been confirmed", "You're all set"),
                    "waitlisted": ("{S} is on the waitlist", "{S} was waitlisted"),
                    "cancelled": ("{S} has been cancelled", "{S} was cancelled"),
                    "pending": ("{S} is still pending", "{S} is awaiting confirmation"),
                }
            ),
        ),
        f(
            "guests party_size people",
            Count(1, 12),
            "{S} is for {v} people",
            "The party size is {v}",
            "{S} is a table for {v}",
        ),
        f(
            "date reservation_date",
            Day(),
            "{S} is on {v}",
            "{S} is for {v}",
            "We'll see you on {v}",
        ),
        f("time reservation_time", Clock(), "{S} is at {v}", "{S} is set for {v}"),
        f(
            "restaurant venue place",
            Name(
                ["Osteria Lupo", "Green Fig", "The Anchor", "Sakura House", "Blue Door", "Nopalito"]
            ),
            "{S} is at {v}",
            "You have a table at {v}",
        ),
        f(
            "deposit deposit_amount",
            Money(500, 20000),
            "The deposit is {v}",
            "A deposit of {v} was taken",
        ),
        f("cancellation_fee no_show_fee", Money(500, 9000), "The cancellation fee is {v}"),
        f("name guest_name booked_by", Person(), "{S} is under {v}", "{S} is in the name of {v}"),
        f(
            "outdoor outdoor_seating terrace",
            Flag(),
            "{S} is for outdoor seating",
            no=("{S} is not outdoors", "{S} is for indoor seating"),
        ),
        f(
            "cancel_by free_cancellation_until",
            Day(),
            "You can cancel until {v}",
            "Cancellation is free until {v}",
        ),
        f(
            "special_requests requests",
            Note(("high chair", "window table", "nut allergy")),
            "The special request is: {v}",
            "A {v} was requested",
            no=("There are no special requests", "No special requests were made"),
        ),
        f("car pickup_location branch", CITY, "Pick-up is in {v}", "You collect it in {v}"),
    ),
)

EVENT = Domain(
    "event",
    ("get_event", "calendar.list", "list_events", "create_event", "calendarLookup"),
    Field(
        ("title", "summary", "name"),
        Name(
            [
                "Budget review",
                "Design sync",
                "Team lunch",
                "Dentist",
                "Quarterly planning",
                "Demo day",
                "Interview with Sam",
                "Board call",
                "Yoga class",
                "Product launch",
                "Security training",
            ]
        ),
        (),
    ),
    (
        f("date day", Day(), "{S} is on {v}", "{S} takes place on {v}", "{S} is scheduled for {v}"),
        f("start start_time begins_at", Clock(), "{S} starts at {v}", "{S} begins at {v}"),
        f("end end_time ends_at", Clock(), "{S} ends at {v}", "{S} runs until {v}"),
        f("duration length", Duration(15, 300), "{S} lasts {v}", "{S} takes {v}"),
        f(
            "location room venue",
            Name(
                ["Room 4B", "the main hall", "Room 12", "the cafeteria", "Studio 3", "the rooftop"]
            ),
            "{S} is in {v}",
            "{S} takes place in {v}",
            "The location is {v}",
        ),
        f("organizer host", Person(), "{S} is organised by {v}", "{v} is hosting it"),
        f(
            "attendees participants guests",
            Several(
                [
                    f"{a} {b}"
                    for a, b in zip(
                        ("Tom", "Rita", "Noor", "Ben", "Lucia", "Sven"),
                        ("Harris", "Mora", "Aziz", "Clarke", "Prieto", "Berg"),
                        strict=True,
                    )
                ]
            ),
            "{v} is attending",
            "{v} was invited to it",
            "{S} includes {v}",
            no=("{v} is not attending", "{v} is not on the guest list"),
        ),
        f(
            "attendee_count seats capacity",
            Count(2, 80),
            "{S} has room for {v} people",
            "{v} people are expected",
        ),
        f(
            "recurring repeats",
            Flag(),
            "{S} repeats every week",
            "{S} is recurring",
            no=("{S} does not repeat", "{S} is not recurring", "{S} is a one-off"),
        ),
        f(
            "status response",
            State(
                {
                    "accepted": ("You have accepted {S}", "{S} is accepted"),
                    "declined": ("You have declined {S}", "{S} is declined"),
                    "tentative": ("{S} is tentative", "You marked {S} as tentative"),
                    "cancelled": ("{S} has been cancelled", "{S} was cancelled"),
                }
            ),
        ),
        f("ticket_price price", Money(500, 30000), "Tickets cost {v}", "Admission is {v}"),
        f(
            "description agenda",
            Note(("bring the slides", "review open roles", "dial-in only")),
            "The description says {v}",
            no=("There is no description", "{S} has no agenda"),
        ),
    ),
)
