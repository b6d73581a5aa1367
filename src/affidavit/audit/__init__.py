"""Recorded runs in bulk: batches that can be interrupted, and conformance with the specification."""
