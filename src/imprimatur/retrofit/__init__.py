"""Retrofitting by a graph (KGR): extract, detect, select, verify, retrofit, again and again, until every claim agrees.

After “Mitigating Large Language Model Hallucinations via Autonomous Knowledge Graph-based Retrofitting”. Each stage is
done by a model (``asked``, or ``single`` in one dialogue) or by the graph (``by_graph``). What comes out is a text that
nobody licenses here: who releases it has the five stages judge it first (``generate.revising``).
"""
