"""Counting floods: by what one sender has, and without forgetting anybody else."""

import pytest

from adapters.http.addresses import flood_key
from adapters.http.buckets import InProcessBuckets
from tests.builders import StoppedClock

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("address", "key"),
    [("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"),
     ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
     ("fe80::1%eth0", "fe80::/64"), ("unix:", "unix:"), ("", "")],
)  # fmt: skip
def test_an_address_counts_with_all_that_its_owner_has(address: str, key: str) -> None:
    assert flood_key(address) == key


async def test_a_flood_of_keys_pushes_nobody_out_of_another_bucket() -> None:
    buckets = InProcessBuckets({"read": 1, "anonymous": 1}, StoppedClock(), most_keys=3)
    await buckets.take("read", "caller")
    for number in range(10):
        await buckets.take("anonymous", f"192.0.2.{number}")

    assert (await buckets.take("read", "caller")).retry_after > 0
    assert (await buckets.take("anonymous", "192.0.2.9")).retry_after > 0
    assert (await buckets.take("anonymous", "192.0.2.0")).retry_after == 0
