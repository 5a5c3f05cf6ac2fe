"""Figure: scores with and without the scale."""
