"""What the sign-in and error pages say, in both languages."""

from typing import Final

from domain.access.roles import Role
from domain.access.scopes import ALL, READ, WRITE
from domain.texts import Text

SENTENCES: Final = {
    "sign_in": Text("Entrar", "Sign in"),
    "notice": Text(
        "Ambiente de desenvolvimento: todas as pessoas são fictícias e ninguém tem senha.",
        "Development environment: everyone here is invented, and nobody has a password.",
    ),
    "wants": Text(
        "pede acesso ao {product} em seu nome.", "asks for access to {product} on your behalf."
    ),
    "to_confirm": Text(
        "Entre para confirmar ou recusar um pedido.",
        "Sign in to confirm or decline a request.",
    ),
    "to_confirm_why": Text(
        "Entre como a pessoa que fez o pedido ao assistente. Nenhum aplicativo recebe acesso com "
        "isto; a pergunta vem a seguir.",
        "Sign in as the person who asked their assistant for it. No app gets access by this; the "
        "question comes next.",
    ),
    "sign_in_and_go_on": Text("Entrar e ver o pedido", "Sign in and see the request"),
    "self_named": Text(
        "O aplicativo escolheu este nome; confira o endereço de retorno.",
        "The app chose this name itself; check the address you return to.",
    ),
    "returns_to": Text("Você volta para", "You return to"),
    "access_to": Text("Acesso a", "Access to"),
    "who": Text("Quem está entrando?", "Who is signing in?"),
    "what": Text("O que o aplicativo pode fazer?", "What may the app do?"),
    "besides": Text("Além disso", "In addition"),
    "nobody": Text(
        "Ainda não há ninguém para escolher. Carregue os dados de demonstração primeiro.",
        "There is nobody to choose yet. Load the demo data first.",
    ),
    "limits": Text(
        "Nunca mais do que o papel da pessoa permite.",
        "Never more than the person's role allows.",
    ),
    "allow": Text("Permitir e voltar", "Allow and return"),
    "cancel": Text("Cancelar", "Cancel"),
    "advice": Text(
        "Volte ao aplicativo e comece a entrada de novo.",
        "Go back to the app and start signing in again.",
    ),
    "refused": Text(
        "Não é possível responder a este pedido de entrada",
        "This sign-in request cannot be answered",
    ),
    "refused_why": Text(
        "O aplicativo não está registrado aqui, ou o endereço de retorno não é dele. "
        "Por segurança, você não foi enviado a lugar nenhum.",
        "The app is not registered here, or the address to return to is not its own. "
        "To be safe, you were not sent anywhere.",
    ),
    "too_long": Text("O pedido de entrada é longo demais", "The sign-in request is too long"),
    "too_long_why": Text(
        "O aplicativo mandou mais do que um pedido de entrada precisa.",
        "The app sent more than a sign-in request needs.",
    ),
    "stale": Text("Este formulário não vale mais", "This form is no longer good"),
    "stale_why": Text(
        "Ele venceu, ou foi aberto em outro navegador.",
        "It has expired, or it was opened in another browser.",
    ),
    "incomplete": Text("Falta uma escolha", "A choice is missing"),
    "incomplete_why": Text(
        "Escolha uma pessoa e ao menos uma permissão.",
        "Choose a person and at least one permission.",
    ),
}

ROLES: Final = {
    Role.OWNER: Text("Titular", "Owner"),
    Role.ADMIN: Text("Administração", "Admin"),
    Role.MANAGER: Text("Gerência", "Manager"),
    Role.COLLECTOR: Text("Cobrança", "Collector"),
    Role.VIEWER: Text("Consulta", "Viewer"),
}

UMBRELLAS: Final = {
    ALL: (
        Text("Tudo o que o papel permite", "Everything the role allows"),
        Text(
            "Também o que é difícil de desfazer, como cancelar, negativar ou protestar.",
            "Also what is hard to undo, such as cancelling, credit bureau listing or protest.",
        ),
    ),
    WRITE: (
        Text("Ler e fazer o trabalho do dia a dia", "Read and do everyday work"),
        Text(
            "Criar e alterar cobranças, devedores e pagamentos; nada difícil de desfazer.",
            "Create and change charges, debtors and payments; nothing that is hard to undo.",
        ),
    ),
    READ: (
        Text("Somente ler", "Read only"),
        Text("Consultar e relatar, sem alterar nada.", "Look things up, and change nothing."),
    ),
}

EXTRAS: Final = {
    "dunning.debtors:reveal": Text(
        "Ver documentos e contatos completos", "See full documents and contact details"
    ),
}
