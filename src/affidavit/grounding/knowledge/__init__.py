"""A knowledge base: documents and their versions, searched with what a citation needs beside each hit."""
