"""Bugs that shipped in well-known projects: each as meant and as released.

`bugs.toml` tells where and when, with the threads; where a keyword of attnlib makes
the difference, which. `attention` has the others, `unlabeled` three that the reader
finds alone: all are pairs of functions of query, key and value. `probes` has the inputs
that tell them apart.
"""

from .catalog import BUGS, Bug, Threads
from .probes import PROBES, tells_apart

__all__ = ["BUGS", "PROBES", "Bug", "Threads", "tells_apart"]
