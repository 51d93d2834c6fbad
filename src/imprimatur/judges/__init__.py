"""Trained judges: models that look once more at what sources found supported, and may only lower the verdict.

A judge is loaded from a folder or reached at an address that imprimatur.yaml names; nothing is ever downloaded, no code
from a model's folder is run, and no pickle is opened. ``opening`` opens what is configured, ``panel`` asks all judges
and says what became of each claim; ``tokens``, ``pairs``, ``nli`` and ``llm`` are the kinds; ``folder``, ``encoding``
and ``networks`` are what the first three stand on, ``chat`` is what the last one does.
"""
