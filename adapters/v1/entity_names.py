"""What the prefix of an id stands for, in words that fit after "id de" and before "id"."""

from collections.abc import Mapping
from typing import Final

from domain.texts import Text

ENTITY_NAMES: Final[Mapping[str, Text]] = {
    "org": Text("organização", "organisation"),
    "dbt": Text("devedor", "debtor"),
    "cpt": Text("ponto de contato", "contact point"),
    "chg": Text("cobrança", "charge"),
    "pay": Text("pagamento", "payment"),
    "pol": Text("régua", "policy"),
    "stp": Text("etapa", "step"),
    "enr": Text("inscrição", "enrolment"),
    "exe": Text("execução de etapa", "step execution"),
    "apr": Text("aprovação", "approval"),
    "tpl": Text("modelo", "template"),
    "ntf": Text("notificação", "notification"),
    "itr": Text("interação", "interaction"),
    "prm": Text("promessa", "promise"),
    "agr": Text("acordo", "agreement"),
    "ins": Text("parcela", "instalment"),
    "dsp": Text("contestação", "dispute"),
    "neg": Text("negativação", "negativation"),
    "prt": Text("protesto", "protest"),
    "whk": Text("webhook", "webhook"),
    "dlv": Text("entrega", "delivery"),
    "evt": Text("evento", "event"),
    "exp": Text("exportação", "export"),
    "mbr": Text("membro", "member"),
    "cli": Text("cliente de API", "API client"),
    "hol": Text("feriado", "holiday"),
    "aud": Text("registro de auditoria", "audit entry"),
    "req": Text("requisição", "request"),
}
