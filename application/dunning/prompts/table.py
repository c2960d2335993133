"""The prompts there are, in the order of their list."""

from typing import Final

from application.dunning.prompts.call_script import CALL_SCRIPT
from application.dunning.prompts.debtor_briefing import DEBTOR_BRIEFING
from application.dunning.prompts.prompt import Prompt
from application.dunning.prompts.reconcile_payment import RECONCILE_PAYMENT

PROMPTS: Final[tuple[Prompt, ...]] = (DEBTOR_BRIEFING, CALL_SCRIPT, RECONCILE_PAYMENT)
