"""Measuring: verdicts against labelled claims, and speed against plain baselines in the same run."""
