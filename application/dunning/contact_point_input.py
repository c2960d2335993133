"""A contact point as a caller states it, alone or with a new debtor."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from application.dunning.charge_input import DebtorId
from application.dunning.settings_input import AddressInput
from application.operations.fields import Input, about, id_of
from domain.dunning.addresses import Address
from domain.dunning.contact_points import (
    ContactChange,
    ContactKind,
    ContactPoint,
    ContactSource,
    ContactStatus,
    Relation,
)
from domain.dunning.new_contact_points import NewContactPoint
from domain.dunning.opt_outs import OptOutSource

ContactPointId = Annotated[str, id_of("cpt")]
Label = Annotated[str, Meta(min_length=1, max_length=60)]
Evidence = Annotated[str, Meta(min_length=5, max_length=500)]


class ContactPointInput(Input, kw_only=True):
    """A way to reach a debtor."""

    kind: Annotated[ContactKind, about("What it is; `mobile` and `whatsapp` are apart.")]
    source: Annotated[ContactSource, about("Who told you of it.")]
    value: Annotated[
        Annotated[str, Meta(min_length=1, max_length=254)] | None,
        about("The e-mail, or the number as +5511912345678; not for `postal`."),
    ] = None
    address: Annotated[AddressInput | None, about("The address; only for `postal`.")] = None
    relation: Annotated[
        Relation, about("Whose it is; debts are never told to family, neighbours or employers.")
    ] = Relation.SELF
    label: Annotated[Label | None, about("A word of your own on it, such as work.")] = None
    is_primary: Annotated[
        bool, about("Whether it is the first choice of its kind; the first one added is.")
    ] = False
    usable_as_legal_notice: Annotated[
        bool, about("Whether the debtor gave it, so that legal notices may go there.")
    ] = False


class ContactPointsCreate(ContactPointInput, kw_only=True):
    """A new contact point of a debtor."""

    id: Annotated[DebtorId, about("The debtor.")]


class ContactPointsUpdate(Input):
    """What is to be different of a contact point; what is left out stays."""

    id: Annotated[DebtorId, about("The debtor.")]
    cp_id: Annotated[ContactPointId, about("The contact point.")]
    label: Annotated[Label | UnsetType | None, about("A word of your own on it.")] = UNSET
    is_primary: Annotated[
        bool | UnsetType, about("True makes it the first choice of its kind instead of another.")
    ] = UNSET
    verified: Annotated[
        bool | UnsetType, about("Whether somebody made sure that it reaches the debtor.")
    ] = UNSET
    status: Annotated[
        Literal["active", "invalid", "opted_out"] | UnsetType,
        about("Leaving opted_out needs evidence, leaving invalid needs verified: true."),
    ] = UNSET
    evidence: Annotated[
        Evidence | UnsetType, about("What shows that the debtor refused it, or allows it again.")
    ] = UNSET
    version: Annotated[
        Annotated[int, Meta(ge=1)] | UnsetType, about("The version you read; stale ones conflict.")
    ] = UNSET


class ContactPointsDelete(Input):
    """Which contact point is to go."""

    id: Annotated[DebtorId, about("The debtor.")]
    cp_id: Annotated[ContactPointId, about("The contact point.")]


def new_contact_point(wanted: ContactPointInput) -> NewContactPoint:
    """What the caller states, in the words of the rules."""
    address = None if wanted.address is None else Address(**asdict(wanted.address))
    return NewContactPoint(
        kind=wanted.kind,
        source=wanted.source,
        value=wanted.value,
        address=address,
        relation=wanted.relation,
        label=wanted.label,
        is_primary=wanted.is_primary,
        usable_as_legal_notice=wanted.usable_as_legal_notice,
    )


def wanted_change(
    wanted: ContactPointsUpdate, point: ContactPoint, source: OptOutSource
) -> ContactChange:
    """What `point` is to be; `source` is who says so where it is opted out."""
    return ContactChange(
        label=point.label if wanted.label is UNSET else wanted.label,
        is_primary=None if wanted.is_primary is UNSET else wanted.is_primary,
        is_verified=None if wanted.verified is UNSET else wanted.verified,
        status=None if wanted.status is UNSET else ContactStatus(wanted.status),
        evidence=None if wanted.evidence is UNSET else wanted.evidence,
        source=source,
    )
