"""Functions that tests ask: each by its name, beside what `ask` has to find."""

import inspect

from asked import faulty, never_untrue, refuted, reported, second_probes

MODULES = {"never": never_untrue, "refuted": refuted, "second": second_probes}


def _of(module):
    """Return the functions of a module that take query, key and value."""
    found = {}
    for name, f in vars(module).items():
        if inspect.isfunction(f) and f.__module__ == module.__name__:
            first = list(inspect.signature(f).parameters)[:3]
            if first in (["q", "k", "v"], ["query", "key", "value"]):
                found[name] = f
    return found


FUNCTIONS = {
    **{f"faulty: {name}": f for name, f in faulty.FAULTY.items()},
    **{
        f"{short}: {name}": f
        for short, module in MODULES.items()
        for name, f in _of(module).items()
    },
    **{f"reported: {name}": f for name, f in reported.REPORTED.items()},
    **{f"second: {name}": f for name, f in second_probes.SECOND.items()},
}
