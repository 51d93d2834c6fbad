"""SHACL compiled into look-ups: shapes are read once, and each claim is checked at the focus nodes that it can change.

The door is ``imprimatur.sources.graph.shapes.Shapes``. W3C SHACL Core and simple ``sh:sparql`` queries are compiled
here; what cannot be compiled is judged by pySHACL, per shape, and is listed (``Shapes.ways``).
"""
