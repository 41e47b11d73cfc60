"""The report of a check as one HTML page: every finding drawn in place, and listed with its blocks and numbers."""

from html import escape
from typing import Any, Dict, List, Sequence

from compas_nscd.drawing.check_layout import KINDS, findings
from compas_nscd.drawing.picture import draw_findings
from compas_nscd.drawing.svg import hex_colour
from compas_nscd.model.structure import Structure

#: Most rows of a list on the page. More: the page of a bad drawing is slow.
MOST_ROWS = 500
#: Views of the drawing: azimuth and elevation of the eye [degrees].
VIEWS = ((35.0, 25.0), (215.0, 25.0))
_STYLE = """body{font:15px/1.5 "Helvetica Neue",Arial,sans-serif;margin:2rem auto;max-width:1000px;color:#333}
table{border-collapse:collapse}td{padding:.1rem .8rem .1rem 0;vertical-align:top}svg{max-width:100%;height:auto}
h2{font-size:1.1rem;margin:1.5rem 0 .3rem}.mark{display:inline-block;width:.8em;height:.8em;margin-right:.5em}"""


def render_check(structure: Structure, report: Dict[str, Any]) -> str:
    """Return the page of the report of `Engine.check`.

    Parameters
    ----------
    structure : Structure
    report : dict

    Returns
    -------
    str
        HTML without references to other files.
    """
    found = findings(report)
    title = escape(str(structure.name))
    head = "{} blocks, {} joints, {} contacts".format(len(structure), report["interfaces"], report["contacts"])
    pictures = [draw_findings(structure, report, view=view) for view in VIEWS] if len(structure) else []
    parts = ["<h1>{}</h1><p>{}. {}</p>".format(title, head, _verdict(found, report)), _warnings(report["warnings"])]
    parts += pictures
    parts += [_list(kind, items) for kind, items in found.items()]
    parts.append(_left_out(structure))
    body = "\n".join(parts)
    page = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{}</title><style>{}</style></head>'
    return page.format(title, _STYLE) + "<body>{}</body></html>".format(body)


def _verdict(found: Dict[str, List[Any]], report: Dict[str, Any]) -> str:
    if not found and not report["warnings"]:
        return "All is well."
    needed = report.get("gap_needed")
    closes = " A gap of {:.4g} mm closes all open joints.".format(1e3 * needed) if needed is not None else ""
    return "{} kinds of findings.".format(len(found)) + closes


def _warnings(warnings: Sequence[Dict[str, Any]]) -> str:
    rows = "".join("<li>{}</li>".format(escape(str(warning["message"]))) for warning in warnings)
    return "<h2>Warnings</h2><ul>{}</ul>".format(rows) if rows else ""


def _list(kind: str, items: Sequence[Any]) -> str:
    words, colour = KINDS[kind]
    rows = "".join("<tr>{}</tr>".format(_cells(item)) for item in items[:MOST_ROWS])
    more = "<p>and {} more</p>".format(len(items) - MOST_ROWS) if len(items) > MOST_ROWS else ""
    mark = '<span class="mark" style="background:{}"></span>'.format(hex_colour(colour))
    return "<h2>{}{} ({})</h2><table>{}</table>{}".format(mark, escape(words), len(items), rows, more)


def _cells(item: Any) -> str:
    values = item if isinstance(item, (list, tuple)) else [item]
    shown = ("{:.4g}".format(value) if isinstance(value, float) else str(value) for value in values)
    return "".join("<td>{}</td>".format(escape(value)) for value in shown)


def _left_out(structure: Structure) -> str:
    rows = "".join("<tr>{}</tr>".format(_cells(list(each))) for each in structure.left_out[:MOST_ROWS])
    return "<h2>Left out</h2><table>{}</table>".format(rows) if rows else ""
