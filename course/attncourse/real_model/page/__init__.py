"""The model in the page: weights rounded to int8, run by JavaScript in a worker.

quantize.py rounds the weights, and pack.py writes them as scripts that a page can load
from a host or from a folder. wordpiece.js, weights.js, encoder.js and model.js are the
model; worker.js runs it, and client.js is what a figure imports.
"""
