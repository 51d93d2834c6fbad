"""Statements in prose held against tables: which cells and columns their words mean, and what they say of them."""
