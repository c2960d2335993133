"""What each error code tells the caller, once for the document, its page and the catalogue."""

from collections.abc import Mapping
from typing import Final

from domain.texts import Text

MEANING_OF: Final[Mapping[str, Text]] = {
    "BAD_REQUEST": Text(
        "A requisição não pode ser lida: o corpo não é um objeto JSON, há dois "
        "cabeçalhos Authorization ou Idempotency-Key, ou os dois lugares da chave de "
        "idempotência diferem.",
        "The request cannot be read: the body is no JSON object, there are two "
        "Authorization or Idempotency-Key headers, or the two places of the "
        "idempotency key differ.",
    ),
    "UNAUTHENTICATED": Text(
        "Falta o token, ou ele expirou, foi revogado ou emitido para outro fim. "
        "`WWW-Authenticate` diz de onde vêm os tokens.",
        "No token, or one that is expired, revoked or issued for something else. "
        "`WWW-Authenticate` says where tokens come from.",
    ),
    "SCOPE_MISSING": Text(
        "O token não tem um escopo de que a operação precisa. `details` e "
        "`WWW-Authenticate` citam todos.",
        "The token lacks a scope that this operation needs. `details` and "
        "`WWW-Authenticate` name all of them.",
    ),
    "PERMISSION_DENIED": Text(
        "O papel não permite a operação, ou quem chama não é membro ativo da "
        "organização. Um token novo não ajuda.",
        "The role does not allow this operation, or the caller is no active member "
        "of the organisation. A new token does not help.",
    ),
    "ROLE_LIMIT_EXCEEDED": Text(
        "Permitido, mas acima do teto do papel. `required_role` diz qual papel pode.",
        "Allowed, but above the ceiling of the role. `required_role` names the role that may.",
    ),
    "NOT_FOUND": Text(
        "Não existe entre o que quem chama pode ver.",
        "There is no such object among those that the caller may see.",
    ),
    "STATE_CONFLICT": Text(
        "A situação atual não permite. `current_status` e `allowed_actions` dizem "
        "qual é e o que é possível.",
        "The present state does not allow it. `current_status` and `allowed_actions` "
        "say what it is and what is possible.",
    ),
    "HOLD_ACTIVE": Text(
        "Um bloqueio ativo impede. `holds` lista os que impedem.",
        "An active hold forbids it. `holds` lists those that do.",
    ),
    "DUPLICATE": Text(
        "Algo que deve ser único já existe. `existing_id` diz qual é, quando há um "
        "só objeto a citar.",
        "Something that has to be unique is there already. `existing_id` names it "
        "where there is one object to name.",
    ),
    "VERSION_CONFLICT": Text(
        "Outra pessoa alterou depois da leitura. Leia de novo e envie a alteração "
        "com a versão atual.",
        "Somebody else has changed it since it was read. Read it again, then send "
        "the change with the version that there is now.",
    ),
    "IDEMPOTENCY_IN_PROGRESS": Text(
        "A primeira requisição com esta chave ainda está em andamento. Tente de novo "
        "depois de `Retry-After` segundos.",
        "The first request with this key is still running. Try again after `Retry-After` seconds.",
    ),
    "PAYLOAD_TOO_LARGE": Text(
        "O corpo tem mais de 2 MB.",
        "The body is larger than 2 MB.",
    ),
    "UNSUPPORTED_MEDIA_TYPE": Text(
        "O corpo não foi enviado como `Content-Type: application/json`.",
        "The body was not sent as `Content-Type: application/json`.",
    ),
    "VALIDATION_ERROR": Text(
        "Um valor tem forma, tipo ou faixa errada, um campo é desconhecido, ou "
        "campos não combinam. `details` cita cada um.",
        "A value has the wrong shape, type or range, a field is unknown, or fields "
        "do not go together. `details` names each one.",
    ),
    "LEGAL_LIMIT_EXCEEDED": Text(
        "Mais do que a lei, ou o limite mais estrito da organização, permite. "
        "`details` cita o campo.",
        "More than the law, or the stricter cap of the organisation, allows. "
        "`details` names the field.",
    ),
    "COMPLIANCE_BLOCKED": Text(
        "Falta uma condição legal. `reasons` diz qual; `next_allowed_at` existe "
        "quando é só questão de tempo.",
        "A precondition of law is missing. `reasons` names it; `next_allowed_at` is "
        "there where it is only a matter of time.",
    ),
    "IDEMPOTENCY_KEY_REUSED": Text(
        "A chave já foi usada com outros dados. Uma ação nova precisa de uma chave nova.",
        "The key was used before with other arguments. A new action needs a new key.",
    ),
    "confirmation_required": Text(
        "Só no MCP: uma pessoa precisa confirmar antes, e este cliente não pode perguntar a ela. "
        "`confirmation_url`, quando existe, é onde ela confirma; depois, repita a chamada.",
        "MCP only: a person has to confirm first, and this client cannot ask them. "
        "`confirmation_url`, where there is one, is where they do; then repeat the call.",
    ),
    "RATE_LIMITED": Text(
        "Requisições demais. Tente de novo depois de `Retry-After` segundos.",
        "Too many requests. Try again after `Retry-After` seconds.",
    ),
    "INTERNAL": Text(
        "Algo falhou do nosso lado. Informe `request_id` ao relatar.",
        "Something failed on our side. Quote `request_id` when you report it.",
    ),
    "UNAVAILABLE": Text(
        "O serviço está sobrecarregado, ou algo de que depende não responde. Tente "
        "de novo depois de `Retry-After` segundos.",
        "The service is overloaded, or something it depends on does not answer. Try "
        "again after `Retry-After` seconds.",
    ),
}
