"""Figure: two places on the clocks of their positional encodings."""
