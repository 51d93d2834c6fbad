"""Imprimatur: the licensing layer between a language model and its reader."""
