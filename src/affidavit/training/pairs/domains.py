"""Business records of many kinds, and what people say about each of their fields.

In a phrase ``{S}`` is the subject ("Order W12", "your order", "it") and ``{v}`` the value as said.
``no`` holds what is said where a flag is false, a note is missing or a list lacks something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.training.pairs.kinds import (
    CITIES,
    Clock,
    Code,
    Count,
    Day,
    Duration,
    Flag,
    Kind,
    Measure,
    Moment,
    Money,
    Name,
    Note,
    Person,
    Several,
    Share,
    State,
)


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """One field of a record: its possible keys, its kind, and what is said of it."""

    keys: Sequence[str]
    kind: Kind
    says: Sequence[str]
    no: Sequence[str] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """A kind of record. ``thing`` is what people call it; ``tools`` return it."""

    thing: str
    tools: Sequence[str]
    identity: Field
    fields: Sequence[Field]
    plural: str = ""


def f(keys: str, kind: Kind, *says: str, no: Sequence[str] = ()) -> Field:
    return Field(keys.split(), kind, says, no)


def _id(keys: str, pattern: str) -> Field:
    return Field(keys.split(), Code(pattern), ())


_CARRIERS = Name("UPS|FedEx|DHL|USPS|Royal Mail|Hermes|GLS|Canada Post".split("|"))
_METHODS = Name("credit card|gift card|PayPal|bank transfer|debit card|Apple Pay".split("|"))
_CITY = Name(CITIES)
_PRODUCTS = (
    "desk lamp|running shoes|coffee grinder|water bottle|wool blanket|phone case|garden hose|"
    "office chair|rain jacket|backpack|toaster|yoga mat|bluetooth speaker|bookshelf|electric kettle|"
    "hiking boots|keyboard|wall clock|sleeping bag|air purifier|mechanical watch|ceramic teapot"
).split("|")
_TEAMS = Name(
    "platform|payments|growth|security|design|data|support|mobile|legal|finance".split("|")
)
_AIRLINES = Name(
    "Lufthansa|Delta|KLM|Iberia|Qantas|Air Canada|Emirates|SAS|Finnair|TAP|JetBlue|ANA".split("|")
)
_SERVICES = "checkout|search|billing|gateway|inventory|auth|reports|notifications|cart".split("|")

ORDER = Domain(
    "order",
    ("get_order", "get_order_details", "lookup_order", "orders.get", "fetchOrder", "order_status"),
    _id("order_id id order_number number", "W#######"),
    (
        f(
            "status order_status state",
            State(
                {
                    "pending": (
                        "{S} is still pending",
                        "{S} is pending",
                        "{S} has not been processed yet",
                    ),
                    "processed": ("{S} has been processed", "{S} is processed"),
                    "shipped": ("{S} has been shipped", "{S} has shipped", "{S} is on its way"),
                    "delivered": ("{S} has been delivered", "{S} was delivered", "{S} has arrived"),
                    "cancelled": (
                        "{S} has been cancelled",
                        "{S} was cancelled",
                        "{S} is cancelled",
                    ),
                    "returned": ("{S} has been returned", "{S} was sent back"),
                    "in_transit": ("{S} is in transit", "{S} is on the way"),
                }
            ),
        ),
        f(
            "total order_total grand_total amount",
            Money(),
            "The total came to {v}",
            "{S} totals {v}",
            "{S} comes to {v}",
            "You were charged {v}",
            "The order total is {v}",
            "{S} cost {v}",
        ),
        f(
            "shipping_cost shipping_fee delivery_fee",
            Money(300, 4000),
            "Shipping cost {v}",
            "The delivery fee was {v}",
            "You paid {v} for shipping",
        ),
        f("tax tax_amount", Money(50, 9000), "The tax was {v}", "Tax came to {v}"),
        f(
            "placed_at order_date created_at ordered_on",
            Day(),
            "{S} was placed on {v}",
            "You placed {S} on {v}",
            "{S} was ordered on {v}",
        ),
        f(
            "shipped_at ship_date shipped_on dispatch_date",
            Day(),
            "{S} was shipped on {v}",
            "{S} shipped on {v}",
            "{S} went out on {v}",
            "{S} left the warehouse on {v}",
        ),
        f(
            "delivered_at delivery_date delivered_on",
            Day(),
            "{S} was delivered on {v}",
            "{S} arrived on {v}",
        ),
        f(
            "estimated_delivery eta expected_delivery_date",
            Day(),
            "{S} should arrive by {v}",
            "{S} is expected on {v}",
            "You can expect {S} on {v}",
            "{S} arrives on {v}",
            "The estimated delivery date is {v}",
        ),
        f(
            "carrier shipping_carrier courier",
            _CARRIERS,
            "{S} was sent with {v}",
            "{S} is being delivered by {v}",
            "The carrier is {v}",
        ),
        f(
            "tracking_number tracking_id",
            Code("1Z####??####"),
            "The tracking number is {v}",
            "You can track it with {v}",
        ),
        f(
            "payment_method paid_with",
            _METHODS,
            "{S} was paid by {v}",
            "You paid with {v}",
            "The payment method is {v}",
        ),
        f(
            "items line_items products",
            Several(_PRODUCTS),
            "{S} includes the {v}",
            "{S} contains a {v}",
            "There is a {v} in the order",
            no=("{S} does not include a {v}", "There is no {v} in the order"),
        ),
        f(
            "item_count quantity num_items",
            Count(1, 24),
            "{S} has {v} items",
            "There are {v} items in the order",
            "You ordered {v} items",
        ),
        f(
            "refundable refund_eligible eligible_for_refund is_returnable",
            Flag(),
            "{S} is eligible for a refund",
            "{S} can be refunded",
            "You can get a refund for it",
            no=(
                "{S} is not eligible for a refund",
                "{S} cannot be refunded",
                "{S} isn't refundable",
                "You can't get a refund for it",
            ),
        ),
        f(
            "gift gift_wrapped is_gift",
            Flag(),
            "{S} is a gift",
            "{S} is gift wrapped",
            no=("{S} is not a gift", "{S} is not gift wrapped"),
        ),
        f(
            "notes order_notes delivery_instructions",
            Note(
                (
                    "leave at the back door",
                    "ring twice",
                    "fragile, handle with care",
                    "call before delivery",
                    "hold at the front desk",
                )
            ),
            "There is a note on the order: {v}",
            "The delivery note says {v}",
            no=("There are no notes on the order", "{S} has no notes", "No instructions were left"),
        ),
        f("shipping_city ship_to_city city", _CITY, "{S} is going to {v}", "{S} ships to {v}"),
        f("customer customer_name buyer", Person(), "{S} was placed by {v}", "{S} belongs to {v}"),
    ),
)

INVOICE = Domain(
    "invoice",
    ("get_invoice", "billing.invoices.get", "list_invoices", "retrieveInvoice", "invoice_lookup"),
    _id("invoice_id id number invoice_number", "INV-#####"),
    (
        f(
            "status payment_status",
            State(
                {
                    "paid": ("{S} has been paid", "{S} is paid", "{S} is settled"),
                    "overdue": ("{S} is overdue", "{S} is past due"),
                    "open": ("{S} is open", "{S} is still unpaid"),
                    "void": ("{S} was voided", "{S} is void"),
                    "draft": ("{S} is a draft", "{S} is still in draft"),
                }
            ),
        ),
        f(
            "amount_due balance_due outstanding",
            Money(),
            "{v} is due",
            "The amount due is {v}",
            "You owe {v}",
            "{S} has {v} outstanding",
        ),
        f("subtotal net_amount", Money(), "The subtotal is {v}", "Before tax it is {v}"),
        f("vat tax_total", Money(100, 30000), "VAT comes to {v}", "The tax on it is {v}"),
        f(
            "due_date due payable_by",
            Day(),
            "{S} is due on {v}",
            "Payment is due by {v}",
            "It must be paid by {v}",
        ),
        f(
            "issued_at issue_date invoice_date",
            Day(),
            "{S} was issued on {v}",
            "{S} is dated {v}",
            "We sent {S} on {v}",
        ),
        f("paid_at payment_date paid_on", Day(), "{S} was paid on {v}", "It was settled on {v}"),
        f("tax_rate vat_rate", Share(300), "The tax rate is {v}", "VAT is charged at {v}"),
        f(
            "discount discount_rate",
            Share(500),
            "A discount of {v} was applied",
            "You received {v} off",
            "The discount is {v}",
        ),
        f("customer client bill_to", Person(), "{S} is billed to {v}", "The customer is {v}"),
        f(
            "late_fee late_charge",
            Money(500, 8000),
            "The late fee is {v}",
            "A late fee of {v} applies",
        ),
        f(
            "auto_pay autopay_enabled",
            Flag(),
            "Autopay is on",
            "{S} is on autopay",
            no=("Autopay is off", "{S} is not on autopay", "Automatic payment isn't enabled"),
        ),
        f(
            "memo reference_note",
            Note(("second reminder", "per contract", "annual renewal")),
            "The memo reads {v}",
            no=("There is no memo on it", "{S} has no memo"),
        ),
    ),
)

FLIGHT = Domain(
    "flight",
    ("search_flights", "get_flight", "flight_status", "FlightSearch", "flights.lookup"),
    _id("flight_number flight id flight_no", "?? ###"),
    (
        f(
            "airline carrier operated_by",
            _AIRLINES,
            "{S} is operated by {v}",
            "You'd fly with {v}",
            "It's a {v} flight",
        ),
        f("origin from departure_city", _CITY, "{S} leaves from {v}", "{S} departs from {v}"),
        f(
            "destination to arrival_city",
            _CITY,
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
        f("city location", _CITY, "{S} is in {v}", "{S} is located in {v}"),
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

TICKET = Domain(
    "ticket",
    ("get_ticket", "search_issues", "jira_get_issue", "support.tickets.get", "list_tickets"),
    _id("ticket_id id key issue_key", "SUP-####"),
    (
        f(
            "status state",
            State(
                {
                    "open": ("{S} is open", "{S} is still open"),
                    "in_progress": ("{S} is in progress", "{S} is being worked on"),
                    "resolved": ("{S} has been resolved", "{S} is resolved"),
                    "closed": ("{S} is closed", "{S} was closed"),
                    "on_hold": ("{S} is on hold", "{S} was put on hold"),
                    "escalated": ("{S} has been escalated", "{S} was escalated"),
                }
            ),
        ),
        f(
            "priority severity",
            Name(["low", "medium", "high", "urgent", "critical"]),
            "{S} has {v} priority",
            "The priority is {v}",
            "It is marked {v}",
        ),
        f(
            "assignee assigned_to owner",
            Person(),
            "{S} is assigned to {v}",
            "{v} is working on it",
            "The assignee is {v}",
        ),
        f(
            "reporter requester created_by",
            Person(),
            "{S} was opened by {v}",
            "{v} reported it",
            "{S} was filed by {v}",
        ),
        f(
            "created_at opened_at created",
            Moment(),
            "{S} was opened on {v}",
            "{S} was created on {v}",
        ),
        f(
            "updated_at last_update",
            Moment(),
            "{S} was last updated on {v}",
            "The last update was on {v}",
        ),
        f("resolved_at closed_at", Moment(), "{S} was resolved on {v}", "It was closed on {v}"),
        f("due_date due", Day(), "{S} is due on {v}", "The deadline is {v}"),
        f(
            "comments num_comments comment_count",
            Count(0, 40),
            "{S} has {v} comments",
            "There are {v} comments on it",
        ),
        f("votes watchers", Count(0, 90), "{S} has {v} watchers", "{v} people are watching it"),
        f(
            "labels tags",
            Several(
                ["bug", "billing", "regression", "login", "mobile", "refund", "outage", "docs"]
            ),
            "{S} is labelled {v}",
            "{S} has the {v} label",
            no=("{S} is not labelled {v}", "It does not have the {v} label"),
        ),
        f(
            "resolution resolution_note",
            Note(("replaced the cable", "refund issued", "password reset", "fixed in release 4.2")),
            "The resolution was: {v}",
            "The resolution reads {v}",
            no=("There is no resolution yet", "{S} has no resolution", "No resolution is recorded"),
        ),
        f("team group", _TEAMS, "{S} belongs to the {v} team", "The {v} team owns it"),
        f(
            "sla_breached overdue",
            Flag(),
            "{S} has breached its SLA",
            no=("{S} has not breached its SLA", "{S} is within its SLA"),
        ),
    ),
)

ACCOUNT = Domain(
    "account",
    ("get_account", "get_user_details", "accounts.read", "lookupCustomer", "get_profile"),
    _id("account_id id user_id customer_id", "AC-######"),
    (
        f(
            "balance available_balance current_balance",
            Money(100, 900000),
            "The balance is {v}",
            "{S} has a balance of {v}",
            "You have {v} in the account",
            "{v} is available",
        ),
        f(
            "credit_limit limit",
            Money(50000, 2000000),
            "The credit limit is {v}",
            "{S} has a limit of {v}",
        ),
        f("name full_name holder", Person(), "{S} belongs to {v}", "The account holder is {v}"),
        f(
            "email_verified verified",
            Flag(),
            "{S} is verified",
            "The email is verified",
            no=("{S} is not verified", "The email has not been verified"),
        ),
        f(
            "plan tier subscription",
            Name(["free", "basic", "standard", "premium", "enterprise", "team"]),
            "{S} is on the {v} plan",
            "You're on the {v} plan",
            "The plan is {v}",
        ),
        f(
            "status account_status",
            State(
                {
                    "active": ("{S} is active", "{S} is in good standing"),
                    "suspended": ("{S} is suspended", "{S} has been suspended"),
                    "closed": ("{S} is closed", "{S} was closed"),
                    "locked": ("{S} is locked", "{S} has been locked"),
                }
            ),
        ),
        f(
            "opened_on created_at member_since",
            Day(),
            "{S} was opened on {v}",
            "You have been a member since {v}",
            "The account was created on {v}",
        ),
        f(
            "renewal_date next_billing_date renews_on",
            Day(),
            "{S} renews on {v}",
            "The next payment is on {v}",
        ),
        f(
            "last_login last_seen",
            Moment(),
            "{S} last logged in on {v}",
            "The last login was on {v}",
        ),
        f(
            "interest_rate apr apy",
            Share(280),
            "The interest rate is {v}",
            "{S} earns {v} interest",
        ),
        f(
            "points loyalty_points reward_points",
            Count(0, 90000),
            "{S} has {v} points",
            "You have {v} points",
        ),
        f(
            "two_factor two_factor_enabled mfa",
            Flag(),
            "Two-factor authentication is on",
            "{S} has two-factor authentication enabled",
            no=("Two-factor authentication is off", "{S} does not have two-factor enabled"),
        ),
        f("monthly_fee fee", Money(100, 6000), "The monthly fee is {v}", "{S} costs {v} a month"),
        f("city home_city", _CITY, "The holder lives in {v}", "The address on file is in {v}"),
        f("overdraft overdraft_fee", Money(500, 5000), "The overdraft fee is {v}"),
    ),
)

DEPLOYMENT = Domain(
    "deployment",
    ("get_deployment", "deploy_status", "ci.pipelines.get", "kubectl_get", "list_deployments"),
    _id("deployment_id id build run_id", "dep-####"),
    (
        f(
            "service app component",
            Name(_SERVICES),
            "{S} is for the {v} service",
            "It deployed {v}",
        ),
        f(
            "status state conclusion",
            State(
                {
                    "succeeded": ("{S} succeeded", "{S} went through", "{S} was successful"),
                    "failed": ("{S} failed", "{S} did not succeed"),
                    "running": ("{S} is running", "{S} is still running"),
                    "rolled_back": ("{S} was rolled back", "{S} has been rolled back"),
                    "queued": ("{S} is queued", "{S} has not started yet"),
                }
            ),
        ),
        f(
            "version tag release",
            Code("v#.#.#"),
            "{S} shipped version {v}",
            "The version is {v}",
            "It is running {v}",
        ),
        f("commit sha commit_sha", Code("a#f##c#"), "{S} is at commit {v}", "The commit is {v}"),
        f(
            "environment env",
            Name(["production", "staging", "development", "canary", "preview"]),
            "{S} went to {v}",
            "It is running in {v}",
            "The environment is {v}",
        ),
        f(
            "replicas instances pods",
            Count(1, 24),
            "{S} has {v} replicas",
            "There are {v} instances running",
        ),
        f("started_at created_at", Moment(), "{S} started on {v}", "{S} was started on {v}"),
        f("finished_at completed_at", Moment(), "{S} finished on {v}", "It completed on {v}"),
        f("duration build_time", Duration(1, 90), "{S} took {v}", "The build took {v}"),
        f("error_rate failure_rate", Share(200), "The error rate is {v}", "{v} of requests fail"),
        f("cpu cpu_usage", Share(1000), "CPU usage is at {v}", "It is using {v} of the CPU"),
        f(
            "memory memory_usage",
            Measure("gb", ("GB", "gigabytes"), 2, 640),
            "It uses {v} of memory",
            "Memory usage is {v}",
        ),
        f(
            "latency p95_latency",
            Measure("ms", ("ms", "milliseconds"), 50, 9000),
            "The p95 latency is {v}",
            "Latency is {v}",
        ),
        f("author deployed_by triggered_by", Person(), "{S} was started by {v}", "{v} deployed it"),
        f("tests_passed passed", Count(1, 900), "{v} tests passed"),
        f("tests_failed failed", Count(0, 30), "{v} tests failed"),
        f(
            "healthy is_healthy",
            Flag(),
            "{S} is healthy",
            no=("{S} is not healthy", "{S} is unhealthy"),
        ),
        f(
            "error error_message",
            Note(
                ("image not found", "out of memory", "timeout waiting for pods", "migration failed")
            ),
            "The error was: {v}",
            "It failed with {v}",
            "The error message says {v}",
            no=("There were no errors", "{S} reported no error", "No error was recorded"),
        ),
    ),
)

WEATHER = Domain(
    "forecast",
    ("get_weather", "forecast", "weather.current", "WeatherLookup"),
    Field(("city", "location"), _CITY, ()),
    (
        f("date day", Day(), "The forecast is for {v}"),
        f(
            "temperature temp",
            Measure("c", ("°C", "degrees Celsius", "degrees"), 10, 390),
            "It will be {v}",
            "The temperature is {v}",
            "Expect {v}",
        ),
        f(
            "high temp_max",
            Measure("f", ("°F", "degrees Fahrenheit", "degrees"), 300, 1050),
            "The high is {v}",
            "It reaches {v}",
        ),
        f(
            "low temp_min",
            Measure("f", ("°F", "degrees"), 100, 700),
            "The low is {v}",
            "It drops to {v} at night",
        ),
        f("humidity", Share(1000), "Humidity is {v}", "The humidity will be {v}"),
        f(
            "precipitation rain_chance chance_of_rain",
            Share(1000),
            "The chance of rain is {v}",
            "There's a {v} chance of rain",
        ),
        f(
            "wind wind_speed",
            Measure("kmh", ("km/h", "kilometers per hour"), 10, 900),
            "Winds are {v}",
            "The wind blows at {v}",
        ),
        f(
            "condition conditions summary",
            State(
                {
                    "sunny": ("It will be sunny", "It's sunny", "Expect sunshine"),
                    "rain": ("It will rain", "Expect rain", "It's rainy"),
                    "snow": ("It will snow", "Snow is expected"),
                    "cloudy": ("It will be cloudy", "It's cloudy"),
                    "thunderstorm": ("There will be a thunderstorm", "Expect thunderstorms"),
                }
            ),
        ),
        f("sunrise", Clock(), "The sun rises at {v}", "Sunrise is at {v}"),
        f("sunset", Clock(), "The sun sets at {v}", "Sunset is at {v}"),
        f("uv_index uv", Count(0, 11), "The UV index is {v}"),
        f(
            "alert warning",
            Note(("flood watch", "high wind advisory", "heat warning")),
            "There is a {v}",
            "A {v} is in effect",
            no=("There are no weather alerts", "No warnings are in effect"),
        ),
    ),
)

PRODUCT = Domain(
    "product",
    ("get_product", "search_products", "catalog.lookup", "productDetails", "get_inventory"),
    Field(("name", "title", "product_name"), Name([p.capitalize() for p in _PRODUCTS]), ()),
    (
        f(
            "price unit_price list_price",
            Money(200, 90000),
            "{S} costs {v}",
            "{S} is {v}",
            "The price is {v}",
            "{S} sells for {v}",
        ),
        f(
            "sale_price discounted_price",
            Money(200, 60000),
            "{S} is on sale for {v}",
            "The sale price is {v}",
        ),
        f("sku item_id", Code("??-####"), "The SKU is {v}", "{S} has SKU {v}"),
        f(
            "stock in_stock_quantity inventory units",
            Count(0, 400),
            "We have {v} in stock",
            "There are {v} units left",
            "{v} are in stock",
        ),
        f(
            "available in_stock",
            Flag(),
            "{S} is in stock",
            "{S} is available",
            no=("{S} is out of stock", "{S} is not available", "{S} isn't in stock"),
        ),
        f(
            "color colour",
            Name(["red", "blue", "black", "white", "green", "grey", "orange"]),
            "{S} is {v}",
            "{S} comes in {v}",
            "The color is {v}",
        ),
        f(
            "size",
            Name(["small", "medium", "large", "extra large", "one size"]),
            "The size is {v}",
            "{S} is size {v}",
        ),
        f(
            "material",
            Name(["cotton", "steel", "oak", "leather", "bamboo", "plastic", "wool"]),
            "{S} is made of {v}",
            "The material is {v}",
        ),
        f(
            "weight",
            Measure("kg", ("kg", "kilograms"), 1, 300),
            "{S} weighs {v}",
            "The weight is {v}",
        ),
        f(
            "length width height",
            Measure("cm", ("cm", "centimeters"), 20, 2400),
            "{S} measures {v}",
        ),
        f(
            "rating average_rating stars",
            Measure("of_5", ("stars", "out of 5"), 10, 50),
            "{S} is rated {v}",
            "Customers rate it {v}",
        ),
        f(
            "reviews review_count num_reviews",
            Count(0, 3000),
            "{S} has {v} reviews",
            "There are {v} reviews",
        ),
        f(
            "brand manufacturer",
            Name(["Norvik", "Tessel", "Halden", "Brightway", "Corvo", "Ulmo"]),
            "{S} is made by {v}",
            "The brand is {v}",
        ),
        f(
            "warranty_years warranty",
            Count(1, 10),
            "{S} has a {v}-year warranty",
            "The warranty lasts {v} years",
        ),
        f(
            "waterproof water_resistant",
            Flag(),
            "{S} is waterproof",
            no=("{S} is not waterproof", "{S} isn't waterproof"),
        ),
        f("release_date released available_from", Day(), "{S} was released on {v}"),
    ),
)

EMPLOYEE = Domain(
    "employee",
    ("get_employee", "hr.lookup", "directory_search", "findPerson", "list_employees"),
    Field(
        ("name", "employee_name", "full_name"),
        Name(
            [
                f"{a} {b}"
                for a, b in zip(
                    (
                        "Anna",
                        "Boris",
                        "Celia",
                        "Dmitri",
                        "Esther",
                        "Farid",
                        "Greta",
                        "Hamid",
                        "Iris",
                        "Jorge",
                    ),
                    (
                        "Weiss",
                        "Malik",
                        "Duarte",
                        "Orlov",
                        "Banda",
                        "Rahimi",
                        "Holm",
                        "Saleh",
                        "Quinn",
                        "Vega",
                    ),
                    strict=True,
                )
            ]
        ),
        (),
    ),
    (
        f(
            "title role job_title",
            Name(
                [
                    "software engineer",
                    "account manager",
                    "data analyst",
                    "recruiter",
                    "designer",
                    "product manager",
                    "sales lead",
                    "controller",
                    "support agent",
                ]
            ),
            "{S} is a {v}",
            "{S} works as a {v}",
            "The title is {v}",
        ),
        f("department team", _TEAMS, "{S} works in {v}", "{S} is on the {v} team"),
        f("manager reports_to", Person(), "{S} reports to {v}", "The manager is {v}"),
        f(
            "start_date hired_on hire_date",
            Day(),
            "{S} started on {v}",
            "{S} joined on {v}",
            "{S} was hired on {v}",
        ),
        f(
            "salary annual_salary",
            Money(3000000, 18000000, cents=False),
            "{S} earns {v} a year",
            "The salary is {v}",
        ),
        f(
            "vacation_days pto_balance leave_days",
            Count(0, 35),
            "{S} has {v} vacation days left",
            "There are {v} days of leave left",
        ),
        f("office location city", _CITY, "{S} is based in {v}", "{S} works from {v}"),
        f(
            "remote is_remote",
            Flag(),
            "{S} works remotely",
            "{S} is remote",
            no=("{S} does not work remotely", "{S} is not remote"),
        ),
        f("extension phone_ext", Code("####"), "The extension is {v}", "You can call {v}"),
        f(
            "email",
            Name(["a.w@corp.test", "help@corp.test", "jv@corp.test", "team@corp.test"]),
            "The email is {v}",
            "You can write to {v}",
        ),
        f("reports direct_reports", Count(0, 14), "{S} has {v} direct reports"),
        f(
            "skills languages",
            Several(["Python", "SQL", "Spanish", "Excel", "German", "Go", "French"]),
            "{S} knows {v}",
            "The skills include {v}",
            no=("{S} does not know {v}",),
        ),
        f(
            "manager_notes note",
            Note(("on parental leave", "promotion pending", "new badge needed")),
            "The note says {v}",
            no=("There are no notes on file", "No note is recorded"),
        ),
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

LOG = Domain(
    "log entry",
    ("search_logs", "get_metrics", "query_logs", "monitoring.query", "grep_logs"),
    _id("request_id id trace_id", "req-#?##?#"),
    (
        f(
            "level severity",
            Name(["info", "warning", "error", "debug", "fatal"]),
            "{S} was logged as {v}",
            "The level is {v}",
        ),
        f(
            "status_code code http_status",
            Name(["200", "201", "301", "400", "403", "404", "429", "500", "502", "503"]),
            "{S} returned {v}",
            "The status code was {v}",
            "It answered with a {v}",
        ),
        f("timestamp time ts", Moment(), "{S} was logged on {v}", "It happened on {v}"),
        f("service host source", Name(_SERVICES), "{S} came from {v}", "The service is {v}"),
        f(
            "latency response_time elapsed",
            Measure("ms", ("ms", "milliseconds"), 20, 9900),
            "{S} took {v}",
            "The response time was {v}",
        ),
        f(
            "bytes size",
            Measure("kb", ("KB", "kilobytes"), 10, 9000),
            "The size was {v}",
            "It sent {v}",
        ),
        f("user username", Person(), "The request was made by {v}", "{S} came from {v}"),
        f("retries attempts", Count(0, 9), "{S} was retried {v} times", "There were {v} retries"),
        f(
            "region zone",
            Name(["us-east-1", "eu-west-2", "ap-south-1", "us-west-2"]),
            "{S} was served from {v}",
            "The region is {v}",
        ),
        f(
            "cached cache_hit",
            Flag(),
            "{S} was served from the cache",
            no=("{S} was not cached", "{S} did not come from the cache"),
        ),
        f(
            "exception error",
            Note(("connection reset", "null pointer", "disk full", "bad gateway")),
            "The exception was {v}",
            "It failed with {v}",
            no=("There was no exception", "No exception was raised"),
        ),
        f("occurrences count hits", Count(1, 5000), "It occurred {v} times", "There were {v} hits"),
    ),
)

RESERVATION = Domain(
    "reservation",
    ("get_reservation", "book_table", "create_booking", "reservations.get", "bookingDetails"),
    _id("confirmation_number reservation_id booking_id id", "R?####"),
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
        f("car pickup_location branch", _CITY, "Pick-up is in {v}", "You collect it in {v}"),
    ),
)

PAYMENT = Domain(
    "payment",
    ("get_payment", "list_transactions", "payments.search", "refund_payment", "transfer_funds"),
    _id("transaction_id id payment_id reference", "TX######"),
    (
        f(
            "amount value",
            Money(),
            "{S} was for {v}",
            "The amount is {v}",
            "{v} was charged",
            "{v} was transferred",
        ),
        f("fee processing_fee", Money(10, 3000), "The fee was {v}", "A fee of {v} was taken"),
        f(
            "refunded_amount refund",
            Money(),
            "{v} was refunded",
            "The refund is {v}",
            "I've refunded {v}",
        ),
        f(
            "status",
            State(
                {
                    "completed": ("{S} is complete", "{S} went through", "{S} has been completed"),
                    "failed": ("{S} failed", "{S} did not go through"),
                    "pending": ("{S} is pending", "{S} is still being processed"),
                    "refunded": ("{S} has been refunded", "{S} was refunded"),
                    "disputed": ("{S} is disputed", "{S} was disputed"),
                }
            ),
        ),
        f("date posted_on created", Day(), "{S} was made on {v}", "{S} posted on {v}"),
        f("method payment_method", _METHODS, "{S} was made by {v}", "It was paid with {v}"),
        f(
            "card_last4 last_four",
            Code("####"),
            "The card ends in {v}",
            "It went to the card ending {v}",
        ),
        f("payee recipient merchant", Person(), "{S} went to {v}", "The recipient is {v}"),
        f("payer sender from_account_holder", Person(), "{S} came from {v}", "{v} sent it"),
        f(
            "recurring is_recurring",
            Flag(),
            "{S} is recurring",
            "{S} repeats every month",
            no=("{S} is not recurring", "{S} is a one-time payment"),
        ),
        f(
            "exchange_rate_markup surcharge",
            Share(80),
            "The surcharge is {v}",
            "A {v} surcharge applies",
        ),
        f(
            "arrival_estimate available_on",
            Day(),
            "The money arrives on {v}",
            "You should see it by {v}",
        ),
        f(
            "decline_reason failure_reason",
            Note(("insufficient funds", "card expired", "limit reached")),
            "It was declined: {v}",
            "The reason given was {v}",
            no=("There is no decline reason", "No failure reason is given"),
        ),
    ),
)

DOMAINS = (
    ORDER, INVOICE, FLIGHT, HOTEL, TICKET, ACCOUNT, DEPLOYMENT, WEATHER, PRODUCT, EMPLOYEE, EVENT,
    LOG, RESERVATION, PAYMENT,
)  # fmt: skip
