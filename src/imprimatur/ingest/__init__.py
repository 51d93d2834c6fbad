"""From documents, tables and models to facts: proposed, held against an ontology, reviewed, applied.

Nothing here judges an answer; what it writes is files that a knowledge base names, each with its trust class.
"""
