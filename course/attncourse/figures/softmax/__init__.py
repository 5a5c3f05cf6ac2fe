"""Figure: scores become weights."""
