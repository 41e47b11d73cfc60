"""Run a study, show what it found, or fit a fragility curve to counts.

  nscd study run STUDY.json --out DIR [--workers N | --scheduler ADDRESS]
  nscd study show DIR [--run N]
  nscd study fit COUNTS.csv                columns level, collapses, runs

A study that was interrupted goes on where it ended: run it again with the same folder.
"""

import argparse
import csv
import re
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence

from compas_nscd.cli.options.outputs import write_text
from compas_nscd.cli.options.progress import Interrupted, Progress
from compas_nscd.client.engine import Engine
from compas_nscd.errors import FileError, InputError
from compas_nscd.files.text import read_text
from compas_nscd.report.page import render_report
from compas_nscd.report.study_page import render_study, study_pictures
from compas_nscd.studies.statistics.curves import fragility
from compas_nscd.studies.statistics.fragility import CONFIDENCE, REPLICATES, Fragility, fit_counts
from compas_nscd.studies.study import Study
from compas_nscd.studies.study_file import read_folder, read_study
from compas_nscd.studies.table import Table

#: Columns of a file of counts.
COLUMNS = ("level", "collapses", "runs")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command: a subcommand for each verb."""
    verbs = parser.add_subparsers(dest="verb", metavar="run|show|fit")
    verbs.required = True
    run = verbs.add_parser("run", help="compute the runs of a study file")
    run.add_argument("file", metavar="STUDY.json")
    run.add_argument("--out", metavar="DIR", required=True, help="folder of the runs and of the table")
    where = run.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, metavar="N", help="local processes (default: one per core)")
    where.add_argument("--scheduler", metavar="ADDRESS", help="of Dask, e.g. tcp://10.0.0.1:8786")
    show = verbs.add_parser("show", help="tell what a study found, and write its page")
    show.add_argument("folder", metavar="DIR")
    show.add_argument("--run", dest="number", type=int, metavar="N", help="compute run N again, and write its own page")
    fit = verbs.add_parser("fit", help="fit a fragility curve to counts")
    fit.add_argument("file", metavar="COUNTS.csv")
    for verb in (show, fit):
        verb.add_argument("--replicates", type=int, default=REPLICATES, metavar="N", help="of the bootstrap")
        verb.add_argument("--seed", type=int, default=0, help="of the bootstrap")
    for verb in (run, show, fit):
        for flag in ("--json", "--quiet"):  # also accepted after the verb
            verb.add_argument(flag, action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(options: Namespace) -> Dict[str, Any]:
    """Run, show or fit."""
    verbs: Dict[str, Callable[[Namespace], Dict[str, Any]]] = {"run": _run, "show": _show, "fit": _fit}
    return verbs[options.verb](options)


def _run(options: Namespace) -> Dict[str, Any]:
    study = read_study(options.file)
    progress = Progress(options.quiet)
    counts: Dict[str, Any] = {"done": 0, "failed": 0}

    def watch(status: Dict[str, Any]) -> None:
        counts.update(status)
        progress(status)

    try:
        outcome = study.run(out=options.out, workers=options.workers, scheduler=options.scheduler, progress=watch)
    except KeyboardInterrupt:
        done = counts["done"] - counts["failed"]
        raise Interrupted({"interrupted": True, "done": done, "failed": counts["failed"], "out": options.out})
    finally:
        progress.close()
    if not options.json:
        print(
            "{}: {} runs, {} failed, {} were on disk".format(study.name, outcome.runs, outcome.failed, outcome.reused)
        )
        print("  {:.1f} s with {} workers -> {}".format(outcome.wall_s, outcome.workers, outcome.folder / "table.csv"))
        _print_errors(outcome.table)
    return outcome.to_data()


def _print_errors(table: Table, most: int = 3) -> None:
    """Print the errors that some runs ended with, each once."""
    errors: Dict[str, int] = {}
    for row in table:
        if row["error"]:
            errors[row["error"]] = errors.get(row["error"], 0) + 1
    for text, count in list(errors.items())[:most]:
        print("  {} of them: {}".format(count, text))


def _show(options: Namespace) -> Dict[str, Any]:
    study, table = read_folder(options.folder)
    if options.number is not None:
        return _show_run(options, study, table)
    curves = _curves(study, table, options)
    page = Path(options.folder) / "study.html"
    write_text(page, render_study(study, table, curves))
    for name, drawn in study_pictures(study, table, curves).items():
        write_text(page.parent / (re.sub(r"[^\w-]+", "-", name).strip("-") + ".svg"), drawn)
    failed = len(table) - len(table.done)
    if not options.json:
        print("{}: {} runs, {} failed, {} collapse".format(
            study.name, len(table), failed, sum(row["collapse"] for row in table.done)
        ))  # fmt: skip
        for name, curve in curves.items():
            print("  {}: {}".format(name, curve if isinstance(curve, str) else _words(curve)))
        print("  page: {}".format(page))
    answers = {name: {"error": each} if isinstance(each, str) else _data(each) for name, each in curves.items()}
    return {
        "runs": len(table), "done": len(table.done), "failed": failed, "columns": table.columns,
        "fragility": answers, "page": str(page),
    }  # fmt: skip


def _curves(study: Study, table: Table, options: Namespace) -> Dict[str, Any]:
    """Fragility of every limit state of a study with ground motions; text where the runs determine none."""
    found: Dict[str, Any] = {}
    for name in study.limits if study.motions else ():
        try:
            found[name] = fragility(study, table, name, options.replicates, options.seed)
        except InputError as error:
            found[name] = str(error)
    return found


def _show_run(options: Namespace, study: Study, table: Table) -> Dict[str, Any]:
    """Compute one run again, and write its page."""
    if not 0 <= options.number < len(table):
        raise InputError("There is no run {}.".format(options.number), remedy="Runs: 0 to {}.".format(len(table) - 1))
    row = table.rows[options.number]
    with Engine(python=options.python) as engine:
        result = study.result(row, engine)
    folder = Path(options.folder) / "pages"
    folder.mkdir(exist_ok=True)
    page = folder / "{}.html".format(row["key"])
    write_text(page, render_report(result))
    if not options.json:
        print("run {}: {} -> {}".format(options.number, "collapse" if row["collapse"] else "stands", page))
    return {"run": options.number, "key": row["key"], "collapse": bool(row["collapse"]), "page": str(page)}


def _fit(options: Namespace) -> Dict[str, Any]:
    levels, collapses, runs = read_counts(Path(options.file))
    curve = fit_counts(levels, collapses, runs, options.replicates, options.seed)
    if not options.json:
        print(_words(curve))
    return dict(_data(curve), levels=len(levels), runs=int(sum(runs)))


def read_counts(path: Path) -> List[List[float]]:
    """Levels, collapses and runs of a CSV file with these columns.

    Raises
    ------
    FileError
        Naming the column or the line.
    """
    rows = list(csv.DictReader(read_text(path).splitlines(), skipinitialspace=True))
    names = [] if not rows else [str(name).strip().lower() for name in rows[0]]
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        remedy = "The first line is level,collapses,runs."
        raise FileError("{} has no column {}.".format(path.name, ", ".join(missing)), remedy=remedy)
    table: List[List[float]] = [[], [], []]
    for k, row in enumerate(rows):
        cells = {str(name).strip().lower(): cell for name, cell in row.items()}
        for column, name in zip(table, COLUMNS):
            column.append(_number(cells[name], path.name, k + 2))
    return table


def _number(cell: Any, name: str, line: int) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError):
        raise FileError("Line {} of {}: {!r:.40} is not a number.".format(line, name, cell), line=line)


def _data(curve: Fragility) -> Dict[str, Any]:
    """Curve and bands as plain data."""
    data: Dict[str, Any] = {"median": curve.median, "dispersion": curve.dispersion, "method": curve.method}
    data["band"] = None
    if curve.replicates is not None:
        levels: Sequence[float] = [curve.median * 2.0 ** (0.25 * k) for k in range(-8, 9)]
        low, high = curve.band(levels)
        rows = zip(levels, low.tolist(), curve.probability(levels).tolist(), high.tolist())
        data["band"] = dict(
            curve.interval(),
            confidence=CONFIDENCE,
            replicates=len(curve.replicates),
            curve=[dict(zip(("level", "low", "probability", "high"), row)) for row in rows],
        )
    return data


def _words(curve: Fragility) -> str:
    text = "median {:.5g}, dispersion {:.5g}".format(curve.median, curve.dispersion)
    if curve.replicates is not None:
        ends = curve.interval()
        pattern = ", {:.0f} % between {:.4g} and {:.4g}, {:.4g} and {:.4g}"
        text += pattern.format(100 * CONFIDENCE, *ends["median"], *ends["dispersion"])
    return text
