"""Valid things of an organisation by default; a test names only what it is about."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from itertools import count
from typing import Any, Final

from domain.access.audit import Origin
from domain.access.grant import Actor, Environment, Grant, Tenant
from domain.access.members import Member, MemberStatus, Portfolio
from domain.access.roles import Role, permissions_of
from domain.access.scopes import SCOPES
from domain.dunning.addresses import Address
from domain.dunning.allocation import distribute
from domain.dunning.approvals import Approval, Asked, Snapshot, Subject
from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.charges import Charge, CreditorRules
from domain.dunning.contact_book import ContactBook
from domain.dunning.contact_points import ContactKind, ContactPoint, ContactSource
from domain.dunning.debtors import Debtor
from domain.dunning.documents import cpf_with_check_digits
from domain.dunning.ledger import Credit
from domain.dunning.moment import Moment
from domain.dunning.new_charges import NewCharge
from domain.dunning.new_contact_points import NewContactPoint
from domain.dunning.new_debtors import NewDebtor
from domain.dunning.organization_settings import ApprovalAct, Settings
from domain.dunning.organizations import NewOrganization, Organization
from domain.dunning.payments import NewPayment, Payment, PaymentMethod
from domain.dunning.rates import NO_RATES

TODAY: Final = date(2026, 9, 1)
NOW: Final = datetime(2026, 9, 1, 13, 0, tzinfo=UTC)
MOMENT: Final = Moment(NOW, TODAY)
RULES: Final = CreditorRules(Settings(), NATIONAL_WIDE, NO_RATES)
ORIGIN: Final = Origin(request_id="req_1", via="rest", ip="192.0.2.7")
ADDRESS: Final = Address(
    street="Rua das Acácias",
    number="120",
    district="Centro",
    city="São Paulo",
    uf="SP",
    zipcode="01001000",
)

_CPF_NUMBERS: Final = count(123_456_001)


class CountedIds:
    """Ids that no other row of the worker's database has, in the order in which they are made."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def new(self, prefix: str, /) -> str:
        return f"{prefix}_{next(self._numbers):026d}"


IDS: Final = CountedIds()


class StoppedClock:
    """A system clock that stands still until a test moves it."""

    def __init__(self, now: datetime = NOW) -> None:
        self.time = now

    def now(self) -> datetime:
        return self.time


@dataclass(frozen=True, slots=True, kw_only=True)
class Creditor:
    """An organisation that is stored, with one member of each role and two collectors."""

    organization: Organization
    members: dict[Role, Member]
    other_collector: Member

    @property
    def id(self) -> str:
        return self.organization.id

    @property
    def people(self) -> list[Member]:
        return [*self.members.values(), self.other_collector]


def a_creditor(name: str) -> Creditor:
    """An organisation with its people, not stored yet."""
    organization = an_organization(name=name)
    return Creditor(
        organization=organization,
        members={role: a_member(organization, role) for role in Role},
        other_collector=a_member(organization, Role.COLLECTOR),
    )


def an_organization(name: str = "Colégio Aurora", **fields: Any) -> Organization:
    """A sandbox in São Paulo."""
    new = NewOrganization(
        name=name,
        legal_name=f"{name} Ltda.",
        document="11.222.333/0001-81",
        environment=Environment.SANDBOX,
        uf="SP",
        city="São Paulo",
        address=ADDRESS,
    )
    return Organization.register(IDS.new("org"), replace(new, **fields), MOMENT)


def a_member(organization: Organization, role: Role = Role.MANAGER, **fields: Any) -> Member:
    """An active member who sees every debtor."""
    member_id = IDS.new("mbr")
    values: dict[str, Any] = {
        "organization_id": organization.id,
        "id": member_id,
        "name": f"Ana {role.value.title()}",
        "email": f"{member_id}@example.com",
        "role": role,
        "status": MemberStatus.ACTIVE,
        "portfolio": Portfolio.ALL,
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Member(**(values | fields))


def a_grant(
    creditor: Creditor, role: Role = Role.MANAGER, *, assigned_to: str | None = None
) -> Grant:
    """What the creditor's member with `role` may do, with every scope."""
    member, organization = creditor.members[role], creditor.organization
    return Grant(
        tenant=Tenant(
            id=organization.id,
            name=organization.name,
            environment=organization.environment,
            timezone=organization.timezone,
        ),
        actor=Actor(
            type="member",
            id=member.id,
            name=member.name,
            issuer="https://issuer.example.com",
            subject=f"person-{member.id}",
            client_id="client-1",
        ),
        role=role,
        permissions=permissions_of(role),
        scopes=SCOPES,
        assigned_to=assigned_to,
    )


def a_debtor(creditor: Creditor, **fields: Any) -> Debtor:
    """An individual with a CPF that no other debtor of the test run has."""
    new = NewDebtor(
        name="Paulo Nogueira", document=cpf_with_check_digits(str(next(_CPF_NUMBERS))).number
    )
    return Debtor.register(IDS.new("dbt"), replace(new, **fields), creditor.organization, MOMENT)


def a_contact_point(debtor: Debtor, **fields: Any) -> ContactPoint:
    """The first mobile of a debtor, from the creditor's own file."""
    new = NewContactPoint(
        kind=ContactKind.MOBILE, source=ContactSource.CREDITOR_FILE, value="+5511912345678"
    )
    return ContactBook(debtor, []).add(IDS.new("cpt"), replace(new, **fields), MOMENT)


def a_payment(
    debtor: Debtor, *charges: Charge, amount: int, moment: Moment = MOMENT, **fields: Any
) -> Payment:
    """Money by Pix, today, that has gone to `charges`."""
    new = NewPayment(
        debtor_id=debtor.id,
        amount=amount,
        method=PaymentMethod.PIX,
        paid_at=moment.today,
        charge_ids=tuple(charge.id for charge in charges),
    )
    new = replace(new, **fields)
    given = distribute(new.amount, new.paid_at, charges, NO_RATES)
    payment = Payment.receive(IDS.new("pay"), new, given, debtor, moment)
    for share in given.shares:
        credit = Credit(payment_id=payment.id, paid_at=new.paid_at, settled=share.settled)
        share.charge.settle(credit, moment, NO_RATES)
    return payment


def an_approval(
    debtor: Debtor, charge: Charge, by: Actor | None = None, now: datetime = NOW, **arguments: Any
) -> Approval:
    """A request to write a charge off, by a program unless told."""
    given = {"id": charge.id, "reason": "uncollectible", "note": "Sem resposta há um ano."}
    asked = Asked(
        kind=ApprovalAct.WRITE_OFF,
        subject=Subject("charge", charge.id),
        debtor=debtor,
        operation="dunning_charges_write_off",
        arguments=given | arguments,
        snapshot=Snapshot.of(charge),
    )
    asker = by or Actor(type="api_client", id=IDS.new("cli"), name="erp-sync")
    return Approval.request(IDS.new("apr"), asked, asker, now, MOMENT)


def a_charge(debtor: Debtor, moment: Moment = MOMENT, **fields: Any) -> Charge:
    """A month's fee under a contract, not due yet."""
    new = NewCharge(
        description="Mensalidade de outubro",
        amount=1_250_00,
        due_date=date(2026, 10, 9),
        contract_reference="Contrato 17/2026",
    )
    return Charge.create(IDS.new("chg"), replace(new, **fields), debtor, RULES, moment)
