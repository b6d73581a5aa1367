"""The report as a page: one HTML file in which each claim is shown against its evidence."""

from affidavit.records.page.document import render_page as render_page

__all__ = ["render_page"]
