"""Fine-tuning of a model by adapters (LoRA), on data made from a knowledge base: the paper's recipes, repeatable."""
