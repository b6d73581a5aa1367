"""Limits and order: below and above, before and after, rising and falling, still in time."""
