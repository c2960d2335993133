"""The price indexes by which a late debt can be corrected."""

from enum import StrEnum


class CorrectionIndex(StrEnum):
    """A published monthly index, or none."""

    NONE = "none"
    IPCA = "ipca"
    INPC = "inpc"
    IGPM = "igpm"
