"""`make bench`: what the service costs beside bare servers; exits 1 when a budget is missed."""

import sys
from collections.abc import Sequence
from typing import Final

import uvloop

from tests.budgets.bare import bare_app, bare_charges
from tests.budgets.catalogue import ARGUMENTS, CALLED, COUNT
from tests.budgets.charges import OPERATION, stored_charges
from tests.budgets.load import ask
from tests.budgets.measuring import Contender, Rounds, cpu_of
from tests.budgets.million import waiting_lines
from tests.budgets.real import app_with_charges, app_with_tokens, app_without_tokens
from tests.budgets.report import Line, print_table
from tests.budgets.requests import Call, mcp_request
from tests.budgets.serving import Served, served

_ENDPOINT: Final = "/mcp"

_CALL: Final = Call("tools/call", CALLED, ARGUMENTS)
_LIST: Final = Call("tools/list")
_DISCOVER: Final = Call("server/discover")
_LIST_CHARGES: Final = Call("tools/call", OPERATION)

_WITHOUT_DATABASE: Final = (
    (_CALL, "tools/call", 2.2),
    (_LIST, f"tools/list of {COUNT} tools", 1.5),
    (_DISCOVER, "server/discover", 2.0),
)
_TOKEN_ADDS: Final = 0.25
# Half the capacity is twice the CPU.
_CHARGES_LIST: Final = 2.0

_ROUNDS: Final = Rounds(count=150, requests=60)
_ROUNDS_OF_CHARGES: Final = Rounds(count=80, requests=20)


def main() -> int:
    """Measure, print, and tell by the exit code whether a budget is missed."""
    lines = [*_without_database(), _charges_list(), *waiting_lines()]
    print_table(lines)
    return int(any(line.is_missed for line in lines))


def _without_database() -> list[Line]:
    calls = [call for call, _, _ in _WITHOUT_DATABASE]
    with served(app_without_tokens) as ours, served(app_with_tokens) as guarded:
        answers = {call.method: uvloop.run(ask(ours.port, _to_us(call))) for call in calls}
        with served(bare_app, answers) as bare:
            lines = [
                _line(what, budget, _contenders(call, bare, ours))
                for call, what, budget in _WITHOUT_DATABASE
            ]
            return [*lines, _token_adds(_contenders(_DISCOVER, bare, ours, guarded))]


def _token_adds(contenders: Sequence[Contender]) -> Line:
    bare, without, with_token = uvloop.run(cpu_of(contenders, _ROUNDS))
    return Line(
        what="a remembered token adds", bare=bare, ours=with_token - without, budget=_TOKEN_ADDS
    )


def _charges_list() -> Line:
    with stored_charges() as stored, served(app_with_charges, stored.url, stored.grant) as ours:
        answer = uvloop.run(ask(ours.port, _to_us(_LIST_CHARGES)))
        with served(bare_charges, stored.url, stored.statements, answer) as bare:
            contenders = _contenders(_LIST_CHARGES, bare, ours)
            bare_cpu, our_cpu = uvloop.run(cpu_of(contenders, _ROUNDS_OF_CHARGES))
    return Line(what=OPERATION, bare=bare_cpu, ours=our_cpu, budget=_CHARGES_LIST)


def _line(what: str, budget: float, contenders: Sequence[Contender]) -> Line:
    bare, ours = uvloop.run(cpu_of(contenders, _ROUNDS))
    return Line(what=what, bare=bare, ours=ours, budget=budget)


def _contenders(call: Call, bare: Served, *ours: Served) -> list[Contender]:
    """The bare server knows an answer by the method in its path."""
    to_bare = Contender(bare, mcp_request(f"/{call.method}", call))
    return [to_bare, *(Contender(server, _to_us(call)) for server in ours)]


def _to_us(call: Call) -> bytes:
    return mcp_request(_ENDPOINT, call)


if __name__ == "__main__":
    sys.exit(main())
