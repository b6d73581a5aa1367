"""Where something is from: citations, documents, quotations, and what was only asked about."""
