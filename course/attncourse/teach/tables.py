"""Results of grading: a table for the gradebook, and a page to read."""

import csv
import html
from collections.abc import Iterable
from io import StringIO
from pathlib import Path

from attncourse.teach import paper
from attncourse.teach.class_of import Class, File
from attncourse.teach.handed_in import counted
from attncourse.teach.roster import Student

STYLE = Path(__file__).with_name("page.css")
FIRST = ("score", "max_score", "percent_correct", "timestamp", "file")
LAST = ("problem",)
NOTHING = "nothing handed in"
WALLS = (
    "Every answer was run again, in a process of its own for each file. A right answer "
    "counts because of the numbers that it gave for inputs drawn while grading, "
    "compared outside that process. What an answer says of its own mistakes, of how "
    "much memory it holds, or of who does its work is taken from inside. Who finds a "
    "hole in the kernel gets out; grade files of strangers in a virtual machine, as a "
    "user without rights."
)


def as_csv(graded: Class) -> str:
    """Write a row for each file; the names of columns are nbgrader's where it has one.

    An exercise's column holds its points, 0, or nothing where it was not answered. With
    a deadline, `late` says by how much. Who is in the class list and has handed in
    nothing has a row, too; a list with names has them stand here.
    """
    out = StringIO()
    table = csv.writer(out, lineterminator="\n")
    late = ["late"] if graded.deadline else []
    who = _who(graded, "student_id", Student("", "name"))
    table.writerow([*who, *FIRST, *graded.exercises, *late, *LAST])
    most = sum(graded.weights.values())
    for file in graded.files:
        score = file.score(graded.weights)
        own = [_point(file, name, graded.weights) for name in graded.weights]
        percent = f"{100 * score / most:.1f}" if most else ""
        when = file.handed_in.saved_at if file.handed_in else ""
        row = [*_who(graded, file.student, file.listed), f"{score:g}"]
        row += [f"{most:g}", percent, when, file.name]
        row += [*own, *([file.late_by] if graded.deadline else []), file.problem]
        table.writerow([_harmless(x) for x in row])
    for student in graded.missing:
        row = [*_who(graded, student.id, student), "0"]
        row += [f"{most:g}", "0.0" if most else "", "", ""]
        row += ["" for _ in (*graded.weights, *([0] if graded.deadline else []))]
        table.writerow([_harmless(x) for x in (*row, NOTHING)])
    return out.getvalue()


def _who(graded: Class, student_id: str, listed: Student | None) -> list[str]:
    """Return who it is: the id, and the name where the class list has names."""
    name = [listed.name if listed else ""] if graded.has_names else []
    return [student_id, *name]


def _point(file: File, exercise: str, weights: dict[str, float]) -> str:
    best = file.best(exercise)
    if best is None or best.state == "open":
        return ""
    return f"{weights[exercise] * (best.state == 'right'):g}"


def _harmless(x: object) -> str:
    """Keep a spreadsheet from reading a name as a formula."""
    text = str(x)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def as_page(graded: Class) -> str:
    """Write the page: who has what, which mistakes, who is stuck where, near copies."""
    parts = [
        f"<p>{counted(len(graded.files), 'file')}, "
        f"{counted(len(graded.exercises), 'exercise')}, {_points(graded)}. "
        "Of several answers to one exercise a right one counts.</p>",
        *_section("Nothing handed in", _missing(graded)),
        *_section("Which mistakes", _mistakes(graded)),
        *_section("Who is stuck where", _stuck(graded)),
        *_section("Near copies", _pairs(graded)),
        *_section("Worth a look", _odd(graded)),
        *_section("Every file", _files(graded)),
        f"<h2>What this shows, and what not</h2><p>{WALLS}</p>",
        f"<p>The walls that stood: {_e(_walls(graded))}.</p>",
    ]
    return page_of("Handed in", parts)


def page_of(title: str, parts: Iterable[str]) -> str:
    """Return an HTML document under a heading."""
    return paper.page(title, (f"<main><h1>{title}</h1>", *parts, "</main>"), STYLE)


def _points(graded: Class) -> str:
    """Say what each counts."""
    if set(graded.weights.values()) <= {1.0}:
        return "a point each"
    each = (f"{name} {points:g}" for name, points in graded.weights.items())
    return f"with points: {', '.join(each)}"


def _missing(graded: Class) -> list[list[str]]:
    rows = [[_e(one.id), _e(one.name)] for one in graded.missing]
    return [["student", "name"], *rows]


def _e(x: object) -> str:
    return html.escape(str(x))


def _section(title: str, rows: list[list[str]]) -> list[str]:
    """Write a table under a title; its first row is the head. Nothing if empty."""
    if len(rows) < 2:
        return []
    head = "".join(f'<th scope="col">{x}</th>' for x in rows[0])
    body = "\n".join(
        "<tr>" + "".join(f"<td>{x}</td>" for x in row) + "</tr>" for row in rows[1:]
    )
    return [
        f'<h2>{title}</h2><div class="wide" tabindex="0"><table><thead><tr>{head}</tr>'
        f"</thead><tbody>\n{body}\n</tbody></table></div>"
    ]


def _mistakes(graded: Class) -> list[list[str]]:
    rows = [["exercise", "mistake", "files", "what they read"]]
    for name, count in graded.mistakes().items():
        for code, n in count.most_common():
            said = _said(graded, name, code)
            rows.append([f"<code>{name}</code>", _code(code), str(n), _e(said)])
    return rows


def _said(graded: Class, exercise: str, code: str) -> str:
    """Return the message of one who made a mistake."""
    for file in graded.files:
        best = file.best(exercise)
        for found, message in best.findings if best else ():
            if found == code:
                return message if len(message) < 240 else f"{message[:240]}…"
    return ""


def _code(code: str) -> str:
    return f"<code>{_e(code)}</code>"


def _stuck(graded: Class) -> list[list[str]]:
    rows = [["exercise", "right", "not yet", "who"]]
    for name, who in graded.stuck().items():
        right = sum(file.is_right(name) for file in graded.files)
        names = _e(", ".join(who))
        if len(who) > 12:
            names = f"<details><summary>{len(who)} names</summary>{names}</details>"
        rows.append([f"<code>{name}</code>", str(right), str(len(who)), names])
    return rows


def _pairs(graded: Class) -> list[list[str]]:
    rows = [["exercise", "file", "file", "alike"]]
    for name, first, second, share in graded.pairs:
        rows.append([_code(name), _e(first), _e(second), f"{100 * share:.0f}%"])
    return rows


def _odd(graded: Class) -> list[list[str]]:
    rows = [["file", "what happened"]]
    twice = graded.twice()
    for file in graded.files:
        what = [file.problem] if file.problem else []
        if graded.listed and not file.listed:
            what.append(f"{file.student} is not in the class list")
        what += [f"late, by {file.late_by}"] if file.late_by else []
        if graded.deadline and file.handed_in and not file.handed_in.saved_at:
            what.append("it does not say when it was saved")
        if file.student in twice:
            what.append(f"another file is of {file.student} as well")
        for one in file.run.graded:
            name = one.answer.exercise
            if one.answer.claimed and one.state not in ("right", "unknown"):
                why = "it needs what is refused here" if one.tried else one.state
                what.append(f"{name}: the file says right; it is not ({why})")
            if one.state in ("stopped", "forged"):
                what += [f"{name}: {message}" for _, message in one.findings]
            elif one.state in ("unknown", "not run"):
                what.append(f"{name}: {'no such exercise' if name else 'no name'}")
            what += [f"{name}: {one.by} does the work"] if one.by else []
            what += [f"{name} tried: {tried}" for tried in one.tried[:3]]
        rows += [[_e(file.name), "<br>".join(map(_e, what))]] if what else []
    return rows


def _files(graded: Class) -> list[list[str]]:
    names = [f"<code>{name}</code>" for name in graded.exercises]
    rows = [[*_who(graded, "student", Student("", "name")), "points", *names]]
    for file in graded.files:
        cells = []
        for name in graded.exercises:
            best = file.best(name)
            state = best.state if best else ""
            codes = ", ".join(code for code, _ in best.findings) if best else ""
            mark = {"right": "✓", "": "", "open": "○"}.get(state, "✗")
            cells.append(f'<span class="{state}" title="{_e(codes)}">{mark}</span>')
        points = f"{file.score(graded.weights):g}/{sum(graded.weights.values()):g}"
        who = _who(graded, file.student, file.listed)
        rows.append([*map(_e, who), points, *cells])
    return rows


def _walls(graded: Class) -> str:
    walls = dict.fromkeys(wall for file in graded.files for wall in file.run.walls)
    return ", ".join(walls) or "none were needed"
