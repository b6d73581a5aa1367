"""The sections of the page, each drawn from the view as HTML."""
