"""The command line. A command's module is imported when it is asked for, so that help is quick."""

import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Final

from cyclopts import App, CycloptsError, Parameter

app: Final = App(
    name="dunning",
    version=version("dunning"),
    default_parameter=Parameter(negative=()),
    help=(
        "Debt collection for Brazil: one service with a REST API and an MCP server.\n\n"
        "Settings are environment variables. `serve`, `run-jobs` and `check-config` use "
        "DATABASE_URL; `migrate` and the commands that administer use MIGRATION_DATABASE_URL. "
        "Exit codes: 0 done, 1 failed, 2 an argument or a setting is wrong."
    ),
)

_COMMANDS: Final = {
    "demo": ("demo:demo", "Run everything on this machine, with two invented organisations."),
    "serve": ("serve:serve", "Run the service."),
    "check-config": ("check:check_config", "Check the settings and what they point to."),
    "run-jobs": ("jobs:run_jobs", "Do what the clock has to do."),
    "migrate": ("database:migrate", "Bring the schema to this version."),
    "seed": ("database:seed", "Plant the two demo organisations."),
    "token": ("tokens:token", "Print an access token of the embedded issuer."),
    "tools": ("tools:tools", "Show the operations and who may run them."),
}
_GROUPS: Final = {
    "database": ("database", "Make the database and its two roles.", ("init",)),
    "org": (
        "organizations",
        "Create, list, suspend and resume organisations.",
        ("create", "list", "suspend", "resume"),
    ),
    "member": ("members", "Add and list the people of an organisation.", ("add", "bind", "list")),
    "client": (
        "clients",
        "Create, list and revoke API clients of an organisation.",
        ("create", "list", "revoke"),
    ),
}


def _register() -> None:
    for name, (place, summary) in _COMMANDS.items():
        app.command(f"{__name__}.{place}", name=name, help=summary)
    for name, (module, summary, verbs) in _GROUPS.items():
        group = App(name=name, help=summary)
        app.command(group)
        for verb in verbs:
            group.command(f"{__name__}.{module}:{verb}_{name}", name=verb)


_register()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and end the process with its exit code."""
    try:
        app(arguments, exit_on_error=False, print_error=False)
    except CycloptsError as misuse:
        _fail(f"{misuse}\nSee: {' '.join(['dunning', *(misuse.command_chain or ())])} --help", 2)
    except Exception as failure:  # noqa: BLE001 -- whatever it is, an operator reads sentences
        from entrypoints.cli.failures import explained  # noqa: PLC0415 -- slow, and seldom needed

        told = explained(failure)
        _fail(str(told), told.exit_code)


def _fail(sentences: str, exit_code: int) -> None:
    for sentence in sentences.splitlines():
        print(f"dunning: {sentence}", file=sys.stderr)
    sys.exit(exit_code)
