"""MCP: what a client of either era asks, and what it must be told."""

from typing import Final

from entrypoints.cli.output import table
from entrypoints.cli.transcript.conversation import LEGACY, MODERN
from entrypoints.cli.transcript.script import Scene, Transcript
from entrypoints.cli.transcript.shown import as_json, brl_of, charge_line, refusal_line

_LIST: Final = "dunning_charges_list"
_CREATE: Final = "dunning_charges_create"
_CANCEL: Final = "dunning_charges_cancel"
_ROLES: Final = ("owner", "collector", "viewer")
_OWE_MOST: Final = {
    "status": "overdue",
    "sort_by": "total_due",
    "sort_order": "desc",
    "per_page": 3,
}


async def _discover(transcript: Transcript) -> None:
    transcript.asks("MCP: what are you?", f"server/discover in {MODERN}, as the owner")
    found = await transcript.conversation.modern(transcript.token("owner"), "server/discover")
    versions, capabilities = found["supportedVersions"], found["capabilities"]
    transcript.answers(f"speaks {', '.join(versions)}; offers {', '.join(capabilities)}")
    transcript.expects("it speaks the present revision", holds=versions[0] == MODERN)
    transcript.expects("it offers tools", holds="tools" in capabilities)


async def _initialize(transcript: Transcript) -> None:
    transcript.asks("MCP: the same, from an older client", f"initialize in {LEGACY}, as the owner")
    settled = await transcript.conversation.legacy(
        transcript.token("owner"),
        "initialize",
        {
            "protocolVersion": LEGACY,
            "capabilities": {},
            "clientInfo": {"name": "dunning-transcript", "version": "1"},
        },
    )
    info, version = settled["serverInfo"], settled["protocolVersion"]
    transcript.answers(f"{info['title']} {info['version']}, in {version}")
    transcript.expects("it settles on the revision that was asked for", holds=version == LEGACY)


async def _tools(transcript: Transcript) -> None:
    transcript.asks("MCP: which tools are there for me?", f"tools/list, as {', '.join(_ROLES)}")
    names = {role: await _tool_names(transcript, role) for role in _ROLES}
    subjects = sorted({_subject(name) for name in names["owner"]})
    rows = [
        [f"  ← {subject}", *(str(_how_many_of(subject, names[role])) for role in _ROLES)]
        for subject in subjects
    ]
    total = ["  ← all", *(str(len(names[role])) for role in _ROLES)]
    table(("  ← tools about", *_ROLES), [*rows, total], right=_ROLES)
    for role in ("collector", "viewer"):
        transcript.expects(
            f"to the {role}, creating and cancelling charges does not exist",
            holds={_CREATE, _CANCEL} <= names["owner"] - names[role]
            and names[role] < names["owner"],
        )


async def _list(transcript: Transcript) -> None:
    transcript.asks("MCP: who owes most?", f"{_LIST} {as_json(_OWE_MOST)}, as the collector")
    answer = await transcript.conversation.call(transcript.token("collector"), _LIST, _OWE_MOST)
    charges, meta = answer.document["data"], answer.document["meta"]
    for charge in charges:
        transcript.answers(charge_line(charge))
    transcript.answers(f"{meta['total']} in all, {brl_of(meta['sum_total_due'])} owed on them")
    owed = [charge["amounts"]["total_due"] for charge in charges]
    transcript.expects(
        "three overdue charges, the largest first",
        holds=[charge["status"] for charge in charges] == ["overdue"] * 3
        and owed == sorted(owed, reverse=True),
    )
    transcript.expects("the sum is that of the whole list", holds=meta["sum_total_due"] > sum(owed))


async def _create(transcript: Transcript) -> None:
    wish = {
        "debtor_id": await transcript.debtor_of_a(),
        "description": "Material didático",
        "amount": 149.9,
        "due_date": "2026-12-21",
        "idempotency_key": "transcript-mcp",
    }
    transcript.asks(
        "MCP: create a charge, then again with the same key",
        f"{_CREATE} {as_json(wish)}, twice, as the manager",
    )
    token = transcript.token("manager")
    before = await how_many_pending(transcript)
    first = await transcript.conversation.call(token, _CREATE, wish)
    again = await transcript.conversation.call(token, _CREATE, wish)
    transcript.charge_id = first.document["data"]["id"]
    for answer in (first, again):
        transcript.answers(charge_line(answer.document["data"]))
    transcript.expects("the second answer is the first, replayed", holds=again.text == first.text)
    transcript.expects(
        "there is one charge more", holds=await how_many_pending(transcript) == before + 1
    )


async def _foreign(transcript: Transcript) -> None:
    wish = {"id": await transcript.charge_of_b(), "reason": "other"}
    transcript.asks(
        "MCP: cancel a charge of the other organisation",
        f"{_CANCEL} {as_json(wish)}, as the owner",
    )
    answer = await transcript.conversation.call(transcript.token("owner"), _CANCEL, wish)
    transcript.answers(refusal_line(answer.document))
    transcript.expects("there is no such charge", holds=answer.code == "NOT_FOUND")


async def _tool_names(transcript: Transcript, role: str) -> set[str]:
    listed = await transcript.conversation.modern(transcript.token(role), "tools/list")
    return {tool["name"] for tool in listed["tools"]}


def _subject(tool: str) -> str:
    """The first word of what a tool is about: `charges` of `dunning_charges_list`."""
    return tool.split("_")[1]


def _how_many_of(subject: str, tools: set[str]) -> int:
    return sum(_subject(tool) == subject for tool in tools)


async def how_many_pending(transcript: Transcript) -> int:
    """How many charges are pending."""
    answer = await transcript.conversation.call(
        transcript.token("owner"), _LIST, {"status": "pending", "per_page": 1}
    )
    return int(answer.document["meta"]["total"])


MCP_SCENES: Final[tuple[Scene, ...]] = (
    _discover,
    _initialize,
    _tools,
    _list,
    _create,
    _foreign,
)
