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

Primeiro: dunning_debtors_contact_check com channel voice. Se falar com esta pessoa não é \
permitido agora, não escreva o roteiro: diga só o motivo e, se houver, a partir de quando será.

Antes da ligação:
- dunning_charges_list com debtor_id e status pending,overdue: as cobranças de que se fala;
- dunning_charges_amount_due de cada uma: a memória de cálculo de hoje.

O roteiro tem:
1. Identificação: o nome de quem liga e com quem deseja falar, sem dizer que é cobrança. Só depois \
que a própria pessoa devedora confirma quem é: em nome de qual credor, e a dívida (CDC, art. 42; \
LGPD).
2. Memória de cálculo, por cobrança: principal, multa, juros, correção monetária, desconto e \
total, com o dia do cálculo.
3. Uma pergunta aberta sobre a situação, e como pagar o que é devido hoje.
4. O que fazer se a pessoa contesta, recusa o canal ou não é o devedor: encerrar com respeito e \
registrar.
5. O que não se diz: ameaça, constrangimento, algo sobre a dívida a terceiros, providências que \
ninguém decidiu, descontos ou prazos que ninguém ofereceu, taxas que não estão na memória de \
cálculo.
6. Um tom firme é claro sobre o valor e a data, e nada mais: nunca ameaça, nunca constrange, nunca \
expõe a pessoa ao ridículo ou a terceiros, nunca interfere em seu trabalho, descanso ou lazer \
(CDC, art. 42 e 71).

Depois da ligação, com o resultado contado por quem ligou: dunning_interactions_create com \
direction outbound e channel voice.""",
    es="""\
Escriba el guion de una llamada de cobro para el deudor {debtor}, en tono {tone}.

Primero: dunning_debtors_contact_check con channel voice. Si no se permite hablar ahora con esta \
persona, no escriba el guion: diga solo el motivo y, si lo hay, desde cuándo se permitirá.

Antes de la llamada:
- dunning_charges_list con debtor_id y status pending,overdue: los cobros de que se habla;
- dunning_charges_amount_due de cada uno: el desglose del cálculo de hoy.

El guion tiene:
1. Identificación: el nombre de quien llama y con quién desea hablar, sin decir que es un cobro. \
Solo después de que la propia persona deudora confirma quién es: en nombre de qué acreedor, y la \
deuda (CDC, art. 42; LGPD).
2. Desglose del cálculo, por cobro: principal, multa, intereses, corrección monetaria, descuento y \
total, con el día del cálculo.
3. Una pregunta abierta sobre la situación, y cómo pagar lo que se debe hoy.
4. Qué hacer si la persona cuestiona la deuda, rechaza el canal o no es el deudor: terminar con \
respeto y registrar.
5. Lo que no se dice: amenazas, presiones, algo sobre la deuda a terceros, medidas que nadie \
decidió, descuentos o plazos que nadie ofreció, cargos que no están en el desglose.
6. Un tono firme es claro sobre el valor y la fecha, y nada más: nunca amenaza, nunca presiona, \
nunca expone a la persona al ridículo o ante terceros, nunca interfiere en su trabajo, descanso u \
ocio (CDC, art. 42 y 71).

Después de la llamada, con el resultado contado por quien llamó: dunning_interactions_create con \
direction outbound y channel voice.""",
    en="""\
Write the script of a collection call to debtor {debtor}, in a {tone} tone.

First: dunning_debtors_contact_check with channel voice. If talking to this person is not allowed \
now, do not write the script: say only why and, if known, from when on it is.

Before the call:
- dunning_charges_list with debtor_id and status pending,overdue: the charges to speak of;
- dunning_charges_amount_due of each: today's calculation breakdown.

The script has:
1. Identification: the caller's name and whom they wish to speak to, without saying that it is \
about a debt. Only after the debtor in person has confirmed who they are: for which creditor, and \
the debt (CDC, art. 42; LGPD).
2. Calculation breakdown, by charge: principal, fine, interest, monetary correction, discount and \
total, with the day of the calculation.
3. An open question about their situation, and how to pay what is due today.
4. What to do if the person disputes it, refuses the channel or is not the debtor: end with \
respect and log it.
5. What is not said: threats, pressure, anything about the debt to others, measures that nobody \
decided on, discounts or terms that nobody offered, fees that are not in the breakdown.
6. A firm tone is clear about the amount and the date, and nothing more: never a threat, never \
pressure, never exposure to ridicule or to others, never interference with the person's work, \
rest or leisure (CDC, art. 42 and 71).

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
        "A lawful script for a collection call: identification, the calculation breakdown, what is "
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
