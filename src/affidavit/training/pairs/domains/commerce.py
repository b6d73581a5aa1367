"""What is bought and paid: orders, invoices, articles, payments."""

from __future__ import annotations

from affidavit.training.pairs.domains.domain import CITY, Domain, Field, f, identifier
from affidavit.training.pairs.kinds import (
    Code,
    Count,
    Day,
    Flag,
    Measure,
    Money,
    Name,
    Note,
    Person,
    Several,
    Share,
    State,
)

_CARRIERS = Name("UPS|FedEx|DHL|USPS|Royal Mail|Hermes|GLS|Canada Post".split("|"))

_METHODS = Name("credit card|gift card|PayPal|bank transfer|debit card|Apple Pay".split("|"))

_PRODUCTS = (
    "desk lamp|running shoes|coffee grinder|water bottle|wool blanket|phone case|garden hose|"
    "office chair|rain jacket|backpack|toaster|yoga mat|bluetooth speaker|bookshelf|electric kettle|"
    "hiking boots|keyboard|wall clock|sleeping bag|air purifier|mechanical watch|ceramic teapot"
).split("|")

ORDER = Domain(
    "order",
    ("get_order", "get_order_details", "lookup_order", "orders.get", "fetchOrder", "order_status"),
    identifier("order_id id order_number number", "W#######"),
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
        f("shipping_city ship_to_city city", CITY, "{S} is going to {v}", "{S} ships to {v}"),
        f("customer customer_name buyer", Person(), "{S} was placed by {v}", "{S} belongs to {v}"),
    ),
)

INVOICE = Domain(
    "invoice",
    ("get_invoice", "billing.invoices.get", "list_invoices", "retrieveInvoice", "invoice_lookup"),
    identifier("invoice_id id number invoice_number", "INV-#####"),
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

PAYMENT = Domain(
    "payment",
    ("get_payment", "list_transactions", "payments.search", "refund_payment", "transfer_funds"),
    identifier("transaction_id id payment_id reference", "TX######"),
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
