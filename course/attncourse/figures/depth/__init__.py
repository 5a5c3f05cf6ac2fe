"""Figure: what many layers do to the rows of a sentence."""
