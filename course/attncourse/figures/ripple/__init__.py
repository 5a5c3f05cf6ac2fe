"""Figure: one word is changed, and the rows that change with it light up."""
