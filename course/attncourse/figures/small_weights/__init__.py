"""The figure of FP8: which weights of a row become 0, and what a factor changes."""
