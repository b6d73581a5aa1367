"""Business records of many kinds, and what people say about each of their fields."""

from affidavit.training.pairs.domains.commerce import INVOICE, ORDER, PAYMENT, PRODUCT
from affidavit.training.pairs.domains.domain import Domain, Field
from affidavit.training.pairs.domains.everyday import ACCOUNT, WEATHER
from affidavit.training.pairs.domains.travel import EVENT, FLIGHT, HOTEL, RESERVATION
from affidavit.training.pairs.domains.work import DEPLOYMENT, EMPLOYEE, LOG, TICKET

__all__ = ["DOMAINS", "Domain", "Field"]

# In this order: the recipe draws from it by its seed.
DOMAINS = (
    ORDER, INVOICE, FLIGHT, HOTEL, TICKET, ACCOUNT, DEPLOYMENT, WEATHER, PRODUCT, EMPLOYEE, EVENT,
    LOG, RESERVATION, PAYMENT,
)  # fmt: skip
