"""Status fields, and fields that are yes or no."""
