"""Extractors: models that say, beside the reader, which claims a text makes.

They propose; the reader reads back (``reading_back``). Imports nothing by itself: torch, GLiNER and the client of model
servers are imported when an extractor that needs them is opened.
"""
