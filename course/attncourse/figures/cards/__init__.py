"""The figures of the cards: few states, a function of each; no script of their own."""
