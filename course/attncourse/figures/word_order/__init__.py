"""Figure: words dragged into another order, and their outputs."""
