"""Figure: guess what a head of the real model looks at; then change a word."""
