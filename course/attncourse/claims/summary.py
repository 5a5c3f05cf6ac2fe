"""The totals, and the form that narrows the tables down."""

from collections import Counter

from .posts import POSTS
from .table import LABELS


class Totals:
    """How many claims of each post have which verdict."""

    def __init__(self, results):
        counts = Counter((r.claim.post, r.verdict) for r in results)
        self.rows = [[f"post {p}", *(counts[p, v] for v in LABELS)] for p in POSTS]
        sums = [sum(row[i] for row in self.rows) for i in range(1, len(LABELS) + 1)]
        self.rows.append(["all", *sums])
        self.rows = [[*row, sum(row[1:])] for row in self.rows]
        self.heads = ["", *LABELS.values(), "claims"]

    def __repr__(self):
        lines = [self.heads, *self.rows]
        widths = [max(len(str(line[i])) for line in lines) for i in range(6)]
        return "\n".join(
            "  ".join(str(c).rjust(w) for c, w in zip(line, widths, strict=True))
            for line in lines
        )

    def _repr_html_(self):
        heads = "".join(f'<th scope="col">{head}</th>' for head in self.heads[1:])
        rows = "".join(
            f'<tr><th scope="row">{name}</th>'
            + "".join(f"<td>{count}</td>" for count in counts)
            + "</tr>"
            for name, *counts in self.rows
        )
        return (
            '<table class="aw-totals"><caption>Claims by post and verdict</caption>'
            f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        )


class Filters:
    """The form that narrows the tables down; claims-filter.js shows and runs it."""

    def __repr__(self):
        return "(filters, on the published page)"

    def _repr_html_(self):
        posts = "".join(f'<option value="{p}">Post {p}</option>' for p in POSTS)
        boxes = "".join(
            f'<label><input type="checkbox" name="verdict" value="{verdict}" checked>'
            f" {label}</label>"
            for verdict, label in LABELS.items()
        )
        return (
            '<form id="aw-claims-filter" class="aw-claims-filter" hidden>'
            '<label>Show <select name="post"><option value="">all posts</option>'
            f"{posts}</select></label>"
            f"<fieldset><legend>Verdicts</legend>{boxes}</fieldset>"
            '<button type="reset">Show everything</button>'
            '<p role="status"></p></form>'
        )
