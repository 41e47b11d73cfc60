"""Measure: process, contact detection, solvers, Grasshopper; with --peers, other codes beside ours in the same run.

Times are the best of five, warm; read ratios rather than seconds, machines differ and are busy. The structures come
from the templates; the scenes in a folder named with --scenes (by default shared/scenes beside the checkout, where
there is one) are measured too. Motions (--only dynamic) are followed once: 0.2 g at 1 Hz along x.
"""

import os
import platform
import time
from pathlib import Path

from compas_nscd import measure, measure_detect, measure_dynamic, measure_limit, measure_live, measure_results
from compas_nscd.cli.options.progress import Progress
from compas_nscd.client.engine import Engine
from compas_nscd.model.structure import Structure
from compas_nscd.templates import arch, dome, wall

#: Structures that are always measured, by the name of the scene they stand for.
MADE = {
    "arch-semi-20": lambda: arch(span=10.0, thickness=0.75, blocks=20),
    "wall-10x10": lambda: wall(10, 10),
    "wall-20x25": lambda: wall(25, 20),
    "dome-1000": lambda: dome(courses=25, sectors=40),
    "wall-40x50": lambda: wall(50, 40),
    "wall-100x100": lambda: wall(100, 100),
}
#: Scenes read from files where these are at hand.
READ = ("spandrel", "barrel-vault", "cylinder")
#: Only these are given to the slower codes.
WITH_PEERS = ("arch-semi-20", "wall-10x10", "wall-20x25", "spandrel")
GROUPS = ("process", "detect", "solve", "grasshopper", "results", "limit")
#: Measured only if asked for: it takes minutes.
LONG = ("dynamic",)
#: Structures that a group is measured with, unless all: whose slider is moved; whose results are written.
CHOSEN = {
    "grasshopper": ("arch-semi-20", "wall-20x25", "spandrel"),
    "results": ("arch-semi-20", "spandrel", "wall-40x50"),
    "limit": ("arch-semi-20", "wall-10x10", "spandrel"),
}
#: Structures whose motion at rest is measured with `detect`.
RESTING = ("wall-20x25", "spandrel")


def add_arguments(parser):
    parser.add_argument("--peers", action="store_true", help="other codes beside ours (pip install compas_nscd[bench])")
    parser.add_argument("--only", choices=GROUPS + LONG, help="one group of measurements")
    parser.add_argument("--scenes", metavar="DIR", help="folder of scene files")
    parser.add_argument("--scene", metavar="NAME", help="one structure alone")
    parser.add_argument("--repeat", type=int, default=5, metavar="N")


def run(options):
    progress = Progress(options.quiet)
    answer = {"date": time.strftime("%Y-%m-%d"), "machine": machine()}
    groups = [options.only] if options.only else GROUPS
    scenes = list(_scenes(options))
    with Engine(python=options.python, reuse=False) as engine:
        progress.say("warming up")
        engine.warm(progress=progress)
        if "process" in groups:
            progress.say("process")
            answer["process"] = measure.process(engine)
        for group, function in (
            ("detect", measure.detection),
            ("solve", measure.solution),
            ("grasshopper", measure_live.slider),
            ("results", measure_results.results),
            ("limit", measure_limit.limits),
        ):
            if group in groups:
                answer[group] = []
                for name, structure in scenes:
                    if name not in CHOSEN.get(group, (name,)):
                        continue
                    progress.say("{} {}".format(group, name))
                    answer[group].append(dict(function(engine, structure, options.repeat), scene=name))
        if "limit" in groups:
            answer["limit"].append(measure_limit.polar(engine, options.repeat))
        if "detect" in groups and options.scene is None:
            answer["growth"] = measure_detect.growth(engine, options.repeat, progress)
        if "detect" in groups:
            answer["at rest"] = measure_detect.resting(engine, dict(_resting(scenes, options)), progress)
        if "dynamic" in groups:
            answer["dynamic"] = measure_dynamic.motions(engine, dict(scenes), progress)
            if options.peers:
                answer["peers"] = measure_dynamic.peers(engine, dict(scenes), progress)
        elif options.peers:
            answer["peers"] = _peers(engine, scenes, options.repeat, progress)
    progress.close()
    if not options.json:
        _print(answer)
    return answer


def machine():
    """What the figures were measured on."""
    return "{}, {} cores, Python {}".format(platform.machine(), os.cpu_count(), platform.python_version())


def _scenes(options):
    folder = Path(options.scenes) if options.scenes else Path("..") / "shared" / "scenes"
    for name, make in MADE.items():
        if options.scene in (None, name):
            yield name, make()
    for name in READ:
        path = folder / (name + ".json")
        if path.exists() and options.scene in (None, name):
            yield name, Structure.from_file(path)


def _resting(scenes, options):
    """What is followed at rest, the largest wall among it unless one structure was asked for."""
    yield from ((name, structure) for name, structure in scenes if name in RESTING)
    if options.scene is None:
        yield "wall-124x160", wall(*measure_detect.WALLS[-1])


def _peers(engine, scenes, repeat, progress):
    rows = []
    for name, structure in scenes:
        if name in WITH_PEERS:
            progress.say("peers on {}".format(name))
            rows += [dict(row, scene=name) for row in measure.peers(engine, structure, repeat)]
    return rows


def _print(answer):
    print("{date}, {machine}".format(**answer))
    for group, rows in answer.items():
        if isinstance(rows, dict):
            print("\n{}".format(group))
            for key, value in rows.items():
                print("  {:28s} {:10.3f}".format(key, value))
        elif isinstance(rows, list):
            print("\n{}\n  {}".format(group, "\n  ".join(_lines(rows))))


def _lines(rows):
    """A table whose columns are the keys of the first row."""
    heads = list(rows[0]) if rows else []
    yield "  ".join("{:>14s}".format(head) for head in heads)
    for row in rows:
        yield "  ".join("{:>14s}".format(_cell(row.get(head))) for head in heads)


def _cell(value):
    if isinstance(value, float):
        return "{:.4g}".format(value)
    return "-" if value is None else str(value)
