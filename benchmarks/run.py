"""Measurements behind `nscd bench`; `python benchmarks/run.py` takes the same options."""

import os
import platform
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

ROOT = Path(__file__).resolve().parents[1]
for _folder in (ROOT, ROOT / "tests" / "helpers"):
    if str(_folder) not in sys.path:
        sys.path.append(str(_folder))

from benchmarks.measure import (  # noqa: E402
    detection,
    elastic,
    first,
    grasshopper,
    large,
    limits,
    motion,
    other_codes,
    process,
    quasistatic,
    results,
    slider,
    statics,
)
from compas_nscd.cli import main  # noqa: E402
from compas_nscd.cli.options.progress import Progress  # noqa: E402
from compas_nscd.client.engine import Engine  # noqa: E402
from compas_nscd.errors import InputError  # noqa: E402
from compas_nscd.model.structure import Structure  # noqa: E402
from compas_nscd.templates import arch, dome, wall  # noqa: E402

#: Structures that are always measured, by the name of the scene.
MADE: Dict[str, Callable[[], Structure]] = {
    "arch-semi-20": lambda: arch(span=10.0, thickness=0.75, blocks=20),
    "wall-10x10": lambda: wall(10, 10),
    "wall-20x25": lambda: wall(25, 20),
    "dome-1000": lambda: dome(courses=25, sectors=40),
    "wall-40x50": lambda: wall(50, 40),
    "wall-100x100": lambda: wall(100, 100),
}
#: Scenes read from files where these exist.
READ = ("spandrel", "barrel-vault", "cylinder")
#: Scenes small enough for the other codes.
WITH_PEERS = ("arch-semi-20", "wall-10x10", "wall-20x25", "spandrel")
#: Groups that measure one structure after the other.
EACH = {
    "detect": statics.detection,
    "solve": statics.solution,
    "grasshopper": grasshopper.slider,
    "results": results.results,
    "limit": limits.limits,
}
GROUPS = ("process", "slider", *EACH)
#: Groups that take minutes, measured only if `--only` names them.
LONG = ("dynamic", "quasistatic", "elastic", "first", "large")
#: Structures of a group; all if it is not listed.
CHOSEN = {
    "grasshopper": ("arch-semi-20", "wall-20x25", "spandrel"),
    "results": ("arch-semi-20", "spandrel", "wall-40x50"),
    "limit": ("arch-semi-20", "wall-10x10", "spandrel"),
}
#: Structures whose motion at rest is measured with `detect`.
RESTING = ("wall-20x25", "spandrel")


def run(options: Any) -> Dict[str, Any]:
    """Measure what the options of `nscd bench` ask for; print tables unless `options.json`."""
    if options.only is not None and options.only not in GROUPS + LONG:
        remedy = "Name one of {}.".format(", ".join(GROUPS + LONG))
        raise InputError("There is no group of measurements {!r:.40}.".format(options.only), remedy=remedy)
    progress = Progress(options.quiet)
    answer: Dict[str, Any] = {"date": time.strftime("%Y-%m-%d"), "machine": machine()}
    if options.only == "first":  # without an engine whose kernels are compiled
        return _shown(dict(answer, **first.first(options.repeat, progress)), options)
    groups = (options.only,) if options.only else GROUPS
    scenes = dict(_scenes(options))
    with Engine(python=options.python, reuse=False) as engine:
        progress.say("warming up")
        engine.warm(progress=progress)
        for group in groups:
            answer.update(_measured(group, engine, scenes, options, progress))
        if options.peers:
            answer["peers"] = _peers(groups, engine, scenes, options.repeat, progress)
    progress.close()
    return _shown(answer, options)


def _shown(answer: Dict[str, Any], options: Any) -> Dict[str, Any]:
    if not options.json:
        _print(answer)
    return answer


def machine() -> str:
    """Processor, cores and Python of this machine."""
    return "{}, {} cores, Python {}".format(platform.machine(), os.cpu_count(), platform.python_version())


def _scenes(options: Any) -> Iterator[Tuple[str, Structure]]:
    folder = Path(options.scenes) if options.scenes else ROOT.parent / "shared" / "scenes"
    for name, make in MADE.items():
        if options.scene in (None, name):
            yield name, make()
    for name in READ:
        path = folder / (name + ".json")
        if path.exists() and options.scene in (None, name):
            yield name, Structure.from_file(path)


def _measured(
    group: str, engine: Engine, scenes: Dict[str, Structure], options: Any, progress: Progress
) -> Dict[str, Any]:
    """Tables of one group, by their titles."""
    if group == "process":
        progress.say("process")
        return {"process": process.process(engine)}
    if group == "slider":
        progress.say("slider")
        return {"slider": slider.slider(engine, options.repeat)}
    if group == "dynamic":
        tables = {"dynamic": motion.motions(engine, scenes, progress)}
        tables["dynamic, large"] = motion.large(engine, options.scene, progress)
        if options.scene is None:
            tables["dynamic, asleep"] = motion.asleep(engine, progress)
        return tables
    if group == "large":
        return {"large": large.large(engine, progress, options.scene)}
    if group == "quasistatic":
        return {"quasistatic": quasistatic.quasistatic(engine, progress, options.repeat)}
    if group == "elastic":
        rows = elastic.statics(engine, scenes, progress, options.repeat)
        steps = elastic.steps(engine, scenes, progress)
        return {"elastic": rows, "elastic steps": steps, "elastic memory": elastic.memory(progress)}
    rows, repeat = [], options.repeat
    for name, structure in scenes.items():
        if name in CHOSEN.get(group, (name,)):
            progress.say("{} {}".format(group, name))
            rows.append(dict(EACH[group](engine, structure, repeat), scene=name))
    tables: Dict[str, Any] = {group: rows}
    if group == "limit":
        rows.append(limits.polar(engine, repeat))
    if group == "detect":
        chosen = {name: scenes[name] for name in RESTING if name in scenes}
        if options.scene is None:
            tables["growth"] = detection.growth(engine, repeat, progress)
            chosen["wall-124x160"] = wall(*detection.WALLS[-1])
        tables["at rest"] = detection.resting(engine, chosen, progress)
    return tables


def _peers(
    groups: Tuple[str, ...], engine: Engine, scenes: Dict[str, Structure], repeat: int, progress: Progress
) -> List[Dict[str, Any]]:
    if "dynamic" in groups:
        return motion.peers(engine, scenes, progress)
    rows = []
    for name, structure in scenes.items():
        if name in WITH_PEERS:
            progress.say("other codes on {}".format(name))
            rows += [dict(row, scene=name) for row in other_codes.static(engine, structure, repeat)]
    return rows


def _print(answer: Dict[str, Any]) -> None:
    print("{date}, {machine}".format(**answer))
    for group, rows in answer.items():
        if isinstance(rows, dict):
            print("\n{}".format(group))
            for key, value in rows.items():
                print("  {:28s} {:10.3f}".format(key, value))
        elif isinstance(rows, list):
            print("\n{}\n  {}".format(group, "\n  ".join(_lines(rows))))


def _lines(rows: List[Dict[str, Any]]) -> Iterator[str]:
    """Lines of a table whose columns are the keys of the first row."""
    heads = list(rows[0]) if rows else []
    yield "  ".join("{:>14s}".format(head) for head in heads)
    for row in rows:
        yield "  ".join("{:>14s}".format(_cell(row.get(head))) for head in heads)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "{:.4g}".format(value)
    return "-" if value is None else str(value)


if __name__ == "__main__":
    sys.exit(main(["bench", *sys.argv[1:]]))
