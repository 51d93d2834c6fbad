"""Placeholder, written next."""
