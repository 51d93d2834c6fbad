"""Passages: documents cut into passages and sentences with their places, an index of them, and finding what to compare.

What is found is only proposed: whether a sentence bears a claim out is for the judge to say. Nothing here reads a
claim, raises a verdict, or fetches anything. A document's text is data, whatever it says.

For the judge: ``retriever`` (what to ask, and what is given), ``passage`` (passages and sentences), ``given`` (the
passages that come with one call), ``library`` (``open_passages``: those of a knowledge base).
"""
