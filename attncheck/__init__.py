"""Ask any attention what it computes, and read any run of it."""

from attncheck.ask import ask
from attncheck.layers import layers
from attncheck.read_run import read_run
from attncheck.report import Problem, Report

__all__ = ["Problem", "Report", "ask", "layers", "read_run"]

__version__ = "0.1.0"
