"""What is kept and shown of a report: the run log, traces and metrics, the page."""
