"""Labelled claims and questions made from any knowledge base, for measuring on one's own domain without labels."""
