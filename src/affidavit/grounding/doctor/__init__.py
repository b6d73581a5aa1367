"""Examines somebody's own tools and agent: the checklist before deployment, carried out.

    class Shop:
        tools = {"find_contract": find_contract}
        question = "What is the notice period in the contract with Beta Corp?"
        expected = "60 days"
        missing = "What is the notice period in the contract with Gamma LLC?"

        async def ask(self, question, tools):
            return await my_agent(question, tools)

``affidavit doctor shop:Shop`` asks it five times: as it is, with tools that find nothing, that time out,
that are asked too often, and the question that has no answer.
"""

from __future__ import annotations

from affidavit.grounding.doctor.checklist import CHECKLIST, Finding
from affidavit.grounding.doctor.examine import aexamine, examine
from affidavit.grounding.doctor.examinee import Examinee, Reply

__all__ = ["CHECKLIST", "Examinee", "Finding", "Reply", "aexamine", "examine"]
