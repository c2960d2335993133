"""How an amount is cut into whole cents so that the parts always add up to it."""

from collections.abc import Sequence

from domain.dunning.money import Cents


def equal_parts(total: Cents, count: int) -> tuple[Cents, ...]:
    """`count` parts, at least one: the cents that are left over go to the first ones, in order."""
    part, left_over = divmod(total, count)
    return tuple(part + (place < left_over) for place in range(count))


def pro_rata(total: Cents, weights: Sequence[int]) -> tuple[Cents, ...]:
    """`total` in the proportion of `weights`, of which none is negative and one is not zero.

    The cents that are left over go to the largest remainders; of equal ones, to the first.
    """
    shares = [divmod(total * weight, sum(weights)) for weight in weights]
    left_over = total - sum(part for part, _ in shares)
    by_remainder = sorted(range(len(shares)), key=lambda place: -shares[place][1])
    favoured = frozenset(by_remainder[:left_over])
    return tuple(part + (place in favoured) for place, (part, _) in enumerate(shares))
