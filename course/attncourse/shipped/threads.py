"""The list of the bugs: who shipped them and when, and where it was reported."""

import html


class Threads:
    """A list of bugs with their threads, in words and in HTML.

    Parameters
    ----------
    bugs : dict of str to Bug
    """

    def __init__(self, bugs):
        self.bugs = bugs

    def __repr__(self):
        lines = (
            f"{bug.name}: {bug.project} ({bug.released}). {', '.join(bug.threads)}"
            for bug in self.bugs.values()
        )
        return "\n".join(lines)

    def _repr_html_(self):
        items = "".join(map(_item, self.bugs.values()))
        return f'<ul class="aw-threads">{items}</ul>'


def _item(bug):
    told = ", ".join(
        f'<a href="{address}">{html.escape(thread)}</a>'
        for thread, address in zip(bug.threads, bug.addresses, strict=True)
    )
    name, project, released = map(html.escape, (bug.name, bug.project, bug.released))
    return f"<li><strong>{name}</strong>: {project} ({released}). {told}</li>"
