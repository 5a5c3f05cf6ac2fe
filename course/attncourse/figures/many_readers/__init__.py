"""Beside lesson 14: when a batch of texts stops waiting for memory."""
