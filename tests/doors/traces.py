"""What people write about one debtor, wherever the doors let them write."""

from dataclasses import dataclass
from typing import Any, Final

from domain.dunning.debtors import Debtor
from tests.doors.house import Answer, Caller, House
from tests.doors.requests import (
    a_new_charge,
    a_new_contact_point,
    a_new_payment,
    a_reversal,
    a_write_off,
    an_interaction,
)

WORDS: Final = "Segredo de Rosália Amarante."
LINE: Final = "Segredo de Rosália"
CPF: Final = "529.982.247-25"


@dataclass(frozen=True, slots=True)
class Writer:
    """Somebody who names the debtor in every field there is for words, and closes what they open.

    `other` is another debtor, for whom the first one pays; `second` approves and refuses.
    """

    house: House
    caller: Caller
    second: Caller
    debtor: Debtor
    other: Debtor

    async def write(self) -> None:
        await self._restrictions()
        await self._contacts()
        await self._charges()
        await self._payments()
        await self._approvals()
        await self._do("dunning_interactions_create", **an_interaction(self.debtor.id, note=WORDS))
        await self._do("dunning_debtors_archive", id=self.debtor.id, reason=WORDS)
        await self._do("dunning_debtors_update", id=self.debtor.id, status="active")

    async def _do(self, operation: str, **arguments: Any) -> Answer:
        answer = await self.house.rest(self.caller, operation, arguments)
        assert answer.status < 300, answer.body
        return answer

    async def _restrictions(self) -> None:
        update, debtor_id = "dunning_debtors_update", self.debtor.id
        await self._do(update, id=debtor_id, flags=[], reason=WORDS)
        await self._do(update, id=debtor_id, notes=WORDS, idempotency_key="k-notes")

    async def _contacts(self) -> None:
        stated = a_new_contact_point(self.debtor.id, value="amarante@example.com", label=LINE)
        added = await self._do("dunning_contact_points_create", **stated)
        point = {"id": self.debtor.id, "cp_id": added.data["id"]}
        for status in ("opted_out", "active", "opted_out"):
            update = "dunning_contact_points_update"
            await self._do(update, **point, status=status, evidence=WORDS)
        await self._do("dunning_contact_points_delete", **point)

    async def _charges(self) -> None:
        charge_id = await self._charge("NF-77-1")
        await self._do("dunning_charges_hold", id=charge_id, reason=LINE)
        await self._do("dunning_charges_release", id=charge_id, note=WORDS)
        await self._cancel(charge_id)
        late = {"issue_date": "2026-08-03", "due_date": "2026-08-03"}
        charge_id = await self._charge("NF-77-2", **late)
        await self._do("dunning_charges_write_off", **a_write_off(charge_id, note=WORDS))
        await self._do("dunning_charges_delete", id=await self._charge("NF-77-3"))

    async def _payments(self) -> None:
        charge_id = await self._charge("NF-77-4")
        payer = {"payer_name": "Rosália Amarante", "payer_document": CPF, "note": WORDS}
        payment = a_new_payment(self.debtor.id, external_id="NF-77-5", **payer)
        paid = await self._do("dunning_payments_create", **payment)
        await self._do("dunning_payments_reverse", **a_reversal(paid.data["id"], note=WORDS))
        await self._cancel(charge_id)
        payer["note"] = "Pago no balcão."
        await self._do("dunning_payments_create", **a_new_payment(self.other.id, **payer))

    async def _approvals(self) -> None:
        await self._do("dunning_settings_update", approval_required_for=["write_off"])
        late = {"issue_date": "2026-08-03", "due_date": "2026-08-03"}
        for number, decide in ((6, "reject"), (7, "approve"), (8, None)):
            charge_id = await self._charge(f"NF-77-{number}", **late)
            wanted = a_write_off(charge_id, note=WORDS)
            asked = await self._do("dunning_charges_write_off", **wanted)
            if decide is not None:
                word = {"id": asked.data["id"], "note": WORDS}
                answer = await self.house.rest(self.second, f"dunning_approvals_{decide}", word)
                assert answer.status == 200, answer.body
            if decide != "approve":
                await self._cancel(charge_id)

    async def _charge(self, external_id: str, **fields: Any) -> str:
        stated = a_new_charge(
            self.debtor.id,
            description=WORDS,
            external_id=external_id,
            document_number="NF-77",
            contract_reference=WORDS,
            tags=["rosalia"],
            custom_data={"aluna": WORDS},
            **fields,
        )
        charge_id: str = (await self._do("dunning_charges_create", **stated)).data["id"]
        return charge_id

    async def _cancel(self, charge_id: str) -> None:
        await self._do("dunning_charges_cancel", id=charge_id, reason="other", note=WORDS)
