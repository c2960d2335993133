"""The organisation's settings: read beside the limits of law, and changed within them."""

from application.dunning.settings_input import SettingsUpdate, wanted_change
from application.dunning.settings_view import SettingsView, settings_view
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.fields import NoInput, One
from domain.dunning.moment import Moment


@operation(
    "settings_get",
    "GET /settings",
    title="Read the settings",
    description=(
        "The organisation's defaults for new charges, agreements and messages, the ceilings of "
        "each role, the legal caps in force, the contact windows by state and the latest index "
        "rates. Takes no arguments."
    ),
    permission="settings.read",
    resource="settings",
)
async def settings_get(call: Call, _: NoInput) -> One[SettingsView]:
    """Read the organisation of the grant."""
    organization = await call.work.organization()
    return One(settings_view(organization, await call.work.rates.all(), call.today))


@operation(
    "settings_update",
    "PATCH /settings",
    title="Change the settings",
    description=(
        "Change the organisation's defaults; charges that exist keep their terms. Fields left out "
        "keep their value, objects are replaced whole. No legal cap can be loosened."
    ),
    permission="settings.write",
    idempotent=True,
    refuses=("LEGAL_LIMIT_EXCEEDED", "VERSION_CONFLICT"),
)
async def settings_update(call: Call, wanted: SettingsUpdate) -> One[SettingsView]:
    """Change the organisation of the grant."""
    organization = await call.work.organization(lock=call.locks)
    organization.change(
        wanted_change(wanted, organization.settings),
        wanted.version,
        Moment(call.system_now, call.today),
    )
    return One(settings_view(organization, await call.work.rates.all(), call.today))
