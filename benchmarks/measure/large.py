"""Structures of 2,000 to 100,000 blocks that stand: does the cost of a static analysis bend upward with their size?

`nscd bench --only large` measures all of `FAMILIES`, `--scene wall` one of them.
"""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from benchmarks.measure.detection import peak_memory
from compas_nscd.cli.options.progress import Progress
from compas_nscd.client.engine import Engine
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.templates import aqueduct, dome, spandrel_wall, wall
from compas_nscd.templates.parts.shapes import Masonry, box

#: Gravity [m/s2].
GRAVITY = 9.81
#: Numbers of the result in a row.
TOLD = ("blocks", "contacts", "iterations", "factorizations", "products", "residual", "verdict")


class Family(NamedTuple):
    """Structures of one kind and of growing size."""

    make: Callable[..., Structure]
    sizes: Tuple[Tuple[float, ...], ...]  # arguments of `make`
    tilt: float = 0.0  # share of gravity along x [-]


def pier(columns: int, rows: int, courses: int) -> Structure:
    """A solid pier: courses of boxes, every other one moved by half a block along x and y."""
    masonry, (length, width, height) = Masonry(2400.0), (0.5, 0.5, 0.25)
    masonry.lay("base", box((-1.0, -1.0, -0.5), (columns * length + 1.0, rows * width + 1.0, 0.0)), support=True)
    for course in range(courses):
        x, y = (_cuts(count, side, course % 2) for count, side in ((columns, length), (rows, width)))
        for i in range(len(x) - 1):
            for j in range(len(y) - 1):
                lower, upper = (x[i], y[j], course * height), (x[i + 1], y[j + 1], (course + 1) * height)
                masonry.lay("c{}x{}y{}".format(course, i, j), box(lower, upper))
    return masonry.structure("pier", 0.6)


def _cuts(count: int, side: float, moved: int) -> List[float]:
    """Where a course is divided [m]: whole blocks, or half a block at either end."""
    inner = [side * (k + 0.5 * moved) for k in range(1 - moved, count)]
    return [0.0, *[cut for cut in inner if cut > 0.0], side * count]


def slippery(columns: int, courses: int) -> Structure:
    """A wall of little friction."""
    return wall(columns, courses, friction=0.3)


def stacked(courses: int, sectors: int) -> Structure:
    """A dome whose joints continue from course to course."""
    return dome(courses=courses, sectors=sectors)


def shell(courses: int, sectors: int) -> Structure:
    """A dome in running bond."""
    return dome(courses=courses, sectors=sectors, bond="running")


def arcade(course: float) -> Structure:
    """An aqueduct of two tiers between abutments that hold its thrust."""
    return aqueduct(course=course, length=2.0 * course, end=4.0)


def on_an_arch(course: float) -> Structure:
    """A wall on an arch."""
    return spandrel_wall(course=course, length=2.0 * course, friction=0.6)


#: What is measured, by name. The first size of each has about 2,000 blocks.
FAMILIES: Dict[str, Family] = {
    "wall": Family(wall, ((50, 40), (100, 80), (200, 160), (316, 316))),
    "tower": Family(wall, ((20, 100), (20, 400), (20, 1000))),
    "long wall": Family(wall, ((100, 20), (400, 20), (1000, 20))),
    "pier": Family(pier, ((10, 10, 18), (16, 16, 29), (20, 20, 48), (24, 24, 50))),
    "dome": Family(stacked, ((45, 45), (90, 90), (141, 141))),
    "bonded dome": Family(shell, ((45, 45), (90, 90), (141, 141))),
    "arcade": Family(arcade, ((0.2,), (0.1,), (0.06,))),
    "spandrel": Family(on_an_arch, ((0.12,), (0.06,), (0.038,))),
    "tilted wall": Family(slippery, ((100, 20), (200, 40), (320, 64)), 0.15),
}


def large(engine: Engine, progress: Progress, only: Optional[str] = None) -> List[Dict[str, Any]]:
    """One static analysis of every structure, or of those of one family, the smallest first.

    Each row has the iterations over those of the smallest of its family: above 1.5 Newton's method stalls.
    """
    rows: List[Dict[str, Any]] = []
    for name, family in FAMILIES.items():
        first = len(rows)
        for size in family.sizes if only in (None, name) else ():
            progress.say("large {} {}".format(name, size))
            rows.append(dict(measured(engine, family, size), scene=name, size="x".join(map(str, size))))
            rows[-1]["ratio"] = rows[-1]["iterations"] / rows[first]["iterations"]
    return rows


def measured(engine: Engine, family: Family, size: Tuple[float, ...]) -> Dict[str, Any]:
    """A static analysis of one structure: its numbers, times [s], and the peak memory of the engine so far [MB]."""
    case = LoadCase(gravity=(family.tilt * GRAVITY, 0.0, -GRAVITY))
    result = engine.static(family.make(*size), case)
    told = dict(result.summary, **result.linear)
    time = {key: told["time"][key] for key in ("detect_s", "solve_s")}
    return dict({key: told[key] for key in TOLD}, **time, peak_mb=peak_memory(engine.info["pid"]))
