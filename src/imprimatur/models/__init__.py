"""Language models: the one way in which Imprimatur asks any.

``asking`` has the values and protocols; ``served`` asks a server that speaks OpenAI's protocol (the extra
``models``), ``local`` runs weights on this machine (the extra ``local``), and ``opening`` opens what a configuration
names. ``structured`` gets JSON that follows a schema out of any model, ``budget`` says how much may be asked,
``recorded`` keeps answers and gives them again, ``prompts`` has the texts that models are sent. What a model says is
text to be judged: nothing here raises a verdict.
"""
