"""From a question to a licensed answer: evidence, gate, generation, and the five stages."""
