"""What the adapters of agent frameworks say of themselves.

They say it here because each of their modules is built on its framework, and cannot be imported without.
"""

from __future__ import annotations

from affidavit.runtimes.adapter import Adapter
from affidavit.runtimes.cited_writing import NO_CITED_WRITING

_HELD_BACK = {
    "what_is_verified_is_shown_before_the_answer_is_complete": (
        "a stream is held back until its answer is judged"
    )
}

LANGCHAIN = Adapter(
    name="LangChain, LangGraph",
    package="langchain",
    versions="1.4",
    use="create_agent(model, tools, middleware=[GuardMiddleware(detector)])",
    cannot=_HELD_BACK,
    notes=(
        "`astream_events` has no tokens, and its `on_chat_model_end` shows drafts: take a `stream_mode`",
    ),
)

PYDANTIC_AI = Adapter(
    name="Pydantic AI",
    package="pydantic-ai-slim",
    versions="2.68",
    use="Agent(model, tools=tools, capabilities=[GuardCapability(detector)])",
    notes=("structured output that is blocked raises `AnswerRefused`",),
)

STRANDS = Adapter(
    name="Strands Agents",
    package="strands-agents",
    versions="1.62",
    use="Agent(model=model, tools=tools, plugins=[GuardPlugin(detector)])",
)

AGENT_FRAMEWORK = Adapter(
    name="Microsoft Agent Framework",
    package="agent-framework-core",
    versions="1.23",
    use="Agent(client=client, tools=tools, middleware=[GuardMiddleware(detector)])",
    notes=("an answer in a `response_format` that is blocked raises `AnswerRefused`",),
)

GOOGLE_ADK = Adapter(
    name="Google ADK",
    package="google-adk",
    versions="2.13",
    use="App(name=name, root_agent=agent, plugins=[GuardPlugin(detector)])",
    notes=(
        "an answer of an agent with an `output_schema` that is blocked raises `AnswerRefused`",
        "live sessions are not guarded",
    ),
)

SMOLAGENTS = Adapter(
    name="smolagents",
    package="smolagents",
    versions="1.26",
    use="agent = guard_agent(CodeAgent(tools=tools, model=model), detector)",
    cannot=_HELD_BACK | NO_CITED_WRITING,
    notes=(
        "the agent's memory, log and streamed steps hold drafts that were sent back; its answer does not",
        "code is guarded in this process, not in a remote executor",
    ),
)

OPENAI_AGENTS = Adapter(
    name="OpenAI Agents SDK",
    package="openai-agents",
    versions="0.24",
    use="Runner.run(agent, question, run_config=RunConfig(model_provider=GuardedProvider(detector)))",
    notes=(
        "a model given as an object is guarded with `guard_model`",
        "structured output that is blocked raises `AnswerRefused`",
        "tools that OpenAI runs itself cannot be stopped; conversations that it keeps are refused",
    ),
)

FRAMEWORKS = (
    LANGCHAIN,
    PYDANTIC_AI,
    STRANDS,
    AGENT_FRAMEWORK,
    GOOGLE_ADK,
    SMOLAGENTS,
    OPENAI_AGENTS,
)
