"""MCP: a proxy between a client and a server that verifies tool calls (Stage 1).

The protocol carries calls and results, not the user's words and not the answer: those stay with the
client. What the client tells of them in ``_meta`` counts.
"""
