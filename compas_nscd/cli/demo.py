"""An arch from geometry to forces, with picture and report.

Builds an arch that stands and one that is too thin, sends both to the engine and shows what came back.
"""

import json
from pathlib import Path

from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.static import print_static
from compas_nscd.client.engine import Engine
from compas_nscd.drawing.picture import draw_static
from compas_nscd.report.page import render_report
from compas_nscd.templates import arch


def add_arguments(parser):
    parser.add_argument("--output", metavar="DIR", default="out", help="where pictures and reports go (default: out)")


def run(options):
    progress = Progress(options.quiet)
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    answers = {}
    with Engine(python=options.python) as engine:
        progress.say("engine: {}".format(engine.info["reason"]))
        for name, thickness in (("arch", 0.75), ("thin-arch", 0.5)):
            structure = arch(span=10.0, thickness=thickness, depth=1.0, blocks=20)
            structure.name = name
            result = engine.static(structure, progress=progress)
            answers[name] = dict(result.summary, scene=name)
            scene = json.dumps(structure.to_scene())
            files = {".svg": draw_static(result), ".html": render_report(result), ".json": scene}
            for suffix, text in files.items():
                (folder / (name + suffix)).write_text(text, encoding="utf-8")
            if not options.json:
                print_demo(answers[name], result, folder / name)
    progress.close()
    return {"analysis": "demo", "results": answers, "output": str(folder)}


def print_demo(answer, result, path):
    print_static(answer, result)
    for line in result.thrust_lines():
        print("  thrust line through {} joints".format(len(line)))
    print("  picture {0}.svg, page {0}.html, scene {0}.json".format(path))
