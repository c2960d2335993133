"""Running a command in this process."""

from dataclasses import dataclass

import pytest
import structlog

from entrypoints.cli import main


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed, and how it ended."""

    exit_code: object
    out: str
    err: str

    @property
    def first_line(self) -> str:
        return self.out.splitlines()[0]


def dunning(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ran:
    """Run `dunning` with `arguments`."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    printed = capsys.readouterr()
    # It may have set the process's log up on a stream that ends with the test.
    structlog.reset_defaults()
    return Ran(ended.value.code, printed.out, printed.err)
