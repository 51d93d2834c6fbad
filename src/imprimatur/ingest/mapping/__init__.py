"""Structured files to facts: a mapping in a short form of YAML, or in RML, says which cells make which triples.

The short form is run by ``facts`` over the rows that ``sources`` streams; RML is checked (``rml_reading``) and run by
morph-kgc in a process of its own (``engine``). Both give quads whose graph is the place of the row.
"""
