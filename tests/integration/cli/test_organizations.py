from collections.abc import Callable

import pytest

from tests.integration.cli.conftest import CREDITOR, Command

Create = Callable[..., str]


def test_an_organisation_is_a_sandbox_unless_it_is_to_be_live(run: Command, create: Create) -> None:
    sandbox, live = create("Colégio Ipê"), create("Colégio Jatobá", "--live", "--claim=jatoba")

    listed = run("org", "list").out

    assert row_of(listed, sandbox)[-4:-1] == ["sandbox", "active", "–"]  # noqa: RUF001 -- what stands for nothing
    assert row_of(listed, live)[-4:-1] == ["live", "active", "jatoba"]


def test_a_bad_field_is_named_and_nothing_is_created(run: Command) -> None:
    creditor = [given for given in CREDITOR if not given.startswith("--document")]

    ran = run("org", "create", "--name=Colégio Sem Nada", *creditor, "--document=11222333000182")

    assert ran.exit_code == 2
    assert ran.err.startswith("dunning: --document: ")
    assert "Sem Nada" not in run("org", "list").out


def test_a_claim_belongs_to_one_organisation(run: Command, create: Create) -> None:
    create("Colégio Peroba", "--claim=peroba")

    ran = run("org", "create", "--name=Colégio Angico", *CREDITOR, "--claim=peroba")

    assert ran.exit_code == 1
    assert ran.err.startswith("dunning: --claim: ")
    assert "Angico" not in run("org", "list").out


@pytest.mark.parametrize("claim", ["", " ", f"org_{'0' * 26}"])
def test_a_claim_that_could_be_anybodys_is_refused(run: Command, claim: str) -> None:
    ran = run("org", "create", "--name=Colégio Sem Dono", *CREDITOR, f"--claim={claim}")

    assert ran.exit_code == 2
    assert ran.err.startswith("dunning: --claim: ")
    assert "Sem Dono" not in run("org", "list").out


def test_one_organisation_is_suspended_and_resumed(run: Command, create: Create) -> None:
    one, other = create("Colégio Cedro"), create("Colégio Aroeira", "--claim=aroeira")

    assert run("org", "suspend", "aroeira").exit_code == 0
    suspended = run("org", "list").out
    assert run("org", "resume", other).exit_code == 0
    resumed = run("org", "list").out

    assert row_of(suspended, one)[-3] == "active"
    assert row_of(suspended, other)[-3] == "suspended"
    assert row_of(resumed, other)[-3] == "active"


def test_what_is_no_organisation_is_told(run: Command) -> None:
    ran = run("org", "suspend", "org_nobody")

    assert ran.exit_code == 1
    assert "`dunning org list`" in ran.err


def row_of(listed: str, organization_id: str) -> list[str]:
    (row,) = [line for line in listed.splitlines() if line.startswith(organization_id)]
    return row.split()
