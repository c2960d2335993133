"""How an amount is cut into whole cents so that the parts always add up to it."""

from domain.dunning.money import Cents


def equal_parts(total: Cents, count: int) -> tuple[Cents, ...]:
    """`count` parts, at least one: the cents that are left over go to the first ones, in order."""
    part, left_over = divmod(total, count)
    return tuple(part + (place < left_over) for place in range(count))
