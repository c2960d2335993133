"""What both doors stand behind, built once: origins, gate, buckets, places, deadline, ids."""

from collections.abc import Callable
from dataclasses import dataclass

from adapters.http.admission import Admission
from adapters.http.callers import CallerLimits
from adapters.http.deadline import Deadlines
from adapters.http.gate import Gate
from adapters.http.origins import Origins
from domain.ports.clocks import SystemClock
from domain.ports.ids import Ids

MAX_BODY = 2_097_152
"""Bytes a request may have: 2 MB, at both doors."""

OnFailure = Callable[[str, BaseException], None]
"""Told the request's id and what went wrong inside; the caller is told the id only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """The steps before and around a request, shared by the doors.

    `admission` counts requests in work, `gathering` bodies that are coming in pieces; `deadlines`
    are for what a request may take from its headers to its answer.
    """

    origins: Origins
    gate: Gate
    callers: CallerLimits
    admission: Admission
    gathering: Admission
    deadlines: Deadlines
    ids: Ids
    clock: SystemClock
    on_failure: OnFailure
