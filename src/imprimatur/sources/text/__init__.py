"""Claims compared with evidence in text: what memory entries and passages have in common."""
