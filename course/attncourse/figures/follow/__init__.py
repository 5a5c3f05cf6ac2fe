"""Figure: one word followed through all steps."""
