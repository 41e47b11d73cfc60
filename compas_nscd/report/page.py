"""One self-contained HTML page per result: verdict, 3D view, charts, how far to trust it, and every joint.

Words and numbers that matter are written here, so that they can be read without the script; `data/report.js` (built
from `web/`) draws the rest from the arrays that `report_data` packs into the page.
"""

import platform
import re
from html import escape
from pathlib import Path

import compas
import numpy as np

from compas_nscd import __version__
from compas_nscd.drawing.polar_plot import draw_polar
from compas_nscd.drawing.static_layout import YIELDS
from compas_nscd.report.page_data import dynamic_content, pack, static_content
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.limit import LimitResult

DATA = Path(__file__).parent / "data"

ANSWERS = {"stable": "It stands", "collapse": "It falls"}
MEANINGS = {
    ("static", "stable"): "The joints can carry the loads.",
    ("static", "collapse"): "No forces in the joints can balance the loads.",
    ("dynamic", "stable"): "It is still standing at the end of the motion.",
    ("dynamic", "collapse"): "It collapses during the motion.",
}
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
#: Side of the polar diagram [px].
POLAR = 308
ENDS = {"duration": "as asked", "rest": "all at rest", "cancelled": "cancelled"}


def render_report(result):
    """The page as text.

    Parameters
    ----------
    result : StaticResult, LimitResult or DynamicResult

    Returns
    -------
    str
    """
    dynamic = isinstance(result, DynamicResult)
    header, arrays = (dynamic_content if dynamic else static_content)(result)
    key, trust, subtitle = (_dynamic_words if dynamic else _static_words)(result)
    text, blob = pack(header, arrays)
    answer, meaning = ANSWERS[result.verdict], _meaning(result, header)
    if isinstance(result, LimitResult):
        key, answer, meaning = result.figures + key, result.headline, result.words
    words = {
        "title": escape(header["name"]),
        "subtitle": escape(subtitle) + _warning_link(result.warnings),
        "verdict": result.verdict,
        "analysis": header["analysis"],
        "answer": escape(answer),
        "meaning": escape(meaning),
        "key": _pairs(key),
        "polar": _polar(result),
        "trust": _pairs(trust + _versions()),
        "warnings": _warnings(result.warnings),
        "header": text,
        "arrays": blob,
        "style": _data("report.css"),
        "script": _data("report.js"),
    }
    # One pass, so that nothing that is put in is looked at again.
    return re.sub(r"\{\{(\w+)\}\}", lambda found: words[found.group(1)], _data("report.html"))


def _data(name):
    return (DATA / name).read_text(encoding="utf-8")


def _meaning(result, header):
    words = MEANINGS[header["analysis"], result.verdict]
    first = result.first_to_move(3)
    return "{} First to move: {}.".format(words, ", ".join(str(name) for name in first)) if first else words


def _static_words(result):
    """Key figures, figures of trust, and the line under the title."""
    s, time = result.summary, result.summary["time"]
    horizontal, vertical = np.linalg.norm(s["support_reaction"][:2]), s["support_reaction"][2]
    key = [
        ("Weight of the free blocks", _kilonewtons(s["weight_total"])),
        ("Support reaction, vertical", _kilonewtons(vertical)),
    ]
    if horizontal > 1e-6 * max(abs(s["weight_total"]), 1e-300):
        key.append(("Support reaction, horizontal", _kilonewtons(horizontal)))
    if result.verdict == "stable":
        key.append(("Worst block out of balance", _power(s["unbalanced_max"], 0) + " of its weight"))
    key += _cables(result, result.cable_force)
    trust = [
        ("Worst block out of balance, of its weight", _power(s["unbalanced_max"])),
        ("Residual of the solver", _power(s["residual"])),
        ("Deepest overlap of blocks", _length(s["penetration_max"])),
        ("Solver", "{}, {} iterations".format(s["solver"], s["iterations"])),
        ("Contact points", "{}".format(s["contacts"])),
        ("Contacts found in", "{:.1f} ms".format(1e3 * time["detect_s"])),
        ("Solved in", "{:.1f} ms".format(1e3 * time["solve_s"])),
    ]
    return key, trust, "{} blocks, {} free, {} joints".format(s["blocks"], s["free_blocks"], s["interfaces"])


def _dynamic_words(result):
    s = result.summary
    key = [
        ("Followed for", "{:.3g} s, {}".format(s["simulated_s"], ENDS.get(s["ended"], s["ended"]))),
        ("Greatest displacement", _length(s["max_displacement"])),
    ]
    if s["collapse_time"] is not None:
        key.append(("Falls at", "{:.3g} s".format(s["collapse_time"])))
    if "cable_forces" in result.arrays:
        key += _cables(result, result.cable_forces.max(axis=0))
    trust = [
        ("Deepest overlap of blocks", _length(s["penetration_max"])),
        ("Time step", "{:.3g} ms, {} steps".format(1e3 * s["time_step"], s["steps"])),
        (
            "Solver",
            "{}, {:.1f} iterations a step, {} at most".format(s["solver"], s["iterations_mean"], s["iterations_max"]),
        ),
        ("Friction", str(s["friction"])),
        ("Contact points", "{} at most".format(s["contacts_max"])),
    ]
    return key, trust, "{} blocks, {} free, in motion".format(s["blocks"], s["free_blocks"])


def _cables(result, force):
    """The cable that pulls most, of forces (K,) [N], and how many yield."""
    if force is None or not len(force):
        return []
    cables, most = result.case.cables, int(np.argmax(force))
    at_most = [np.inf if each.strength is None else each.strength for each in cables]
    yielding = int((force >= YIELDS * np.array(at_most)).sum())
    text = "{}, {}".format(_kilonewtons(force[most]), cables[most].label(most))
    return [("Greatest force of a cable", text + (", {} of {} yield".format(yielding, len(force)) if yielding else ""))]


def _versions():
    versions = (("compas_nscd", __version__), ("compas", compas.__version__), ("numpy", np.__version__))
    return [
        ("Versions", ", ".join("{} {}".format(*pair) for pair in versions)),
        ("Python", platform.python_version()),
    ]


def _kilonewtons(force):
    return "{:#.5g} kN".format(force / 1e3)


def _power(value, digits=1):
    """A number as people write it, 4.2 × 10⁻¹¹, unless it needs no power."""
    if value == 0.0 or 1e-3 <= abs(value) < 1e3:
        return "{:.{}g}".format(value, digits + 1)
    mantissa, _, power = "{:.{}e}".format(value, digits).partition("e")
    return "{} × 10{}".format(mantissa, str(int(power)).translate(RAISED))


def _length(value):
    """A length in the unit that gives it few digits."""
    if value == 0.0:
        return "none"
    return "{:.3g} m".format(value) if abs(value) >= 0.9995 else "{:.3g} mm".format(1e3 * value)


def _pairs(pairs):
    return "".join("<div><dt>{}</dt><dd>{}</dd></div>".format(*map(escape, pair)) for pair in pairs)


def _polar(result):
    """The polar diagram of a limit that has one, as wide as its panel."""
    if not isinstance(result, LimitResult) or not np.isfinite(result.direction_multipliers).any():
        return ""
    return "<h2>Greatest horizontal acceleration</h2>" + draw_polar(result, POLAR, inline=True)


def _warning_link(warnings):
    if not warnings:
        return ""
    return ", <a href='#trust'>{} {}</a>".format(len(warnings), "warning" if len(warnings) == 1 else "warnings")


def _warnings(warnings):
    if not warnings:
        return "<p class='fine'>No warnings about the geometry.</p>"
    items = "".join("<li>{}</li>".format(escape(str(warning["message"]))) for warning in warnings)
    return "<ul class='warnings'>{}</ul>".format(items)
