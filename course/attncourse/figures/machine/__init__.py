"""Figure: the whole step with its numbers, one more piece of it in each lesson."""
