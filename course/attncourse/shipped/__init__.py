"""Bugs that shipped in well-known projects: each as meant and as released.

`bugs.toml` tells where and when, with the threads; `attention` has the twelve that
lesson 17 shows, `lately` nine of 2026, `unlabeled` three that the reader finds alone,
each a pair of functions of query, key and value; `probes` has the inputs that tell them
apart.
"""

from .catalog import BUGS, Bug, Threads
from .probes import PROBES, tells_apart

__all__ = ["BUGS", "PROBES", "Bug", "Threads", "tells_apart"]
