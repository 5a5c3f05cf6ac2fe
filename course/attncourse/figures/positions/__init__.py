"""Figure: positional encodings."""
