import os

import pytest

from entrypoints.cli.stdio import own_output


def test_what_anybody_else_prints_goes_to_the_log_and_not_between_the_messages(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with own_output() as output:
        os.write(1, b"a library's greeting\n")
        os.write(output, b"{}\n")
    os.write(1, b"after it\n")

    printed = capfd.readouterr()
    assert printed.out == "{}\nafter it\n"
    assert printed.err == "a library's greeting\n"
