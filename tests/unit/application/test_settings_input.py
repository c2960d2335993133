"""What a caller may set is what the rules know, in the same ranges."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec import UNSET

from adapters.v1.input_shape import shape_of
from adapters.v1.shapes import AmountShape, IntegerShape, MapShape, ObjectShape, Shape
from application.dunning.settings_input import SettingsUpdate, wanted_change
from domain.dunning.money import Bounds
from domain.dunning.organization_settings import (
    FrequencyCaps,
    RoleCeiling,
    Settings,
    UfNoticeDays,
)
from domain.dunning.organizations import OrganizationChange

SHAPE: Final = shape_of("settings_update", SettingsUpdate)
OUTSIDE: Final = {"version", *(one.name for one in fields(OrganizationChange))} - {"settings"}
CEILING: Final = {
    "charges_discount_percent": 80_0000,
    "principal_discount_percent": 5_0000,
    "min_down_payment_percent": 10_0000,
    "messages_per_hour": 20,
    "bulk_charges_per_call": 50,
}


def ranges_asked(shape: Shape, path: str) -> Iterator[tuple[str, Bounds]]:
    if isinstance(shape, IntegerShape | AmountShape):
        yield path, shape.bounds
    elif isinstance(shape, MapShape):
        yield from ranges_asked(shape.value, f"{path}{{}}")
    elif isinstance(shape, ObjectShape):
        for field in shape.fields:
            yield from ranges_asked(field.shape, f"{path}.{field.name}".removeprefix("."))


def ranges_kept(kind: type, path: str = "") -> Iterator[tuple[str, Bounds]]:
    for name, hint in get_type_hints(kind, include_extras=True).items():
        place = f"{path}.{name}".removeprefix(".")
        options = [hint, *get_args(hint)]
        notes = [note for option in options for note in getattr(option, "__metadata__", ())]
        if notes:
            yield place, next(note for note in notes if isinstance(note, Bounds))
        elif is_dataclass(hint) and isinstance(hint, type):
            yield from ranges_kept(hint, place)
        elif get_origin(hint) is tuple and get_args(hint)[0] is UfNoticeDays:
            yield f"{place}{{}}", dict(ranges_kept(UfNoticeDays))["days"]


def change(**sent: Any) -> OrganizationChange:
    return wanted_change(msgspec.convert(sent, SettingsUpdate, strict=True), Settings())


def test_every_setting_can_be_sent_and_nothing_else_but_the_creditor_itself() -> None:
    assert {field.name for field in SHAPE.fields} - OUTSIDE == {
        one.name for one in fields(Settings)
    }
    assert {field.name for field in SHAPE.fields} >= OUTSIDE


def test_the_ranges_that_a_caller_is_told_are_those_of_the_rules() -> None:
    asked = {path: bounds for path, bounds in ranges_asked(SHAPE, "") if path != "version"}

    assert asked == dict(ranges_kept(Settings))


def test_what_is_left_out_stays() -> None:
    assert wanted_change(SettingsUpdate(), Settings()) == OrganizationChange(settings=Settings())


def test_a_role_that_is_sent_is_replaced_whole_and_the_others_stay() -> None:
    wanted = change(
        role_limits={"collector": {**CEILING, "max_installments": 3, "write_off_amount": 0}}
    )

    limits = Settings().role_limits
    assert wanted.settings is not None
    assert wanted.settings.role_limits == replace(
        limits, collector=RoleCeiling(**CEILING, max_installments=3, write_off_amount=0)
    )


@pytest.mark.parametrize("role", ["collector", "manager"])
@pytest.mark.parametrize("ceiling", ["max_installments", "write_off_amount"])
def test_only_an_admin_may_be_left_without_a_ceiling(role: str, ceiling: str) -> None:
    its = {**CEILING, "max_installments": 3, "write_off_amount": 0}
    del its[ceiling]

    with pytest.raises(msgspec.ValidationError, match=ceiling):
        change(role_limits={role: its})
    wanted = change(role_limits={"admin": its})
    assert wanted.settings is not None
    assert getattr(wanted.settings.role_limits.admin, ceiling) is None


def test_an_object_is_replaced_whole_and_not_in_part() -> None:
    with pytest.raises(msgspec.ValidationError, match="per_7_days"):
        change(frequency_caps={"per_day": 2})
    wanted = change(frequency_caps={"per_day": 2, "per_7_days": 4, "voice_per_day": 1})
    assert wanted.settings == Settings(
        frequency_caps=FrequencyCaps(per_day=2, per_7_days=4, voice_per_day=1)
    )


def test_days_by_state_are_kept_in_one_order() -> None:
    one = change(negativation_notice_uf_overrides={"SP": 20, "RJ": 12})
    other = change(negativation_notice_uf_overrides={"RJ": 12, "SP": 20})

    assert one == other
    assert one.settings is not None
    assert [notice.uf for notice in one.settings.negativation_notice_uf_overrides] == ["RJ", "SP"]


def test_nothing_is_wanted_of_what_was_not_sent() -> None:
    sent = SettingsUpdate()

    assert all(
        getattr(sent, name) is UNSET
        for name in SettingsUpdate.__struct_fields__
        if name != "version"
    )
