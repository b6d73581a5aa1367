"""Before the answer: what keeps a model from inventing in the first place."""
