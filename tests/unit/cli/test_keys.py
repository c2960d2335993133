"""`dunning keys`: rotating what seals, by one value that a shell can keep."""

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.auth.seal_keys import SealingRing
from entrypoints.cli import data_folder
from entrypoints.cli.failures import CommandError
from entrypoints.settings import Settings, read_settings
from tests.command_line import Ran, dunning

Keys = Callable[..., Ran]


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Keys:
    """Runs `dunning keys` with SEALING_KEYS as given, and no other setting."""
    for name in Settings.__dataclass_fields__:
        monkeypatch.delenv(name.upper(), raising=False)

    def run(*arguments: str, setting: str | None = None) -> Ran:
        if setting is None:
            monkeypatch.delenv("SEALING_KEYS", raising=False)
        else:
            monkeypatch.setenv("SEALING_KEYS", setting)
        return dunning(capsys, "keys", *arguments)

    return run


def value_of(ran: Ran) -> str:
    assert ran.exit_code == 0
    (value,) = ran.out.splitlines()
    return value


def ring_of(value: str) -> SealingRing:
    return SealingRing.read(read_settings({"SEALING_KEYS": value}).sealing_keys)


def test_a_key_is_rotated_by_adding_promoting_and_dropping(keys: Keys) -> None:
    first = value_of(keys("new"))
    added = value_of(keys("add", setting=first))
    promoted = value_of(keys("promote", setting=added))
    dropped = value_of(keys("drop", setting=promoted))

    (old,) = ring_of(first).keys
    assert ring_of(added).first == old
    _, new = ring_of(added).keys
    assert ring_of(promoted).keys == (new, old)
    assert ring_of(dropped).keys == (new,)


@pytest.mark.parametrize("setting", [None, "", "s3cret", "A" * 43])
def test_a_new_ring_is_made_whatever_there_was(keys: Keys, setting: str | None) -> None:
    ran = keys("new", setting=setting)

    assert len(ring_of(value_of(ran)).keys) == 1
    assert "every process" in ran.err


def test_no_two_keys_that_are_made_are_alike(keys: Keys) -> None:
    assert value_of(keys("new")) != value_of(keys("new"))


def test_each_step_says_what_comes_next_and_repeats_no_key(keys: Keys) -> None:
    ring = SealingRing.fresh().with_another()
    setting = ",".join(ring.texts)
    steps = {"add": "dunning keys promote", "promote": "20 minutes", "drop": "every process"}
    for step, further in steps.items():
        told = keys(step, setting=setting).err

        assert further in told
        assert "every process" in told
        assert not any(text in told for text in ring.texts)


@pytest.mark.parametrize("step", ["promote", "drop"])
def test_with_one_key_nothing_changes_and_it_says_so(keys: Keys, step: str) -> None:
    (key,) = SealingRing.fresh().texts

    ran = keys(step, setting=key)

    assert value_of(ran) == key
    assert "only one key" in ran.err


@pytest.mark.parametrize("step", ["add", "promote", "drop"])
@pytest.mark.parametrize("setting", [None, "", "  "])
def test_what_changes_a_ring_needs_one(keys: Keys, step: str, setting: str | None) -> None:
    ran = keys(step, setting=setting)

    assert (ran.exit_code, ran.out) == (2, "")
    assert ran.err.startswith("dunning: SEALING_KEYS: is not set")


@pytest.mark.parametrize("arguments", [[], ["add"], ["promote"], ["drop"]])
@pytest.mark.parametrize("setting", ["s3cret", "s3cret,", ","])
def test_a_setting_that_is_no_ring_is_refused_and_never_repeated(
    keys: Keys, arguments: list[str], setting: str
) -> None:
    ran = keys(*arguments, setting=setting)

    assert (ran.exit_code, ran.out) == (2, "")
    assert ran.err.startswith("dunning: SEALING_KEYS: ")
    assert "s3cret" not in ran.err


def test_the_ring_is_listed_by_ids_with_what_each_key_does(keys: Keys) -> None:
    ring = SealingRing.fresh().with_another().with_another()

    ran = keys(setting=",".join(ring.texts))

    rows = [tuple(row.split(maxsplit=1)) for row in ran.out.splitlines()[1:]]
    ids = [key.id for key in ring.keys]
    assert rows == [(ids[0], "seals and opens"), (ids[1], "opens"), (ids[2], "opens")]
    assert not any(text in ran.out + ran.err for text in ring.texts)


def test_without_a_ring_the_list_says_where_keys_come_from(keys: Keys) -> None:
    ran = keys()

    assert (ran.exit_code, ran.out) == (0, "")
    assert "SEALING_KEYS is not set" in ran.err


def test_the_help_has_the_steps_in_their_order(keys: Keys) -> None:
    told = " ".join(keys("--help").out.split())

    steps = ["dunning keys add", "dunning keys promote", "Wait 20 minutes", "dunning keys drop"]
    places = [told.index(step) for step in steps]
    assert places == sorted(places)


@pytest.mark.parametrize("command", ["check-config", "serve"])
def test_other_commands_never_show_a_key(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], keys: Keys
) -> None:
    key = value_of(keys("new"))
    for setting in (key, f"{key},{key}"):
        monkeypatch.setenv("SEALING_KEYS", setting)
        ran = dunning(capsys, command)

        assert ran.exit_code != 0
        assert key not in ran.out + ran.err


def test_a_demo_keeps_its_keys_to_itself_and_over_a_restart(tmp_path: Path) -> None:
    made = data_folder.sealing_keys_in(tmp_path)

    assert data_folder.sealing_keys_in(tmp_path) == made
    assert len(ring_of(",".join(made)).keys) == 1
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("held", [b"", b"s3cret", b"\xff\xfe", b"a,,b"])
def test_a_file_that_holds_no_keys_is_named_and_not_repeated(tmp_path: Path, held: bytes) -> None:
    file = tmp_path / "sealing.keys"
    file.write_bytes(held)

    with pytest.raises(CommandError, match="does not hold sealing keys; remove it") as refused:
        data_folder.sealing_keys_in(tmp_path)
    assert str(file) in str(refused.value)
    assert "s3cret" not in str(refused.value)
    assert file.read_bytes() == held


def test_a_folder_that_cannot_hold_keys_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="DATA_DIR: cannot read or write"):
        data_folder.sealing_keys_in(tmp_path / "nowhere")
