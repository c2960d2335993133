"""What a charge is for; some kinds have their own caps and limits in law."""

from enum import StrEnum


class ChargeKind(StrEnum):
    """The origin of the debt."""

    SERVICE = "service"
    PRODUCT = "product"
    TUITION = "tuition"
    RENT = "rent"
    CONDO = "condo"
    SUBSCRIPTION = "subscription"
    LOAN = "loan"
    AGREEMENT_ACCELERATION = "agreement_acceleration"
    OTHER = "other"
