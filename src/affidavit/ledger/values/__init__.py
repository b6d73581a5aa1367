"""Values of claims and evidence in one normal form, and whether two of them are the same."""
