"""The command line. A command's module is imported when the command is run: help is quick."""

import ast
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from cyclopts import App, CycloptsError, Parameter

_MANUAL: Final = """\
Debt collection for Brazil: one service with a REST API and an MCP server.

Settings are environment variables. `serve`, `stdio`, `run-jobs`, `import` and `check-config` use
DATABASE_URL; `migrate` and the commands that administer use MIGRATION_DATABASE_URL. Exit codes:
0 done, 1 failed, 2 an argument or a setting is wrong."""

_COMMANDS: Final = {
    "demo": "demo:demo",
    "serve": "serve:serve",
    "stdio": "stdio:stdio",
    "check-config": "check:check_config",
    "run-jobs": "jobs:run_jobs",
    "migrate": "database:migrate",
    "seed": "database:seed",
    "token": "tokens:token",
    "tools": "tools:tools",
}
_GROUPS: Final = {
    ("database", "Make the database and its two roles."): {
        "init": "database:init",
    },
    ("org", "Create, list, suspend and resume organisations."): {
        "create": "organizations:create_org",
        "list": "organizations:list_orgs",
        "suspend": "organizations:suspend_org",
        "resume": "organizations:resume_org",
    },
    ("member", "Add, bind and list the people of an organisation."): {
        "add": "members:add_member",
        "bind": "members:bind_member",
        "list": "members:list_members",
    },
    ("client", "Create, list and revoke the API clients of an organisation."): {
        "create": "clients:create_client",
        "list": "clients:list_clients",
        "revoke": "clients:revoke_client",
    },
    ("import", "Bring debtors and charges in from CSV files."): {
        "debtors": "imports:import_debtors",
        "charges": "imports:import_charges",
    },
    ("index", "Load and list the rates that correct late debts."): {
        "load": "indexes:load_index",
        "list": "indexes:list_index",
    },
}


_KEYS: Final = {
    "new": "keys:new_key",
    "add": "keys:add_key",
    "promote": "keys:promote_key",
    "drop": "keys:drop_keys",
}


def _command_line() -> App:
    app = App(
        name="dunning",
        help=_MANUAL,
        version=version("dunning"),
        default_parameter=Parameter(negative=()),
    )
    _register(app, _COMMANDS)
    for (name, summary), commands in _GROUPS.items():
        group = App(name=name, help=summary)
        _register(group, commands)
        app.command(group)
    app.command(_keys())
    return app


def _keys() -> App:
    """`dunning keys`: a group that does something by itself as well."""
    group = App(name="keys", help=_docstring("keys", "list_keys"))
    _register(group, _KEYS)
    group.default(_list_keys)
    return group


def _list_keys() -> None:
    from entrypoints.cli.keys import list_keys  # noqa: PLC0415 -- only when the command is run

    list_keys()


def _register(app: App, commands: Mapping[str, str]) -> None:
    for name, place in commands.items():
        app.command(f"{__name__}.{place}", name=name, help=_docstring(*place.split(":")))


def _docstring(module: str, function: str) -> str:
    """What the function's source says of it, without importing the module."""
    (found,) = (
        node
        for node in _syntax_of(module).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function
    )
    return ast.get_docstring(found) or ""


@cache
def _syntax_of(module: str) -> ast.Module:
    return ast.parse(Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8"))


app: Final = _command_line()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and end the process with its exit code."""
    try:
        app(arguments, exit_on_error=False, print_error=False)
    except CycloptsError as misuse:
        asked = " ".join(["dunning", *(misuse.command_chain or ())])
        _fail(f"{misuse}\n`{asked} --help` shows what it takes.", 2)
    except Exception as failure:  # noqa: BLE001 -- whatever it is, an operator reads sentences
        from entrypoints.cli.failures import explained  # noqa: PLC0415 -- slow, and seldom needed

        told = explained(failure)
        _fail(str(told), told.exit_code)


def _fail(sentences: str, exit_code: int) -> None:
    for sentence in sentences.splitlines():
        print(f"dunning: {sentence}", file=sys.stderr)
    sys.exit(exit_code)
