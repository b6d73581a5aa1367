"""Files read as documents: Markdown, HTML, PDF, JSON and plain text, one module a format."""
