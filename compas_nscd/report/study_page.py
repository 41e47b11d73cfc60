"""The page of a study: its curves, each point leading to its run, and the table of all runs."""

from html import escape
from pathlib import Path
from typing import Any, Dict, List, Mapping, Union

import numpy as np

from compas_nscd import __version__
from compas_nscd.drawing.study_plots import Point, draw_fragility, draw_hunts, draw_spectra
from compas_nscd.loads.intensity import history
from compas_nscd.loads.records import G
from compas_nscd.loads.response_spectrum import response_spectrum
from compas_nscd.studies.plans import HuntAndFill
from compas_nscd.studies.statistics.curves import stripes
from compas_nscd.studies.statistics.fragility import Fragility
from compas_nscd.studies.study import Study
from compas_nscd.studies.table import Table

#: Most rows of the table in the page; the file table.csv has all.
MOST_ROWS = 5000
#: Most motions whose spectra are drawn, and the periods of the spectra [s].
MOST_SPECTRA, PERIODS = 60, np.linspace(0.05, 3.0, 60)
#: Units of the measures of intensity.
UNITS = {"pga": "g", "pgv": "m/s", "pgd": "m", "arias": "m/s", "sa": "g", "rocking": "-"}

#: A curve, or why there is none.
Curve = Union[Fragility, str]


def render_study(study: Study, table: Table, curves: Mapping[str, Curve]) -> str:
    """Return the page of a study.

    Parameters
    ----------
    study : Study
    table : Table
    curves : dict
        Limit state -> Fragility, or text where there is none.

    Returns
    -------
    str
        HTML.
    """
    style = (Path(__file__).parent / "data" / "study.css").read_text(encoding="utf-8")
    parts = ["<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>", escape(study.name), "</title>"]
    parts += [
        "<style>",
        style,
        "</style></head><body>",
        "<h1>{}</h1>".format(escape(study.name)),
        _summary(study, table),
    ]
    parts += [_section(study, table, name, curve) for name, curve in curves.items()]
    parts += [_hunts(study, table), _spectra(study), _rows(study, table)]
    parts.append("<p class='soft'>compas_nscd {}</p></body></html>\n".format(__version__))
    return "".join(parts)


def measure_name(study: Study) -> str:
    """Name of the intensity of a study, with its unit."""
    kind, _, number = study.intensity.partition(":")
    names = {"sa": "Sa({} s)".format(number), "rocking": "PGV p/g"}
    return "{} [{}]".format(names.get(kind, kind.upper() if len(kind) == 3 else kind), UNITS[kind])


def _summary(study: Study, table: Table) -> str:
    failed = len(table) - len(table.done)
    falls = sum(row["collapse"] for row in table.done)
    line = "<p>{} runs of the analysis {}: {} collapse, {} stand, {} failed.</p>"
    return line.format(len(table), study.analysis_name, falls, len(table.done) - falls, failed)


def _section(study: Study, table: Table, name: str, curve: Curve) -> str:
    head = "<h2>Fragility: {}</h2>".format(escape(name))
    if isinstance(curve, str):
        return head + "<p>{}</p>".format(escape(curve))
    shares: List[Point] = []
    if not isinstance(study.levels, HuntAndFill) and study.levels is not None:
        for stripe in stripes(table, study.limits[name]):
            title = "{} of {} at {:g}".format(stripe.reached, stripe.runs, stripe.level)
            shares.append(
                Point(stripe.level, stripe.reached / stripe.runs, True, "#level-{:g}".format(stripe.level), title)
            )
    text = "Median {:.4g}, dispersion {:.4g}".format(curve.median, curve.dispersion)
    if curve.replicates is not None:
        ends = curve.interval()
        text += "; 90 % of the bootstrap: {:.4g} to {:.4g}, {:.4g} to {:.4g}".format(
            *ends["median"], *ends["dispersion"]
        )
    drawn = draw_fragility(curve, shares, measure_name(study), "Probability of {}".format(name))
    return "{}<p>{}.</p><figure>{}</figure>".format(head, text, drawn)


def _hunts(study: Study, table: Table) -> str:
    """Level over drift or displacement of every record."""
    measure = next((name for name in ("drift", "max_displacement") if name in study.keep), None)
    if not study.motions or measure is None:
        return ""
    hunts: Dict[Any, List[Point]] = {}
    for row in table.done:
        if row.get(measure) is not None:
            mark = (row["motion"], *(repr(row[name]) for name in study.vary))
            title = "run {}: {}, {:.4g}".format(row["run"], row["motion"], row["level"])
            point = Point(row[measure], row["level"], bool(row["collapse"]), "#run-{}".format(row["run"]), title)
            hunts.setdefault(mark, []).append(point)
    if not hunts:
        return ""
    cut = _cut([point for hunt in hunts.values() for point in hunt])
    lines = [[p._replace(x=min(p.x, cut)) for p in sorted(hunt, key=lambda p: p.y)] for hunt in hunts.values()]
    drawn = draw_hunts(lines, (measure, measure_name(study)), "Every run")
    note = "<p class='soft'>Red: collapse. Displacements of collapsed runs are cut at {:.3g}.</p>".format(cut)
    return "<h2>Runs</h2><figure>{}</figure>{}".format(drawn, note)


def _cut(points: List[Point]) -> float:
    """Value at which what has collapsed is drawn: what stands would vanish beside it."""
    stands = [point.x for point in points if not point.falls]
    return 1.5 * max(stands) if stands and max(stands) > 0.0 else max(point.x for point in points)


def _spectra(study: Study) -> str:
    tables = [motion for motion in study.motions if motion.kind == "table"][:MOST_SPECTRA]
    if not tables:
        return ""
    spectra = np.array([response_spectrum(*history(each), PERIODS).acceleration / G for each in tables])
    drawn = draw_spectra(PERIODS, spectra, "Unscaled records, 5 % damping")
    return "<h2>Ground motions</h2><figure>{}</figure>".format(drawn)


def _rows(study: Study, table: Table) -> str:
    """Table of the runs; a row leads to the page of its run, which `nscd study show DIR --run N` makes."""
    columns = [name for name in table.columns if name != "key"]
    head = "".join("<th>{}".format(escape(name)) for name in columns)
    lines, seen = [], set()
    for row in table.rows[:MOST_ROWS]:
        level = row.get("level")
        anchor = "" if level is None or level in seen else "<a id='level-{:g}'></a>".format(level)
        seen.add(level)
        cells = "".join("<td>{}".format(_cell(row, name)) for name in columns)
        kind = "fail" if row["error"] else "falls" if row["collapse"] else ""
        lines.append("<tr id='run-{}' class='{}'>{}{}</tr>".format(row["run"], kind, cells, anchor))
    more = (
        "" if len(table) <= MOST_ROWS else "<p class='soft'>The first {} rows; table.csv has all.</p>".format(MOST_ROWS)
    )
    note = (
        "<p class='soft'>The number of a run leads to its own page, once `nscd study show DIR --run N` has made it.</p>"
    )
    return "<h2>Table</h2>{}<table><tr>{}</tr>{}</table>{}".format(note, head, "".join(lines), more)


def _cell(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if name == "run":
        return "<a href='pages/{}.html'>{}</a>".format(row["key"], value)
    if value is None:
        return ""
    return "{:.5g}".format(value) if isinstance(value, float) else escape(str(value))
