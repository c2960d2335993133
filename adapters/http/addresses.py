"""What counts as one address when a flood is counted."""

from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Final

_ONE_SUBSCRIBER: Final = 64
"""Bits of an IPv6 address that its owner does not choose (RFC 4291 §2.5.4)."""


def flood_key(address: str) -> str:
    """An IPv4 address, the /64 of an IPv6 one, or what is no address as it is."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    if isinstance(read, IPv4Address):
        return address
    if read.ipv4_mapped is not None:
        return str(read.ipv4_mapped)
    return str(IPv6Network((int(read), _ONE_SUBSCRIBER), strict=False))
