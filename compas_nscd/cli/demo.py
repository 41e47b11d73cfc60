"""An arch from geometry to forces, with picture and report.

Builds an arch that stands and one that is too thin, sends both to the engine and shows the results.
"""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Dict

from compas_nscd.cli.options.outputs import write_text
from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.static import print_static
from compas_nscd.client.engine import Engine
from compas_nscd.drawing.picture import draw_static
from compas_nscd.report.page import render_report
from compas_nscd.results.static import StaticResult
from compas_nscd.templates import arch

#: Arches of the demo, and their thickness [m].
ARCHES = {"arch": 0.75, "thin-arch": 0.5}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--output", metavar="DIR", default="out", help="where pictures and reports go (default: out)")


def run(options: Namespace) -> Dict[str, Any]:
    """Analyse both arches and write their pictures, pages and scenes."""
    progress = Progress(options.quiet)
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    answers = {}
    with Engine(python=options.python) as engine:
        progress.say("engine: {}".format(engine.info["reason"]))
        for name, thickness in ARCHES.items():
            structure = arch(span=10.0, thickness=thickness, depth=1.0, blocks=20)
            structure.name = name
            result = engine.static(structure, progress=progress)
            answers[name] = dict(result.summary, scene=name)
            scene = json.dumps(structure.to_scene())
            files = {".svg": draw_static(result), ".html": render_report(result), ".json": scene}
            for suffix, text in files.items():
                write_text(folder / (name + suffix), text)
            if not options.json:
                print_demo(answers[name], result, folder / name)
    progress.close()
    return {"analysis": "demo", "results": answers, "output": str(folder)}


def print_demo(answer: Dict[str, Any], result: StaticResult, path: Path) -> None:
    """Print a result and the names of its files for people."""
    print_static(answer, result)
    for line in result.thrust_lines():
        print("  thrust line through {} joints".format(len(line)))
    print("  picture {0}.svg, page {0}.html, scene {0}.json".format(path))
