"""Figure: the steps of one encoder layer."""
