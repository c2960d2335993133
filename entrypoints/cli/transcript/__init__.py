"""The transcript of `dunning demo --once`: a conversation with the running service."""

from typing import Final

import httpx

from entrypoints.cli.handout import Handout
from entrypoints.cli.output import line
from entrypoints.cli.transcript.confirmation_scenes import CONFIRMATION_SCENES
from entrypoints.cli.transcript.conversation import Conversation
from entrypoints.cli.transcript.mcp_scenes import MCP_SCENES
from entrypoints.cli.transcript.rest_scenes import REST_SCENES
from entrypoints.cli.transcript.script import Scene, Transcript
from entrypoints.cli.transcript.story_scenes import STORY_SCENES

SCENES: Final = (*MCP_SCENES, *CONFIRMATION_SCENES, *REST_SCENES, *STORY_SCENES)


async def perform(handout: Handout) -> int:
    """Play every scene against the service of `handout`; how many expectations failed."""
    async with httpx.AsyncClient(base_url=handout.url) as http:
        transcript = Transcript(Conversation(http), handout)
        try:
            for scene in SCENES:
                await _play(scene, transcript)
        except httpx.TransportError:
            transcript.expects("the service answers", holds=False)
    line()
    if transcript.failures:
        line("Not every answer was the expected one.", style="bold red")
    else:
        line("Every answer was the expected one.", style="bold green")
    return transcript.failures


async def _play(scene: Scene, transcript: Transcript) -> None:
    try:
        await scene(transcript)
    except (LookupError, TypeError, ValueError) as failure:
        kind = type(failure).__name__
        transcript.expects(f"an answer of the expected form ({kind})", holds=False)
