"""Statements in prose judged by a table as a whole: a shallow reader beside the grammar (decision 28)."""
