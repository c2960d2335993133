"""The service's log: one JSON object per line on stderr, made of fields that we choose.

Bodies, headers, queries and the text of exceptions never reach it: they can hold a person's data.
"""

import logging
import sys
import traceback
from typing import cast

import structlog

from application.mcp.ports import Context


def configure_logs(*, level: int = logging.INFO) -> None:
    """Set the log up once for the process."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def note_failure(request_id: str, failure: BaseException) -> None:
    """Write down what went wrong inside: the kind of error and where, never its text."""
    frames = traceback.extract_tb(failure.__traceback__)
    log = cast("structlog.typing.FilteringBoundLogger", structlog.get_logger())
    log.error(
        "request failed",
        request_id=request_id,
        error=type(failure).__name__,
        where=[f"{frame.filename.rsplit('/', 2)[-1]}:{frame.lineno}" for frame in frames[-6:]],
    )


def note_tool_failure(failure: Exception, context: Context) -> None:
    """The same for what fails inside a tool."""
    note_failure(context.origin.request_id, failure)
