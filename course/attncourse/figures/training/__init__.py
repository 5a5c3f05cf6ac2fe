"""Figure: weights while they are learned."""
