"""Storing what a test needs before it looks at what it is about."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest

from adapters.persistence.work import OpenSqlWork
from domain.access.grant import Grant
from domain.dunning.charges import Charge
from domain.dunning.contact_points import ContactPoint
from domain.dunning.debtors import Debtor
from tests.builders import ORIGIN, Creditor, a_grant

Store: TypeAlias = Callable[..., Awaitable[None]]


@pytest.fixture
def store(open_work: OpenSqlWork) -> Store:
    """Keeps what is given of a creditor, in one transaction; as its manager unless told."""

    async def keep(
        creditor: Creditor, *aggregates: Debtor | Charge | ContactPoint, grant: Grant | None = None
    ) -> None:
        async with open_work(grant or a_grant(creditor), ORIGIN) as work:
            for aggregate in aggregates:
                if isinstance(aggregate, Debtor):
                    work.debtors.add(aggregate)
                elif isinstance(aggregate, ContactPoint):
                    work.contact_points.add(aggregate)
                else:
                    work.charges.add(aggregate)
            await work.commit()

    return keep
