"""What the confirmation page says, in the three languages that an organisation is written to in."""

from typing import Final

from domain.texts import Words

SENTENCES: Final = {
    "title": Words("Confirmação", "Confirmación", "Confirmation"),
    "test": Words("Ambiente de teste", "Entorno de prueba", "Test environment"),
    "question": Words("Confirmar esta ação?", "¿Confirmar esta acción?", "Confirm this action?"),
    "nothing_yet": Words(
        "Nada aconteceu ainda. Só acontece se você confirmar.",
        "Todavía no ha ocurrido nada. Solo ocurrirá si usted confirma.",
        "Nothing has happened yet. It will only happen if you confirm.",
    ),
    "about": Words("Do que se trata", "De qué se trata", "What it is about"),
    "confirming": Words("Quem confirma", "Quién confirma", "Who confirms"),
    "person": Words("Pessoa", "Persona", "Person"),
    "app": Words("Aplicativo", "Aplicación", "App"),
    "self_given": Words(
        "o aplicativo escolheu este nome",
        "la aplicación eligió este nombre",
        "the app chose this name itself",
    ),
    "no_name": Words("não disse o nome", "no dijo su nombre", "did not give a name"),
    "client_id": Words(
        "Identificador do aplicativo", "Identificador de la aplicación", "Client id"
    ),
    "operation": Words("Operação", "Operación", "Operation"),
    "confirm": Words("Confirmar esta ação", "Confirmar esta acción", "Confirm this action"),
    "refuse": Words("Não fazer isto", "No hacerlo", "Do not do this"),
    "withdraw": Words("Retirar a confirmação", "Retirar la confirmación", "Withdraw"),
    "if_unsure": Words(
        "Se você não pediu isto ao seu assistente, escolha “Não fazer isto”.",
        "Si usted no pidió esto a su asistente, elija “No hacerlo”.",
        "If you did not ask your assistant for this, choose “Do not do this”.",
    ),
    "somebody_else": Words(
        "Entrar como outra pessoa", "Entrar como otra persona", "Sign in as somebody else"
    ),
    "again": Words("Tentar de novo", "Intentar de nuevo", "Try again"),
    "request": Words("Identificação do erro", "Identificación del error", "Error id"),
}

HEADINGS: Final = {
    "confirmed": Words("Confirmado", "Confirmado", "Confirmed"),
    "refused": Words("Não será feito", "No se hará", "It will not be done"),
    "used": Words("Confirmação já usada", "Confirmación ya utilizada", "Confirmation already used"),
    "reached": Words("Não há o que confirmar", "No hay nada que confirmar", "Nothing to confirm"),
    "changed": Words(
        "Algo mudou depois do pedido",
        "Algo cambió después de la solicitud",
        "Something has changed since you were asked",
    ),
    "forbidden": Words("Isto não pode ser feito", "Esto no se puede hacer", "This cannot be done"),
}
"""What has become of a question, by the state of the page."""

NEXT: Final = {
    "confirmed": Words(
        "Ainda não foi executado. Volte ao seu assistente até {until} e diga que continue; depois "
        "disso a confirmação perde o efeito.",
        "Todavía no se ha ejecutado. Vuelva a su asistente antes de las {until} y dígale que "
        "continúe; después la confirmación pierde su efecto.",
        "It has not been carried out yet. Go back to your assistant by {until} and tell it to go "
        "on; after that the confirmation has no effect.",
    ),
    "refused": Words(
        "Nada foi feito. Se mudar de ideia, faça o pedido de novo ao seu assistente.",
        "No se ha hecho nada. Si cambia de opinión, vuelva a pedirlo a su asistente.",
        "Nothing was done. If you change your mind, ask your assistant again.",
    ),
    "used": Words(
        "Sua confirmação já foi usada. Veja o resultado no seu assistente.",
        "Su confirmación ya se utilizó. Vea el resultado en su asistente.",
        "Your confirmation has been used. See the result in your assistant.",
    ),
    "reached": Words(
        "Não há mais nada a confirmar: já está como foi pedido, ou já há um pedido à espera de "
        "outra pessoa.",
        "Ya no hay nada que confirmar: ya está como se pidió, o ya hay una solicitud a la espera "
        "de otra persona.",
        "There is nothing left to confirm: it is already as was asked for, or a request is already "
        "waiting for a second person.",
    ),
    "changed": Words(
        "Esta pergunta não vale mais, e nada foi feito. Peça ao seu assistente que tente de novo: "
        "você verá como está agora.",
        "Esta pregunta ya no vale, y no se ha hecho nada. Pida a su asistente que lo intente de "
        "nuevo: verá cómo está ahora.",
        "This question is no longer good, and nothing was done. Tell your assistant to try again: "
        "you will see how it is now.",
    ),
    "forbidden": Words(
        "Nada foi feito, e confirmar não mudaria isso. O motivo:",
        "No se ha hecho nada, y confirmar no lo cambiaría. El motivo:",
        "Nothing was done, and confirming would not change that. The reason:",
    ),
}
"""What happens now, by the state of the page."""

PROBLEMS: Final = {
    "dead": (
        Words("Este link não funciona", "Este enlace no funciona", "This link does not work"),
        Words(
            "Este link venceu ou está incompleto. Se você já respondeu, a resposta vale: veja a "
            "situação no seu assistente. Se não, peça a ele que tente de novo; ele dará um link "
            "novo.",
            "Este enlace venció o está incompleto. Si usted ya respondió, su respuesta vale: vea "
            "la situación en su asistente. Si no, pídale que lo intente de nuevo; le dará un "
            "enlace nuevo.",
            "This link has expired or is incomplete. If you have already answered, your answer "
            "counts: see where it stands in your assistant. If not, tell it to try again; it will "
            "give you a new link.",
        ),
    ),
    "not_for_them": (
        Words(
            "Este pedido é de outra pessoa",
            "Esta solicitud es de otra persona",
            "This is somebody else's request",
        ),
        Words(
            "Só quem fez o pedido pode confirmá-lo. Se foi você, entre com a mesma conta que usa "
            "no seu assistente.",
            "Solo quien hizo la solicitud puede confirmarla. Si fue usted, entre con la misma "
            "cuenta que usa en su asistente.",
            "Only the person who asked can confirm. If that was you, sign in with the account that "
            "you use in your assistant.",
        ),
    ),
    "no_member": (
        Words(
            "Esta conta não tem acesso", "Esta cuenta no tiene acceso", "This account has no access"
        ),
        Words(
            "Ela não é de um membro ativo da organização. Fale com quem a administra, ou entre "
            "como outra pessoa.",
            "No pertenece a un miembro activo de la organización. Hable con quien la administra, o "
            "entre como otra persona.",
            "It belongs to no active member of the organisation. Talk to an admin of it, or sign "
            "in as somebody else.",
        ),
    ),
    "not_signed_in": (
        Words("A entrada não deu certo", "No se pudo entrar", "Signing in did not work"),
        Words(
            "Ela foi cancelada, demorou demais ou foi aberta em outro navegador. Nada foi feito. "
            "Abra o link de novo.",
            "Se canceló, tardó demasiado o se abrió en otro navegador. No se ha hecho nada. Abra "
            "el enlace de nuevo.",
            "It was cancelled, took too long or was opened in another browser. Nothing was done. "
            "Open the link again.",
        ),
    ),
    "not_configured": (
        Words(
            "Ninguém pode entrar aqui ainda",
            "Todavía nadie puede entrar aquí",
            "Nobody can sign in here yet",
        ),
        Words(
            "A entrada nesta página não está configurada. Quem opera o serviço precisa definir "
            "CONFIRM_CLIENT_ID. Nada foi feito.",
            "La entrada en esta página no está configurada. Quien opera el servicio debe definir "
            "CONFIRM_CLIENT_ID. No se ha hecho nada.",
            "Signing in is not configured on this page. Whoever runs the service has to set "
            "CONFIRM_CLIENT_ID. Nothing was done.",
        ),
    ),
    "stale": (
        Words(
            "Este formulário não vale mais",
            "Este formulario ya no vale",
            "This form is no longer good",
        ),
        Words(
            "Ele ficou aberto tempo demais, ou veio de outro lugar. A sua resposta não foi "
            "registrada: abra o link de novo.",
            "Estuvo abierto demasiado tiempo, o vino de otro lugar. Su respuesta no se registró: "
            "abra el enlace de nuevo.",
            "It was open for too long, or came from elsewhere. Your answer was not recorded: open "
            "the link again.",
        ),
    ),
    "unavailable": (
        Words(
            "O serviço não está disponível",
            "El servicio no está disponible",
            "The service is not available",
        ),
        Words(
            "Algo de que ele depende não responde. Tente de novo em instantes.",
            "Algo de lo que depende no responde. Inténtelo de nuevo en unos instantes.",
            "Something it depends on does not answer. Try again in a moment.",
        ),
    ),
    "too_many": (
        Words("Pedidos demais", "Demasiadas solicitudes", "Too many requests"),
        Words(
            "Este endereço de rede fez pedidos demais. Espere um minuto e tente de novo.",
            "Esta dirección de red hizo demasiadas solicitudes. Espere un minuto e inténtelo de "
            "nuevo.",
            "This network address has sent too many requests. Wait a minute and try again.",
        ),
    ),
    "unreadable": (
        Words(
            "Não entendemos este pedido",
            "No entendemos esta solicitud",
            "This request cannot be read",
        ),
        Words(
            "Ele não tem a forma do que esta página envia. Nada foi feito.",
            "No tiene la forma de lo que envía esta página. No se ha hecho nada.",
            "It does not look like anything that this page sends. Nothing was done.",
        ),
    ),
    "internal": (
        Words("Algo falhou aqui", "Algo falló aquí", "Something failed here"),
        Words(
            "O erro é nosso e foi anotado. Abra o link de novo para ver se a sua resposta foi "
            "registrada.",
            "El error es nuestro y quedó anotado. Abra el enlace de nuevo para ver si su respuesta "
            "se registró.",
            "The fault is ours and has been noted. Open the link again to see whether your answer "
            "was recorded.",
        ),
    ),
}
"""Heading and explanation of each page without a question."""

REFUSALS_IN_SPANISH: Final = {
    "PERMISSION_DENIED": "Su función no permite esta operación.",
    "SCOPE_MISSING": "La aplicación no tiene el permiso necesario.",
    "ROLE_LIMIT_EXCEEDED": "Supera el límite de su función.",
    "NOT_FOUND": "No se encontró.",
    "STATE_CONFLICT": "El estado actual no lo permite.",
    "HOLD_ACTIVE": "Un bloqueo activo lo impide.",
    "VERSION_CONFLICT": "Otra persona lo modificó.",
    "DUPLICATE": "Ya existe un registro igual o una solicitud en espera.",
    "COMPLIANCE_BLOCKED": "Falta algo que la ley exige.",
    "LEGAL_LIMIT_EXCEEDED": "Supera el límite legal.",
    "VALIDATION_ERROR": "Los datos no son válidos.",
}
"""By code what a refusal means; its own sentence is written in Portuguese and English only."""

OTHERWISE_IN_SPANISH: Final = "Una regla lo impide."
