"""Figure: a query in the plane, and the output that it brings home."""
