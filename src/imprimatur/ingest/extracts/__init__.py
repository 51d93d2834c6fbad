"""Extracts of SPARQL endpoints: a part of a large graph, fetched once, written down, and judged by from then on.

What is asked for (``queries``) comes in pages that are kept (``asking``), so that an extract that was stopped goes on
where it was; ``statements`` reads facts with ranks, times and units, ``writing`` makes the knowledge base's folder.
"""
