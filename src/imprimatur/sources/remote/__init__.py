"""Facts from a graph that is elsewhere: a client for SPARQL endpoints that speak as Wikidata's does.

What is fetched is written down as triples with labels, and judged from there like any other graph: nothing is licensed
by asking a server. A server that fails, or that gives less than all, gives nothing.
"""
