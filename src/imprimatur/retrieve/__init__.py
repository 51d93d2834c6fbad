"""Retrieval: finding evidence for a question, and deciding before anything is written whether it is enough."""
