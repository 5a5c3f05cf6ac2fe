"""A layer, drawn: who meets whom, and the ramp that tidies."""
