"""Figure: heads, and the columns each one takes."""
