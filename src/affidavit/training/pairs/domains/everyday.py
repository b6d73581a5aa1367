"""Accounts and the weather."""

from __future__ import annotations

from affidavit.training.pairs.domains.domain import CITY, Domain, Field, f, identifier
from affidavit.training.pairs.kinds import (
    Clock,
    Count,
    Day,
    Flag,
    Measure,
    Moment,
    Money,
    Name,
    Note,
    Person,
    Share,
    State,
)

ACCOUNT = Domain(
    "account",
    ("get_account", "get_user_details", "accounts.read", "lookupCustomer", "get_profile"),
    identifier("account_id id user_id customer_id", "AC-######"),
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
        f("city home_city", CITY, "The holder lives in {v}", "The address on file is in {v}"),
        f("overdraft overdraft_fee", Money(500, 5000), "The overdraft fee is {v}"),
    ),
)

WEATHER = Domain(
    "forecast",
    ("get_weather", "forecast", "weather.current", "WeatherLookup"),
    Field(("city", "location"), CITY, ()),
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
