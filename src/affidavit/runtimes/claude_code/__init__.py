"""Claude Code: hooks that hold its calls and answers against what its own tools returned."""

from affidavit.runtimes.adapter import NO_OWN_JUDGE, Adapter

CANNOT = NO_OWN_JUDGE | {
    "it_cites_as_it_writes_and_the_user_does_not_see_it": "marks could not be taken out of what is on the screen",
    "what_is_verified_is_shown_before_the_answer_is_complete": "outside the terminal Claude Code puts "
    "a message out whole; in it, the lines before the first false one are shown",
    "rejected_calls_are_in_the_report": "the rejected call is; one that ran is listed as unchecked, "
    "because hooks are not told the tools' schemas",
}
NOTES = (
    (
        "A message cannot be taken back: the MessageDisplay hook keeps a false draft off the screen and out "
        "of the output, but the transcript holds it."
    ),
    (
        "Calls of MCP tools are held to what was mentioned before; those of Claude Code's own tools, "
        "which name files that do not exist yet, only where a policy says so."
    ),
)
ADAPTER = Adapter(
    name="Claude Code",
    package="claude (command)",
    versions="2.1",
    use="affidavit init",
    cannot={
        **CANNOT,
        "look_alike_runs_do_not_mix": "they do not, but what stands in the system prompt alone bears out "
        "nothing, because hooks are not told it",
    },
    notes=NOTES,
)
