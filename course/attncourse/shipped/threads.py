"""The table of the bugs: who shipped them and when, and where it is told."""

import html


class Threads:
    """A table of bugs with their threads, in words and in HTML.

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
        rows = "".join(map(_row, self.bugs.values()))
        heads = "".join(f"<th>{head}</th>" for head in ("bug", "where", "when", "told"))
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _row(bug):
    told = ", ".join(
        f'<a href="{address}">{html.escape(thread)}</a>'
        for thread, address in zip(bug.threads, bug.addresses, strict=True)
    )
    cells = (html.escape(bug.name), html.escape(bug.project), html.escape(bug.released))
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in (*cells, told))}</tr>"
