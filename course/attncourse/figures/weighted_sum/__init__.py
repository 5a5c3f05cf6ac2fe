"""Figure: the output between the values."""
