"""TeQHallu: documents become a relational database by a model's SQL, and SELECTs fact-check a response.

The method of Vukovic et al. (“Leveraging Low-Level Symbolic Competences for Unsupervised Grounding in Hallucination
Detection”): five prompting steps (inspect tables; query what exists; create and insert; SELECTs for the response's
claims; a final judgement) beside an initial direct prediction. It stands here to be measured, and as a judge that may
lower; it licenses nothing. ``pipeline`` runs it, ``kinds`` names its switches, ``found`` has what comes out. All that a
model writes is held against something: SQL against the sandbox, quotations against their texts, numbers of rows against
the words that they are said to come from, the last word against what the queries gave.
"""
