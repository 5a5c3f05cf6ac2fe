"""The figure of lesson 16: what comes out of a black box, for what you put in."""
