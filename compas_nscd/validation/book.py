"""The book of validation: outcomes as one HTML page, and as tables of Markdown for the docs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Any

from compas_nscd import __version__
from compas_nscd.validation.case import KINDS, Comparison, Outcome

#: Words for an outcome, and its class in the page.
WORDS = {True: ("agrees", "pass"), False: ("differs", "fail"), None: ("left out", "none")}
STYLE = """
body{max-width:64em;margin:2em auto;padding:0 1em;background:#faf8f3;color:#2b2926}
body{font:15px/1.5 "Segoe UI",Arial,sans-serif}
h1{font-weight:600}h2{margin-top:2.2em;border-bottom:1px solid #d9d2c3}
article{margin:1.4em 0;padding:.2em 1.2em 1em;background:#fffdf9;border:1px solid #e2dccf;border-left:5px solid #8d8a83}
article.pass{border-left-color:#2f6b3a}article.fail{border-left-color:#b8431f}
h3 span{float:right;font-weight:400;color:#6d685f}.fail h3 span{color:#b8431f}.pass h3 span{color:#2f6b3a}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:.15em .8em .15em 0;text-align:left}
th{color:#6d685f;font-weight:400}tr.fail td{color:#b8431f}p.soft{color:#6d685f;font-size:13px;margin:.3em 0}
figure{display:inline-block;margin:.4em 1em .4em 0}figure svg{max-width:26em;height:auto}
"""


def render_book(outcomes: Sequence[Outcome]) -> str:
    """The book as one self-contained HTML page."""
    parts = ["<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>Validation</title>"]
    parts += [
        "<style>",
        STYLE,
        "</style></head><body><h1>Book of validation</h1>",
        "<p>{}</p>".format(summary(outcomes)),
    ]
    for chapter, cases in groupby(outcomes, lambda outcome: outcome.case.chapter):
        parts.append("<h2>{}</h2>".format(escape(chapter)))
        parts += [_article(outcome) for outcome in cases]
    return "\n".join([*parts, "</body></html>\n"])


def summary(outcomes: Sequence[Outcome]) -> str:
    """One sentence: how many agree."""
    counts = [sum(outcome.passed is word for outcome in outcomes) for word in (True, False, None)]
    line = "compas_nscd {}: {} cases agree with their references, {} differ, {} were left out."
    return line.format(__version__, *counts)


def _article(outcome: Outcome) -> str:
    case, (word, mark) = outcome.case, WORDS[outcome.passed]
    head = "<h3 id='{0}'>{0} {1} <span>{2}, {3:.1f} s</span></h3>".format(
        case.id, escape(case.title), word, outcome.time_s
    )
    rows = "".join(_row(row) for row in outcome.comparisons)
    table = "<table><tr><th>quantity<th>reference<th>computed<th>error<th>tolerance</tr>{}</table>".format(rows)
    notes = "".join("<p class='soft'>{}</p>".format(escape(note)) for note in notes_of(outcome))
    pictures = "".join("<figure>{}</figure>".format(_inline(svg)) for svg in outcome.pictures)
    text = "<p>{}</p>".format(escape(case.description))
    return "<article class='{}'>{}{}{}{}{}</article>".format(mark, head, text, table if rows else "", notes, pictures)


def _row(row: Comparison) -> str:
    cells = "".join("<td>{}".format(escape(cell)) for cell in cells_of(row))
    return "<tr class='{}'>{}</tr>".format("pass" if row.passed else "fail", cells)


def cells_of(row: Comparison) -> list[str]:
    """Quantity, reference, computed, error and tolerance of a comparison as text."""
    scale, unit = (100.0, " %") if row.relative else (1.0, "")
    numbers = ["{:.2g}{}".format(scale * value, unit) for value in (row.error, row.tolerance)]
    return [row.quantity, short(row.reference), short(row.computed), *numbers]


def notes_of(outcome: Outcome) -> Iterator[str]:
    """Sentences about the reference, the tolerance and what the model leaves out."""
    case = outcome.case
    kinds = ", ".join(KINDS[letter] for letter in case.kind.split())
    yield "Reference ({}): {}.".format(kinds, case.source.rstrip("."))
    yield "Tolerance: {}.".format(case.reason.rstrip("."))
    if case.others:
        yield "Others: {}.".format(case.others.rstrip("."))
    if case.leaves_out:
        yield "The model leaves out: {}.".format(case.leaves_out.rstrip("."))
    if outcome.left_out:
        yield "Left out here: it {}.".format(outcome.left_out)
    if outcome.failure:
        yield "It could not be computed: {}".format(outcome.failure)


def _inline(svg: str) -> str:
    """An SVG document as part of a page, scaled by its style."""
    svg = re.sub(r"^<\?xml.*?\?>", "", svg.strip())
    wide, high = re.findall(r'(?:width|height)="(\d+)"', svg)[:2]
    if "viewBox" in svg[: svg.index(">")]:
        return svg
    return svg.replace("<svg ", '<svg viewBox="0 0 {} {}" '.format(wide, high), 1)


def render_tables(outcomes: Sequence[Outcome]) -> str:
    """The chapters as Markdown: one table each, a row for every quantity."""
    parts = [summary(outcomes) + "\n"]
    for chapter, cases in groupby(outcomes, lambda outcome: outcome.case.chapter):
        parts.append("## {}\n".format(chapter))
        for outcome in cases:
            parts += _section(outcome)
    return "\n".join(parts)


def _section(outcome: Outcome) -> list[str]:
    case = outcome.case
    lines = ["### {} {}: {}\n".format(case.id, case.title, WORDS[outcome.passed][0]), case.description + "\n"]
    if outcome.comparisons:
        lines += ["| quantity | reference | computed | error | tolerance |", "|---|---|---|---|---|"]
        for row in outcome.comparisons:
            cells = " | ".join(cell.replace("|", "/") for cell in cells_of(row))
            lines.append("| {} |{}".format(cells, "" if row.passed else " **differs**"))
        lines.append("")
    return [*lines, " ".join(notes_of(outcome)) + "\n"]


def short(value: Any) -> str:
    """A value as text: six digits, ranges with "to"."""
    if isinstance(value, (tuple, list)):
        return " to ".join(short(item) for item in value)
    if value is None:
        return "no answer"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "{:.6g}".format(value) if isinstance(value, float) else str(value)
