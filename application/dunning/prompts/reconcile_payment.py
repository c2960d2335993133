"""From money that came to the charges that it settles, before anything is recorded."""

from datetime import date
from typing import Annotated, Final

from application.dunning.prompts.prompt import AboutDebtor, Prompt
from application.dunning.question_values import day, filled, money
from application.operations.fields import Money, about
from domain.dunning.money import CENT_PLACES, decimal_text
from domain.texts import Words

_SCRIPT: Final = Words(
    pt="""\
Concilie um pagamento de {money} do devedor {debtor}, pago {when}.

1. dunning_payments_list com debtor_id, min_amount {amount} e max_amount {amount}, sem status: há \
um pagamento do mesmo valor e da mesma data, também um estornado? Se há, pare e pergunte à pessoa \
se é este; só siga se ela disser que é outro. O extrato não basta: não traz cobranças pagas.
2. dunning_payments_preview com debtor_id, amount {amount}{sent}: o que seria quitado em cada \
cobrança, componente por componente.
3. Se o devedor indicou cobranças, simule de novo com charge_ids nessa ordem (CC art. 352).
4. Explique o que sobra: unallocated_amount, que fica como crédito, e o que resta em aberto em \
cada cobrança e por quê.
5. Mostre a proposta e peça confirmação. Só depois dela, dunning_payments_create com os mesmos \
dados, o método que a pessoa disser e uma idempotency_key nova.""",
    es="""\
Concilie un pago de {money} del deudor {debtor}, pagado {when}.

1. dunning_payments_list con debtor_id, min_amount {amount} y max_amount {amount}, sin status: \
¿hay un pago del mismo valor y de la misma fecha, también uno revertido? Si lo hay, deténgase y \
pregunte a la persona si es este; siga solo si dice que es otro. El estado de cuenta no basta: no \
trae cobros pagados.
2. dunning_payments_preview con debtor_id, amount {amount}{sent}: lo que se saldaría en cada \
cobro, componente por componente.
3. Si el deudor indicó cobros, simule de nuevo con charge_ids en ese orden (CC art. 352).
4. Explique lo que sobra: unallocated_amount, que queda como crédito, y lo que sigue abierto en \
cada cobro y por qué.
5. Muestre la propuesta y pida confirmación. Solo después, dunning_payments_create con los mismos \
datos, el método que la persona diga y una idempotency_key nueva.""",
    en="""\
Reconcile a payment of {money} by debtor {debtor}, paid {when}.

1. dunning_payments_list with debtor_id, min_amount {amount} and max_amount {amount}, no status: \
is there a payment of the same amount and date, also a reversed one? If so, stop and ask the \
person whether it is this one; go on only if they say that it is another. The statement is not \
enough: it leaves out paid charges.
2. dunning_payments_preview with debtor_id, amount {amount}{sent}: what would be settled of each \
charge, component by component.
3. If the debtor indicated charges, preview again with charge_ids in that order (CC art. 352).
4. Explain what is left over: unallocated_amount, which stays as credit, and what remains open on \
each charge and why.
5. Show the proposal and ask for confirmation. Only after it, dunning_payments_create with the \
same data, the method that the person names and a new idempotency_key.""",
)
_TODAY: Final = Words("hoje", "hoy", "today")
_ON: Final = Words("em {day}", "el {day}", "on {day}")
_AND_DAY: Final = Words(" e paid_at {day}", " y paid_at {day}", " and paid_at {day}")


class ReconcilePayment(AboutDebtor, kw_only=True):
    """Whose money came, how much, and when."""

    amount: Annotated[Money, about("How much came, in BRL, such as 1250.50.")]
    paid_at: Annotated[
        date | None, about("The day the debtor paid, YYYY-MM-DD; today unless given.")
    ] = None


def _write(wanted: ReconcilePayment) -> Words:
    paid_at = wanted.paid_at
    when, sent = _TODAY, Words.same("")
    if paid_at is not None:
        when = filled(_ON, day=day(paid_at))
        sent = filled(_AND_DAY, day=Words.same(paid_at.isoformat()))
    return filled(
        _SCRIPT,
        debtor=Words.same(wanted.debtor_id),
        money=money(wanted.amount),
        amount=Words.same(decimal_text(wanted.amount, CENT_PLACES).en),
        when=when,
        sent=sent,
    )


RECONCILE_PAYMENT: Final = Prompt(
    name="reconcile_payment",
    title="Reconcile a payment",
    description=(
        "Looks for a duplicate, previews what a payment would settle, explains what is left over, "
        "and records it only after a confirmation."
    ),
    takes=ReconcilePayment,
    names=("dunning_payments_create", "dunning_payments_list", "dunning_payments_preview"),
    shows=("dunning_debtors_get", "dunning_debtors_statement"),
    write=_write,
)
