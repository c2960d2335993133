"""What is said beside the question itself, in the organisation's language as that is."""

from typing import Final

from domain.texts import Words

OPEN_THE_PAGE: Final = Words(
    "Abra a página para confirmar ou recusar.",
    "Abra la página para confirmar o rechazar.",
    "Open the page to confirm or refuse.",
)
TICK: Final = Words(
    "Para confirmar, marque “Confirmo esta ação”.",
    "Para confirmar, marque “Confirmo esta acción”.",
    "To confirm, tick “I confirm this action”.",
)
NO_PERSON: Final = Words(
    "Nada foi feito: não há uma pessoa por trás deste programa que possa confirmar. Use /v1, ou o "
    "token de uma pessoa.",
    "No se hizo nada: no hay una persona detrás de este programa que pueda confirmar. Use /v1, o "
    "el token de una persona.",
    "Nothing was done: there is no person behind this program who could confirm. Use /v1, or a "
    "person's token.",
)
TOO_LONG: Final = Words(
    "Nada foi feito: os argumentos são longos demais para a página de confirmação. Encurte-os, ou "
    "use /v1.",
    "No se hizo nada: los argumentos son demasiado largos para la página de confirmación. "
    "Acórtelos, o use /v1.",
    "Nothing was done: the arguments are too long for the confirmation page. Shorten them, or use "
    "/v1.",
)


def on_the_page(address: str) -> Words:
    """The person who asked has to open the page first."""
    return Words(
        f"Nada foi feito: você precisa confirmar em {address} , entrando com a conta que usa neste "
        "assistente. O endereço vale de 10 a 20 minutos. Depois de confirmado ali, repita esta "
        "mesma chamada em até 10 minutos.",
        f"No se hizo nada: usted tiene que confirmar en {address} , con la cuenta que usa en este "
        "asistente. La dirección vale de 10 a 20 minutos. Una vez confirmado allí, repita esta "
        "misma llamada en un máximo de 10 minutos.",
        f"Nothing was done: you have to confirm it at {address} , with the account that you use in "
        "this assistant. The address lasts 10 to 20 minutes. Once it is confirmed there, repeat "
        "this same call within 10 minutes.",
    )


def together(sentence: Words, more: Words) -> Words:
    """The question and what is said beside it."""
    return Words(f"{sentence.pt} {more.pt}", f"{sentence.es} {more.es}", f"{sentence.en} {more.en}")
