"""Quasi-static analyses that `nscd bench --only quasistatic` measures."""

from typing import Any, Dict, List, Tuple

from compas_nscd.blocks.contact_stiffness import ContactStiffness
from compas_nscd.cli.options.progress import Progress
from compas_nscd.client.engine import Engine
from compas_nscd.model.settings import Settings
from compas_nscd.results.quasistatic import QuasistaticResult
from compas_nscd.templates import wall
from compas_nscd.templates.packing import biaxial, guides

#: Pressure of the biaxial tests [Pa], and normal stiffness [N/m]: 1000 times the pressure on a depth of 1 m.
PRESSURE, NORMAL = 1e4, 1e7
#: Method, discs, strain, increments under pressure and under strain.
TESTS: Tuple[Tuple[str, int, float, int, int], ...] = (
    ("kishino", 200, 1e-4, 2, 5),
    ("bagi_bojtar", 200, 1e-4, 2, 5),
    ("bagi_bojtar", 2000, 1e-3, 1, 100),
)


def quasistatic(engine: Engine, progress: Progress, repeat: int) -> List[Dict[str, Any]]:
    """Times of a wall under its weight, and of biaxial tests, which run once."""
    progress.say("quasistatic wall-10x10")
    stiffness, settings = ContactStiffness(1e9, 5e8), Settings(repeat=max(repeat, 2))
    rows = [_row("wall-10x10", engine.quasistatic(wall(10, 10), stiffness=stiffness, settings=settings))]
    for method, discs, strain, first, second in TESTS:
        progress.say("quasistatic {} {}".format(method, discs))
        sample = biaxial(discs, "random", pressure=PRESSURE, strain=strain)
        stages = {"stages": ["loads", "supports"], "steps": [first, second], "springs": guides(sample, NORMAL)}
        stiffness = ContactStiffness(NORMAL, 0.5 * NORMAL)
        result = engine.quasistatic(sample, method=method, stiffness=stiffness, tolerance=1e-4, **stages)
        rows.append(_row("biaxial-{}".format(discs), result))
    return rows


def _row(scene: str, result: QuasistaticResult) -> Dict[str, Any]:
    summary, spent = result.summary, result.summary["time"]["solve_s"]
    row = {key: summary[key] for key in ("method", "verdict", "blocks", "steps", "iterations", "failures")}
    return dict(row, solve_s=spent, per_s=summary["iterations"] / spent, scene=scene)
