"""Figure: two heads that learn to copy."""
