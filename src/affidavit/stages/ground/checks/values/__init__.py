"""Whether each value of a claim is in the evidence, in the row, the field or the sentence that the claim means."""
