"""Imprimatur: the licensing layer between a language model and its reader."""

__version__ = "0.1.0"
