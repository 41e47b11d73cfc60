"""One self-contained HTML page per result: verdict, 3D view, charts, accuracy, and a table of all joints.

Verdict and key figures are written as HTML, so that they can be read without the script; `data/report.js` (built from
`web/`) draws the rest from the arrays that `page_data` packs into the page.
"""

import platform
import re
from html import escape
from pathlib import Path
from typing import List, Optional, Sequence, Tuple, Union

import compas
import numpy as np

from compas_nscd import __version__
from compas_nscd.drawing.load_curve import draw_curve
from compas_nscd.drawing.picture import draw_quasistatic
from compas_nscd.drawing.polar_plot import draw_polar
from compas_nscd.drawing.quasistatic_layout import displacement_words
from compas_nscd.drawing.static_layout import YIELDS
from compas_nscd.report.page_data import dynamic_content, pack, static_content
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.limit import LimitResult
from compas_nscd.results.quasistatic import QuasistaticResult
from compas_nscd.results.static import StaticResult

DATA = Path(__file__).parent / "data"

#: What a result is -> its headline. `wedged` is stable, but not assured.
ANSWERS = {"stable": "It stands", "wedged": "It stands only if clamped", "collapse": "It falls"}
MEANINGS = {
    "stable": "The joints can carry the loads.",
    "wedged": "A balance exists, but nothing produces the clamping that it needs.",
    "collapse": "No forces in the joints can balance the loads.",
}
#: What a result is if it neither stands without reserve nor falls: its headline is amber.
AMBER = ("wedged", "displaced", "moving")
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
#: Verdict of a quasi-static analysis -> what its page looks like.
QUASISTATIC = {"balance": "stable", "mechanism": "collapse", "not_converged": "wedged"}
#: What the accuracy of a static analysis is measured by.
UNBALANCED = "Worst block out of balance, of its weight"
#: Most blocks of a picture inside a page. More: a page of many megabytes.
MOST_DRAWN = 500
#: Side of the polar diagram [px].
POLAR = 308
#: Width and height of a load-displacement curve [px].
CURVE = (308, 220)
#: Reason for the end of a motion -> its words.
ENDS = {
    "duration": "as asked",
    "rest": "all at rest",
    "cancelled": "cancelled",
    "not_finite": "then it has no finite solution",
}
#: Times of a motion -> their words.
TIMES = {"collapse_time": "Falls at", "displaced_time": "Displaced since", "rest_time": "At rest since"}

#: Name and value of a figure.
Figure = Tuple[str, str]
AnyResult = Union[StaticResult, DynamicResult]


def render_report(result: AnyResult) -> str:
    """Return the page of a result.

    Parameters
    ----------
    result : StaticResult, LimitResult, QuasistaticResult or DynamicResult

    Returns
    -------
    str
        HTML.
    """
    dynamic = isinstance(result, DynamicResult)
    header, arrays = (dynamic_content if dynamic else static_content)(result)
    key, trust, subtitle = (_dynamic_words if dynamic else _static_words)(result)
    text, blob = pack(header, arrays)
    kind = _kind(result)
    answer, meaning = _answer(result, kind), _meaning(result, kind)
    if isinstance(result, (LimitResult, QuasistaticResult)):
        key, answer, meaning = result.figures + key, result.headline, result.words
    words = {
        "title": escape(header["name"]),
        "subtitle": escape(subtitle) + _warning_link(result.warnings),
        "verdict": kind + (" amber" if kind in AMBER else ""),
        "analysis": header["analysis"],
        "answer": escape(answer),
        "meaning": escape(meaning),
        "key": _pairs(key),
        "polar": _growth(result) if isinstance(result, QuasistaticResult) else _polar(result),
        "trust": _pairs(trust + _versions()),
        "warnings": _warnings(result.warnings),
        "header": text,
        "arrays": blob,
        "style": _data("report.css"),
        "script": _data("report.js"),
    }
    # One pass, so that inserted text is not searched again.
    return re.sub(r"\{\{(\w+)\}\}", lambda found: words[found.group(1)], _data("report.html"))


def _data(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def _kind(result: AnyResult) -> str:
    """The verdict; `wedged` if it is stable, but not assured; the outcome of a motion that stands."""
    if isinstance(result, DynamicResult):
        return result.verdict if result.outcome in ("stands", "fallen") else result.outcome
    if isinstance(result, QuasistaticResult):
        return QUASISTATIC[result.verdict]
    wedged = isinstance(result, StaticResult) and result.stands and result.assured is False
    return "wedged" if wedged else result.verdict


def _answer(result: AnyResult, kind: str) -> str:
    return "It " + result.words[0] if isinstance(result, DynamicResult) else ANSWERS[kind]


def _meaning(result: AnyResult, kind: str) -> str:
    words = result.words[1] if isinstance(result, DynamicResult) else MEANINGS[kind]
    first = result.first_to_move(3)
    return "{} First to move: {}.".format(words, ", ".join(str(name) for name in first)) if first else words


def _static_words(result: StaticResult) -> Tuple[List[Figure], List[Figure], str]:
    """Key figures, figures of accuracy, and the line under the title."""
    s, time = result.summary, result.summary["time"]
    horizontal, vertical = float(np.linalg.norm(s["support_reaction"][:2])), s["support_reaction"][2]
    key = [
        ("Weight of the free blocks", _kilonewtons(s["weight_total"])),
        ("Support reaction, vertical", _kilonewtons(vertical)),
    ]
    if horizontal > 1e-6 * max(abs(s["weight_total"]), 1e-300):
        key.append(("Support reaction, horizontal", _kilonewtons(horizontal)))
    if result.verdict == "stable":
        key.append(("Worst block out of balance", _power(s["unbalanced_max"], 0) + " of its weight"))
    key += _elastic(result) + _cables(result, result.cable_force)
    slow = isinstance(result, QuasistaticResult)
    trust = [
        ("Worst error, of the mean contact force" if slow else UNBALANCED, _power(s["unbalanced_max"])),
        ("Residual of the solver", _power(s["residual"])),
        ("Deepest overlap of blocks", _length(s["penetration_max"])),
        ("Solver", "{}, {} iterations".format(s["solver"], s["iterations"])),
        ("Contact points", "{}".format(s["contacts"])),
        ("Contacts found in", "{:.1f} ms".format(1e3 * time["detect_s"])),
        ("Solved in", "{:.1f} ms".format(1e3 * time["solve_s"])),
    ]
    return key, trust, "{} blocks, {} free, {} joints".format(s["blocks"], s["free_blocks"], s["interfaces"])


def _elastic(result: AnyResult) -> List[Figure]:
    """Displacement and stresses of deformable blocks, if there are any."""
    found = result.summary["elastic"]
    if found is None:
        return []
    stress = "{:.3g} to {:.3g} MPa".format(1e-6 * found["stress_min"], 1e-6 * found["stress_max"]).replace("-", "−")
    figures = [("Greatest elastic displacement", _length(found["displacement_max"])), ("Principal stress", stress)]
    return figures + ([("Cracked blocks", str(len(found["cracked"])))] if found["cracked"] else [])


def _dynamic_words(result: DynamicResult) -> Tuple[List[Figure], List[Figure], str]:
    """Key figures, figures of accuracy, and the line under the title."""
    s = result.summary
    key = [
        ("Followed for", "{:.3g} s, {}".format(s["simulated_s"], ENDS.get(s["ended"], s["ended"]))),
        ("Greatest displacement", _length(s["max_displacement"])),
    ]
    key += [(words, "{:.3g} s".format(s[name])) for name, words in TIMES.items() if s[name] is not None]
    key += _elastic(result)
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
        ("Steps beyond the tolerance", _unsolved(s)),
    ]
    return key, trust, "{} blocks, {} free, in motion".format(s["blocks"], s["free_blocks"])


def _unsolved(summary: dict) -> str:
    """Number of steps that were not solved to the tolerance, and the worst of them."""
    if not summary["unconverged"]:
        return "none"
    worst = summary["unconverged_residual"]
    residual = "not finite" if worst is None else _power(worst)
    text = "{} of {}, worst residual {} at {:.3g} s"
    return text.format(summary["unconverged"], summary["steps"], residual, summary["unconverged_time"])


def _cables(result: AnyResult, force: Optional[np.ndarray]) -> List[Figure]:
    """Greatest of the cable forces (K,) [N], and the number of yielding cables."""
    if force is None or not len(force):
        return []
    cables, most = result.cables, int(np.argmax(force))
    at_most = [np.inf if each.strength is None else each.strength for each in cables]
    yielding = int((force >= YIELDS * np.array(at_most)).sum())
    text = "{}, {}".format(_kilonewtons(force[most]), cables[most].label(most))
    return [("Greatest force of a cable", text + (", {} of {} yield".format(yielding, len(force)) if yielding else ""))]


def _versions() -> List[Figure]:
    versions = (("compas_nscd", __version__), ("compas", compas.__version__), ("numpy", np.__version__))
    return [
        ("Versions", ", ".join("{} {}".format(*pair) for pair in versions)),
        ("Python", platform.python_version()),
    ]


def _kilonewtons(force: float) -> str:
    return "{:#.5g} kN".format(force / 1e3)


def _power(value: float, digits: int = 1) -> str:
    """A number, with a power of ten (4.2 × 10⁻¹¹) if it is very large or small."""
    if value == 0.0 or 1e-3 <= abs(value) < 1e3:
        return "{:.{}g}".format(value, digits + 1)
    mantissa, _, power = "{:.{}e}".format(value, digits).partition("e")
    return "{} × 10{}".format(mantissa, str(int(power)).translate(RAISED))


def _length(value: float) -> str:
    """A length in m or mm."""
    if value == 0.0:
        return "none"
    if abs(value) < 1e-6:
        return "{} mm".format(_power(1e3 * value))
    return "{:.3g} m".format(value) if abs(value) >= 0.9995 else "{:.3g} mm".format(1e3 * value)


def _pairs(pairs: Sequence[Figure]) -> str:
    return "".join("<div><dt>{}</dt><dd>{}</dd></div>".format(*map(escape, pair)) for pair in pairs)


def _polar(result: AnyResult) -> str:
    """Polar diagram of a limit that has one, as wide as its panel."""
    if not isinstance(result, LimitResult) or not np.isfinite(result.direction_multipliers).any():
        return ""
    return "<h2>Greatest horizontal acceleration</h2>" + draw_polar(result, POLAR, inline=True)


def _growth(result: QuasistaticResult) -> str:
    """Load-displacement curve, displaced blocks, contact forces and moments, as wide as their panel."""
    parts = []
    if len(result.history_factor):
        curve = draw_curve([("", result)], size=CURVE, inline=True)
        parts.append("<h2>Load and displacement<small>share of the load</small></h2>" + curve)
    if len(result.structure) <= MOST_DRAWN:
        words = "<p class='hint'>Arrows: forces, arcs: moments; {}.</p>".format(displacement_words(result))
        drawn = draw_quasistatic(result, CURVE[0], inline=True)
        parts.append("<h2>Contact forces and moments</h2>" + drawn + words)
    return "".join(parts)


def _warning_link(warnings: Sequence[dict]) -> str:
    if not warnings:
        return ""
    return ", <a href='#trust'>{} {}</a>".format(len(warnings), "warning" if len(warnings) == 1 else "warnings")


def _warnings(warnings: Sequence[dict]) -> str:
    if not warnings:
        return "<p class='fine'>No warnings about the geometry.</p>"
    items = "".join("<li>{}</li>".format(escape(str(warning["message"]))) for warning in warnings)
    return "<ul class='warnings'>{}</ul>".format(items)
