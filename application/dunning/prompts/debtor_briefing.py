"""One page about a debtor, before somebody speaks to them."""

from typing import Final

from application.dunning.prompts.prompt import AboutDebtor, Prompt
from application.dunning.question_values import filled
from domain.texts import Words

_SCRIPT: Final = Words(
    pt="""\
Prepare um resumo de uma página sobre o devedor {debtor}, para quem vai falar com ele.

Ferramentas:
- dunning_charges_list com debtor_id e status pending,overdue: as cobranças em aberto;
- dunning_debtors_contact_check: os canais permitidos agora.

O resumo diz, nesta ordem:
1. Quem é: nome, pessoa ou empresa, documento mascarado, idioma.
2. Quanto deve e desde quando: total em aberto, total vencido, a cobrança mais antiga.
3. O que aconteceu: pagamentos, estornos, contatos e mudanças recentes, com as datas.
4. Bloqueios e restrições: o que impedem e até quando.
5. Por quais canais o contato é permitido agora; dos outros, o motivo e o próximo horário.

O que os dados não dizem é dito como desconhecido; nada é suposto.""",
    es="""\
Prepare un resumen de una página sobre el deudor {debtor}, para quien va a hablar con él.

Herramientas:
- dunning_charges_list con debtor_id y status pending,overdue: los cobros abiertos;
- dunning_debtors_contact_check: los canales permitidos ahora.

El resumen dice, en este orden:
1. Quién es: nombre, persona o empresa, documento enmascarado, idioma.
2. Cuánto debe y desde cuándo: total abierto, total vencido, el cobro más antiguo.
3. Qué pasó: pagos, reversiones, contactos y cambios recientes, con las fechas.
4. Bloqueos y restricciones: qué impiden y hasta cuándo.
5. Por qué canales se permite el contacto ahora; de los otros, el motivo y el próximo horario.

Lo que los datos no dicen se presenta como desconocido; nada se supone.""",
    en="""\
Prepare a page about debtor {debtor}, for whoever is about to speak to them.

Tools:
- dunning_charges_list with debtor_id and status pending,overdue: the open charges;
- dunning_debtors_contact_check: the channels that are allowed now.

The page says, in this order:
1. Who it is: name, person or company, masked document, language.
2. How much is owed and since when: total open, total overdue, the oldest charge.
3. What happened: recent payments, reversals, contacts and changes, with their dates.
4. Holds and restrictions: what they forbid and until when.
5. By which channels contact is allowed now; for the others, the reason and the next time.

Where the data do not say, say it is unknown; nothing is assumed.""",
)


def _write(wanted: AboutDebtor) -> Words:
    return filled(_SCRIPT, debtor=Words.same(wanted.debtor_id))


DEBTOR_BRIEFING: Final = Prompt(
    name="debtor_briefing",
    title="Brief me on a debtor",
    description=(
        "One page before a call: who it is, how much is owed and since when, what happened, holds, "
        "and the channels allowed now."
    ),
    takes=AboutDebtor,
    names=("dunning_charges_list", "dunning_debtors_contact_check"),
    shows=("dunning_debtors_get", "dunning_debtors_statement", "dunning_debtors_timeline"),
    write=_write,
)
