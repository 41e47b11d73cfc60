"""The page of a study: its curves, each point leading to its run, and the table of all runs."""

from html import escape
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Union

import numpy as np

from compas_nscd import __version__
from compas_nscd.drawing.study_plots import Point, draw_fragility, draw_hunts, draw_spectra
from compas_nscd.loads.intensity import history
from compas_nscd.loads.records import G
from compas_nscd.loads.response_spectrum import response_spectrum
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


def study_pictures(study: Study, table: Table, curves: Mapping[str, Curve]) -> Dict[str, str]:
    """Curves of a study as SVG documents.

    Parameters
    ----------
    study : Study
    table : Table
    curves : dict
        Limit state -> Fragility, or text where there is none.

    Returns
    -------
    dict
        fragility-NAME, runs and spectra, as far as the study has them.
    """
    found = {"fragility-" + name: _fragility(study, table, name, curve) for name, curve in curves.items()}
    found.update(runs=_hunts(study, table), spectra=_spectra(study))
    return {name: drawn for name, drawn in found.items() if drawn}


def render_study(study: Study, table: Table, curves: Mapping[str, Curve]) -> str:
    """Return the page of a study; the arguments are those of `study_pictures`.

    Returns
    -------
    str
        HTML.
    """
    style = (Path(__file__).parent / "data" / "study.css").read_text(encoding="utf-8")
    drawn = study_pictures(study, table, curves)
    parts = ["<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>", escape(study.name), "</title>"]
    parts += ["<style>", style, "</style></head><body>", "<h1>{}</h1>".format(escape(study.name))]
    parts.append(_summary(study, table))
    for name, curve in curves.items():
        parts += ["<h2>Fragility: {}</h2><p>{}</p>".format(escape(name), escape(_words(curve)))]
        parts.append(_figure(drawn.get("fragility-" + name)))
    if "runs" in drawn:
        parts += ["<h2>Runs</h2>", _figure(drawn["runs"]), "<p class='soft'>Red: collapse, drawn at the right end.</p>"]
    if "spectra" in drawn:
        parts += ["<h2>Ground motions</h2>", _figure(drawn["spectra"])]
    parts += [_rows(table), "<p class='soft'>compas_nscd {}</p></body></html>\n".format(__version__)]
    return "".join(parts)


def _figure(drawn: Optional[str]) -> str:
    return "" if drawn is None else "<figure>{}</figure>".format(drawn)


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


def _words(curve: Curve) -> str:
    """A curve in a sentence."""
    if isinstance(curve, str):
        return curve
    text = "Median {:.4g}, dispersion {:.4g}".format(curve.median, curve.dispersion)
    if curve.replicates is None:
        return text + "."
    ends = curve.interval()
    pattern = "{}; 90 % of the bootstrap: {:.4g} to {:.4g}, {:.4g} to {:.4g}."
    return pattern.format(text, *ends["median"], *ends["dispersion"])


def _fragility(study: Study, table: Table, name: str, curve: Curve) -> str:
    if isinstance(curve, str):
        return ""
    shares: List[Point] = []
    if isinstance(study.levels, list):
        for stripe in stripes(table, study.limits[name]):
            title = "{} of {} at {:g}".format(stripe.reached, stripe.runs, stripe.level)
            link = "#level-{:g}".format(stripe.level)
            shares.append(Point(stripe.level, stripe.reached / stripe.runs, True, link, title))
    return draw_fragility(curve, shares, measure_name(study), "Probability of {}".format(name))


def _hunts(study: Study, table: Table) -> str:
    """Level over drift or displacement of every run, a line for each record; empty without motions."""
    measure = next((name for name in ("drift", "max_displacement") if name in study.keep), "")
    hunts: Dict[Any, List[Point]] = {}
    for row in table.done if study.motions and measure else ():
        if row.get(measure) is not None:
            mark = (row["motion"], *(repr(row[name]) for name in study.vary))
            title = "run {}: {}, {:.4g}".format(row["run"], row["motion"], row["level"])
            point = Point(row[measure], row["level"], bool(row["collapse"]), "#run-{}".format(row["run"]), title)
            hunts.setdefault(mark, []).append(point)
    if not hunts:
        return ""
    cut = _cut([point for hunt in hunts.values() for point in hunt])
    lines = [[p._replace(x=min(p.x, cut)) for p in sorted(hunt, key=lambda p: p.y)] for hunt in hunts.values()]
    return draw_hunts(lines, (measure, measure_name(study)), "Every run")


def _cut(points: List[Point]) -> float:
    """Value at which what has collapsed is drawn: what stands would vanish beside it."""
    stands = [point.x for point in points if not point.falls]
    return 1.5 * max(stands) if stands and max(stands) > 0.0 else max(point.x for point in points)


def _spectra(study: Study) -> str:
    tables = [motion for motion in study.motions if motion.kind == "table"][:MOST_SPECTRA]
    if not tables:
        return ""
    spectra = np.array([response_spectrum(*history(each), PERIODS).acceleration / G for each in tables])
    return draw_spectra(PERIODS, spectra, "Unscaled records, 5 % damping")


def _rows(table: Table) -> str:
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
