"""Attention in float64 with every convention as a field: right ones and wrong ones."""
