"""What to say in a lawful call to a debtor."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from application.dunning.prompts.prompt import AboutDebtor, Prompt
from application.dunning.question_values import filled
from application.operations.fields import about
from domain.texts import Words

_TONES: Final[Mapping[str, Words]] = {
    "friendly": Words("amigável", "amable", "friendly"),
    "neutral": Words("neutro", "neutro", "neutral"),
    "firm": Words("firme", "firme", "firm"),
}

_SCRIPT: Final = Words(
    pt="""\
Escreva o roteiro de uma ligação de cobrança para o devedor {debtor}, em tom {tone}.

Antes da ligação:
- dunning_debtors_contact_check com channel voice: se não é permitida agora, diga o motivo e a \
partir de quando será;
- dunning_charges_list com debtor_id e status pending,overdue: as cobranças de que se fala;
- dunning_charges_amount_due de cada uma: a memória do valor de hoje.

O roteiro tem:
1. Identificação: quem liga e em nome de qual credor. A dívida só é citada depois que a própria \
pessoa devedora confirma quem é (CDC art. 42; LGPD).
2. Memória do valor, por cobrança: principal, multa, juros, correção, desconto e total, com o dia \
do cálculo.
3. Uma pergunta aberta sobre a situação, e como pagar o que é devido hoje.
4. O que fazer se a pessoa contesta, recusa o canal ou não é o devedor: encerrar com respeito e \
registrar.
5. O que não se diz: ameaça, constrangimento, algo sobre a dívida a terceiros, providências que \
ninguém decidiu, descontos ou prazos que ninguém ofereceu, taxas que não estão na memória.

Depois da ligação, com o resultado contado por quem ligou: dunning_interactions_create com \
direction outbound e channel voice.""",
    es="""\
Escriba el guion de una llamada de cobro para el deudor {debtor}, en tono {tone}.

Antes de la llamada:
- dunning_debtors_contact_check con channel voice: si no se permite ahora, diga el motivo y desde \
cuándo se permitirá;
- dunning_charges_list con debtor_id y status pending,overdue: los cobros de que se habla;
- dunning_charges_amount_due de cada uno: la memoria del valor de hoy.

El guion tiene:
1. Identificación: quién llama y en nombre de qué acreedor. La deuda solo se menciona después de \
que la propia persona deudora confirma quién es (CDC art. 42; LGPD).
2. Memoria del valor, por cobro: principal, multa, intereses, corrección, descuento y total, con \
el día del cálculo.
3. Una pregunta abierta sobre la situación, y cómo pagar lo que se debe hoy.
4. Qué hacer si la persona cuestiona la deuda, rechaza el canal o no es el deudor: terminar con \
respeto y registrar.
5. Lo que no se dice: amenazas, presiones, algo sobre la deuda a terceros, medidas que nadie \
decidió, descuentos o plazos que nadie ofreció, tasas que no están en la memoria.

Después de la llamada, con el resultado contado por quien llamó: dunning_interactions_create con \
direction outbound y channel voice.""",
    en="""\
Write the script of a collection call to debtor {debtor}, in a {tone} tone.

Before the call:
- dunning_debtors_contact_check with channel voice: if it is not allowed now, say why and from \
when on it is;
- dunning_charges_list with debtor_id and status pending,overdue: the charges to speak of;
- dunning_charges_amount_due of each: the calculation memory of today.

The script has:
1. Identification: who calls, and for which creditor. The debt is mentioned only after the debtor \
in person has confirmed who they are (CDC art. 42; LGPD).
2. The memory of the amount, by charge: principal, fine, interest, correction, discount and total, \
with the day of the calculation.
3. An open question about their situation, and how to pay what is due today.
4. What to do if the person disputes it, refuses the channel or is not the debtor: end with \
respect and log it.
5. What is not said: threats, pressure, anything about the debt to others, measures that nobody \
decided on, discounts or terms that nobody offered, fees that are not in the memory.

After the call, with the outcome as told by whoever called: dunning_interactions_create with \
direction outbound and channel voice.""",
)


class CallScript(AboutDebtor):
    """Whom to call, and how it should sound."""

    tone: Annotated[
        Literal["friendly", "neutral", "firm"], about("How it sounds: friendly, neutral or firm.")
    ] = "neutral"


def _write(wanted: CallScript) -> Words:
    return filled(_SCRIPT, debtor=Words.same(wanted.debtor_id), tone=_TONES[wanted.tone])


CALL_SCRIPT: Final = Prompt(
    name="call_script",
    title="Write a call script",
    description=(
        "A lawful script for a collection call: identification, the memory of the amount, what is "
        "not to be said, and how to log it."
    ),
    takes=CallScript,
    names=(
        "dunning_charges_amount_due",
        "dunning_charges_list",
        "dunning_debtors_contact_check",
        "dunning_interactions_create",
    ),
    shows=("dunning_debtors_get", "dunning_debtors_statement"),
    write=_write,
)
