"""What stops the start: a declaration that no door can serve."""

from collections.abc import Iterable


class DeclarationError(Exception):
    """A declared operation is at fault; `faults` names operation, field and reason of each."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))
