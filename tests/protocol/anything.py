"""What a client may put anywhere: any JSON at all, and a server asked without an event loop."""

from collections.abc import Coroutine
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from application.mcp.streams import Reply

fast = settings(max_examples=150, deadline=None, database=None)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def now(answering: Coroutine[Any, Any, Reply]) -> Reply:
    """The reply of a server that waits for nothing."""
    try:
        answering.send(None)
    except StopIteration as done:
        reply: Reply = done.value
        return reply
    raise AssertionError
