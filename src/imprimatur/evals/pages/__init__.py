"""Outcomes of evaluations as a page for a browser, and as Markdown."""
