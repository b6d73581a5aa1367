"""The checks that hold a claim against the evidence, one a file."""
