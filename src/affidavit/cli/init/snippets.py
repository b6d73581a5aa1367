"""For each Python framework: how it is recognised, and the lines that put the guard in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Snippet:
    """``adapter`` is the module of ``affidavit.runtimes``, ``name`` what is imported from it."""

    packages: tuple[str, ...]
    """Distributions that it comes with."""
    modules: tuple[str, ...]
    """Modules that a program imports of it."""
    name: str
    use: str
    """The expression that an agent's code is to hold."""
    framework: bool = True
    """Not so for a provider's SDK, which most frameworks bring along."""


SNIPPETS: dict[str, Snippet] = {
    "agent_framework": Snippet(
        ("agent-framework", "agent-framework-core"),
        ("agent_framework",),
        "GuardMiddleware",
        "Agent(client=client, tools=tools, middleware=[GuardMiddleware(detector)])",
    ),
    "claude_agent_sdk": Snippet(
        ("claude-agent-sdk",),
        ("claude_agent_sdk",),
        "guard_options",
        "query(prompt=prompt, options=guard_options(ClaudeAgentOptions(), detector))",
    ),
    "google_adk": Snippet(
        ("google-adk",),
        ("google.adk",),
        "GuardPlugin",
        "App(name=name, root_agent=agent, plugins=[GuardPlugin(detector)])",
    ),
    "langchain": Snippet(
        ("langchain", "langgraph"),
        ("langchain", "langgraph"),
        "GuardMiddleware",
        "create_agent(model, tools, middleware=[GuardMiddleware(detector)])",
    ),
    "openai_agents": Snippet(
        ("openai-agents",),
        ("agents",),
        "GuardedProvider",
        "Runner.run(agent, question, run_config=RunConfig(model_provider=GuardedProvider(detector)))",
    ),
    "pydantic_ai": Snippet(
        ("pydantic-ai", "pydantic-ai-slim"),
        ("pydantic_ai",),
        "GuardCapability",
        "Agent(model, tools=tools, capabilities=[GuardCapability(detector)])",
    ),
    "smolagents": Snippet(
        ("smolagents",),
        ("smolagents",),
        "guard_agent",
        "guard_agent(CodeAgent(tools=tools, model=model), detector)",
    ),
    "strands": Snippet(
        ("strands-agents",),
        ("strands",),
        "GuardPlugin",
        "Agent(model=model, tools=tools, plugins=[GuardPlugin(detector)])",
    ),
    "google_genai": Snippet(
        ("google-genai",),
        ("google.genai",),
        "guarded_http_options",
        "genai.Client(http_options=guarded_http_options(detector))",
        framework=False,
    ),
    "anthropic": Snippet(
        ("anthropic",),
        ("anthropic",),
        "guard_client",
        "guard_client(Anthropic(), detector)",
        framework=False,
    ),
    "openai": Snippet(
        ("openai",),
        ("openai",),
        "guard_client",
        "guard_client(OpenAI(), detector)",
        framework=False,
    ),
}


def source(names: list[str]) -> str:
    """A module that makes the detector and imports what puts the guard into each framework."""
    imports = [_import(name, named(name, names)) for name in names]
    return "\n".join(
        [
            '"""The guard of this agent. Made by `affidavit init`; yours to change."""',
            "",
            "from affidavit import Detector, Policy",
            *sorted(imports),
            "",
            "# A false answer is sent back to be put right, twice at most, before it is refused.",
            'detector = Detector(Policy(on_critical="revise"))',
            "",
            "# Where the agent is made:",
            *(f"#     {used(name, names)}" for name in names),
            "",
        ]
    )


def named(module: str, among: list[str]) -> str:
    """What the made module calls a framework's guard: among several, names that are alike are told apart."""
    name = SNIPPETS[module].name
    if len(among) == 1:
        return name
    return f"{module}_{name}" if name.islower() else f"{module.title().replace('_', '')}{name}"


def used(module: str, among: list[str]) -> str:
    """The expression that an agent's code is to hold, under that name."""
    snippet = SNIPPETS[module]
    return snippet.use.replace(f"{snippet.name}(", f"{named(module, among)}(")


def _import(module: str, alias: str) -> str:
    name = SNIPPETS[module].name
    return f"from affidavit.runtimes.{module} import {name}" + f" as {alias}" * (alias != name)
