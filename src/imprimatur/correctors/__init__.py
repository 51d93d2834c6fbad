"""Correctors: what proposes other words for a segment that no stored value puts right.

Invariant: what a corrector says is data. It is taken only as edits of the segment that it was asked about, and only
where the segment, read anew in its place, is licensed (``imprimatur.correcting``).
"""
