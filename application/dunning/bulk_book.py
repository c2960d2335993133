"""What the items of one call refer to, read at once, and the charges that are made of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from application.dunning.bulk_refusals import located
from application.dunning.charge_input import ChargeFields, DebtorId, new_charge
from application.dunning.debtor_input import DebtorFields, new_debtor
from application.operations.call import Call
from application.operations.fields import about
from domain.access.roles import Role
from domain.dunning.charges import Charge, CreditorRules
from domain.dunning.debtors import Debtor, DebtorStatus
from domain.dunning.documents import Document, parse_document
from domain.dunning.holidays import Holiday, wide_calendar
from domain.dunning.organizations import Organization
from domain.dunning.rates import Rates
from domain.errors import Detail, DuplicateError, ValidationError, not_found
from domain.ports.debtors import DebtorNames
from domain.texts import Text


class BulkItem(ChargeFields):
    """A new debt, of a debtor who exists or of one who is described."""

    debtor_id: Annotated[DebtorId | None, about("Who owes; this or debtor.")] = None
    debtor: Annotated[
        DebtorFields | None,
        about("Who owes, by document: used as they are if they exist, else registered."),
    ] = None


@dataclass(frozen=True, slots=True)
class Made:
    """A charge that can be kept; `is_new` says that its debtor has to be kept first."""

    charge: Charge
    debtor: Debtor
    is_new: bool


class BulkBook:
    """Makes charges one by one; what is kept counts for the items after it."""

    def __init__(self, call: Call, organization: Organization) -> None:
        self._call = call
        self._organization = organization
        self._holidays: Sequence[Holiday] = ()
        self._rates = Rates(())
        self._members: frozenset[str] = frozenset()
        self._by_id: dict[str, Debtor] = {}
        self._by_document: dict[Document, Debtor] = {}
        self._debtor_codes: dict[str, str] = {}
        self._charge_codes: dict[str, str] = {}

    async def read(self, items: Sequence[BulkItem]) -> None:
        """Read what `items` refer to; the debtors are held, so that nobody archives them."""
        work = self._call.work
        self._holidays = await work.holidays.all()
        self._rates = await work.rates.all()
        self._members = frozenset(
            [one for one in _members_in(items) if await work.members.exists(one)]
        )
        for debtor in await work.debtors.among(_debtors_in(items), lock=self._call.locks):
            self._know(debtor)
        codes = {item.external_id for item in items if item.external_id}
        if codes:
            self._charge_codes.update(await work.charges.with_external_ids(codes))

    def is_known(self, document: Document) -> bool:
        """Whether there is a debtor with this document."""
        return document in self._by_document

    def make(self, item: BulkItem) -> Made:
        """The charge of an item, under the organisation's rules of today.

        Raises:
            ValidationError: a field that cannot be, or an id of nobody; also LegalLimitError.
            StateConflictError: the debtor is not active.
            DuplicateError: an external id that is taken, by a row or by an item that was kept.
        """
        debtor, is_new = self._debtor_of(item)
        self._refuse_stranger(item.assigned_member_id)
        self._refuse_unknown(item.guarantors)
        charge = Charge.create(
            self._call.ids.new("chg"),
            new_charge(item),
            debtor,
            self._rules_for(debtor),
            self._call.moment,
        )
        _refuse_taken(charge.external_id, self._charge_codes)
        return Made(charge, debtor, is_new)

    def keep(self, made: Sequence[Made]) -> None:
        """Hand charges, and debtors who are new, to the transaction.

        In one order everywhere, or two calls with the same values would wait for each other.
        """
        for one in sorted(made, key=lambda one: one.debtor.document.number):
            if one.is_new:
                self._call.work.debtors.add(one.debtor)
        for one in sorted(made, key=lambda one: one.charge.external_id or ""):
            self._call.work.charges.add(one.charge)

    def count(self, made: Made) -> None:
        """Let what was kept count for the items after it."""
        self._know(made.debtor)
        if made.charge.external_id is not None:
            self._charge_codes[made.charge.external_id] = made.charge.id

    def _know(self, debtor: Debtor) -> None:
        self._by_id[debtor.id] = debtor
        self._by_document[debtor.document] = debtor
        if debtor.external_id is not None:
            self._debtor_codes[debtor.external_id] = debtor.id

    def _debtor_of(self, item: BulkItem) -> tuple[Debtor, bool]:
        match item.debtor_id, item.debtor:
            case None, None:
                raise ValidationError(Detail("debtor_id", "required_with", _ONE))
            case None, DebtorFields() as stated:
                with located("debtor"):
                    return self._stated(stated)
            case debtor_id, None:
                if debtor_id not in self._by_id:
                    raise ValidationError(not_found("debtor_id"))
                return self._by_id[debtor_id], False
            case _:
                raise ValidationError(Detail("debtor", "conflicts_with", _ONE))

    def _stated(self, stated: DebtorFields) -> tuple[Debtor, bool]:
        known = self._by_document.get(parse_document(stated.document))
        if known is not None:
            return known, False
        self._refuse_stranger(stated.assigned_member_id)
        debtor = Debtor.register(
            self._call.ids.new("dbt"), new_debtor(stated), self._organization, self._call.moment
        )
        _refuse_taken(debtor.external_id, self._debtor_codes)
        return debtor, True

    def _rules_for(self, debtor: Debtor) -> CreditorRules:
        calendar = wide_calendar(self._holidays, debtor.place)
        return CreditorRules(
            self._organization.settings,
            calendar,
            self._rates,
            may_exceed_interest=self._call.grant.role in (Role.OWNER, Role.ADMIN),
        )

    def _refuse_unknown(self, guarantors: Sequence[str]) -> None:
        unknown = [
            index
            for index, one in enumerate(guarantors)
            if one not in self._by_id or self._by_id[one].status is DebtorStatus.ANONYMIZED
        ]
        if unknown:
            raise ValidationError(*(not_found(f"guarantors[{index}]") for index in unknown))

    def _refuse_stranger(self, member_id: str | None) -> None:
        if member_id is not None and member_id not in self._members:
            raise ValidationError(not_found("assigned_member_id"))


def documents_in(items: Iterable[BulkItem]) -> Iterator[Document]:
    """The valid documents of the debtors that are described."""
    for item in items:
        if item.debtor is not None and item.debtor_id is None:
            try:
                yield parse_document(item.debtor.document)
            except ValidationError:
                # The item is refused for it when its turn comes.
                continue


def _debtors_in(items: Sequence[BulkItem]) -> DebtorNames:
    described = [item.debtor for item in items if item.debtor is not None]
    guarantors = {one for item in items for one in item.guarantors}
    return DebtorNames(
        ids=guarantors | {item.debtor_id for item in items if item.debtor_id},
        documents=set(documents_in(items)),
        external_ids={debtor.external_id for debtor in described if debtor.external_id},
    )


def _members_in(items: Iterable[BulkItem]) -> set[str]:
    named = {item.assigned_member_id for item in items}
    named |= {item.debtor.assigned_member_id for item in items if item.debtor is not None}
    return {one for one in named if one is not None}


def _refuse_taken(external_id: str | None, taken: dict[str, str]) -> None:
    if external_id is not None and external_id in taken:
        raise DuplicateError("external_id", taken[external_id])


_ONE = Text(
    "Informe debtor_id ou debtor, um dos dois.", "Give either debtor_id or debtor, one of the two."
)
