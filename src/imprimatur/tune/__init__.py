"""Fine-tuning of a model by adapters (LoRA), on data made from a knowledge base: the recipes of the paper, repeatable."""
