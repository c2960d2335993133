"""The form that a client shows, and what may be read out of its answer."""

from collections.abc import Mapping
from typing import Any, Final

from application.mcp.cleaning import clean
from domain.texts import Words

CONFIRM: Final = "confirm"
REQUIRED: Final = (CONFIRM,)

_REASON: Final = "reason"
_LONGEST_REASON: Final = 200

_YES: Final = Words("Confirmo esta ação", "Confirmo esta acción", "I confirm this action")
_WHY: Final = Words("Comentário (opcional)", "Comentario (opcional)", "Comment (optional)")
_KEPT: Final = Words(
    "Fica na trilha de auditoria; não escreva nomes nem documentos.",
    "Queda en el registro de auditoría; no escriba nombres ni documentos.",
    "Kept in the audit trail; write no names and no document numbers.",
)


def fields_in(language: str) -> Mapping[str, Mapping[str, object]]:
    """The fields of the form: a yes that is no by default, and a reason."""
    return {
        CONFIRM: {"type": "boolean", "title": _YES.in_language(language), "default": False},
        _REASON: {
            "type": "string",
            "title": _WHY.in_language(language),
            "description": _KEPT.in_language(language),
            "maxLength": _LONGEST_REASON,
        },
    }


def says_yes(answer: Mapping[str, Any]) -> bool:
    """Whether a person has ticked the yes: nothing but the boolean counts."""
    content = answer.get("content")
    return isinstance(content, dict) and content.get(CONFIRM) is True


def reason_in(answer: Mapping[str, Any]) -> str | None:
    """The reason that was given, cleaned and cut; None for none."""
    content = answer.get("content")
    given = content.get(_REASON) if isinstance(content, dict) else None
    if not isinstance(given, str):
        return None
    shown = "".join(sign if sign.isprintable() else " " for sign in clean(given))
    return " ".join(shown.split())[:_LONGEST_REASON] or None
