"""The engine on Windows Python under Wine beside the same on this Linux: `python benchmarks/windows.py`.

Every figure is measured on both systems one after the other, so that other work on the machine meets both. Windows is
set up as for `python start.py test --windows`. Use the Python of the version in `tests/windows/wine.py`, with the same
numba: another version compiles in another time.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
for _folder in (ROOT, ROOT / "engine", ROOT / "tests" / "helpers"):
    sys.path.append(str(_folder))

from compas_nscd.client.engine import Engine  # noqa: E402
from compas_nscd.errors import EngineDiedError  # noqa: E402
from compas_nscd.templates import arch  # noqa: E402
from process_tools import kill, resident_mb  # noqa: E402

#: Numbers of starts, warm analyses, requests for the growth of memory, and kills [-].
STARTS, WARM, REQUESTS, KILLS = 5, 100, 500, 50
#: Analyses after which everything that is loaded once is loaded [-]; the growth of memory counts from there.
SETTLED = 100


def start():
    """From no engine to its first answer, best of some [s]."""
    return min(_start() for _ in range(STARTS))


def _start():
    began = time.perf_counter()
    with Engine(reuse=False) as engine:
        engine.ping()
        return time.perf_counter() - began


def first_static():
    """Static analysis of an arch of 20 blocks by an engine without compiled kernels [s]."""
    with Engine(reuse=False) as engine:
        began = time.perf_counter()
        engine.static(arch(blocks=20))
        return time.perf_counter() - began


def warm_static():
    """The same with compiled kernels, median of some [ms]."""
    with Engine(reuse=False) as engine:
        return 1e3 * median(_static(engine) for _ in range(WARM))


def _static(engine):
    began = time.perf_counter()
    engine.static(arch(blocks=20))
    return time.perf_counter() - began


def growth():
    """Memory by which the engine grows from analysis 100 to 600 [MB]."""
    with Engine(reuse=False) as engine:
        for _ in range(SETTLED):
            _static(engine)
        before = resident_mb(engine.info["pid"])
        for _ in range(REQUESTS):
            _static(engine)
        return resident_mb(engine.info["pid"]) - before


def kills():
    """Engines killed in the middle of a job of which the next request did well [-]."""
    recovered = 0
    with Engine(reuse=False, options=["--test-verbs"]) as engine:
        for _ in range(KILLS):
            job = engine.submit("sleep", {"seconds": 60.0})
            kill(engine.info["pid"])
            try:
                job.result(timeout=30.0)
            except EngineDiedError:
                recovered += engine.submit("echo", {"value": 1}).result() == {"value": 1}
    return recovered


#: Figure, its unit, and what it should be: a bound for Windows, or "2 x" for a bound relative to Linux.
FIGURES = {
    start: ("engine up", "s", "<= 5"),
    first_static: ("first static, empty cache", "s", "<= 2 x"),
    warm_static: ("warm static of an arch of 20", "ms", "<= 2 x"),
    growth: ("growth over 500 requests", "MB", "none"),
    kills: ("kills recovered, of {}".format(KILLS), "", str(KILLS)),
}


class Linux:
    """Linux here, with compiled kernels in a folder of its own."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="nscd-figures-")

    def measure(self, name):
        """A figure, measured in a new process."""
        environment = dict(os.environ, NSCD_HOME=self.home)
        command = [sys.executable, __file__, "--only", name]
        return _number(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout)

    def leave(self):
        """Remove the folder."""
        shutil.rmtree(self.home, ignore_errors=True)


class Wine(Linux):
    """Windows Python under Wine."""

    def __init__(self):
        sys.path.append(str(ROOT / "tests" / "windows"))
        import wine

        self.wine, self.windows = wine, wine.Windows(wine.folder())
        self.windows.set_up()
        # On the drive of Windows, in the folder of its user.
        drive = self.windows.where / "prefix" / "drive_c"
        self.home = tempfile.mkdtemp(prefix="nscd-figures-", dir=str(drive / "users"))

    def measure(self, name):
        """A figure, measured in a new process."""
        told = Path(self.home) / "figure.json"
        home = r"C:\users\{}".format(os.path.basename(self.home))
        environment = dict(self.windows.variables(), NSCD_HOME=home)
        script = self.wine.drive(Path(__file__).resolve())
        words = [script, "--only", name, "--to", self.wine.drive(told)]
        if self.windows.run(*words, environment=environment, timeout=1200.0) != 0:
            sys.exit("{} could not be measured under Wine.".format(name))
        return _number(told.read_bytes())


def _number(text):
    return json.loads(text.decode("utf-8"))


def main():
    """Print the table; with `--only`, one figure of this system."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="FIGURE", choices=[figure.__name__ for figure in FIGURES])
    parser.add_argument("--to", metavar="FILE", help="write the figure there")
    options = parser.parse_args()
    if options.only:
        with open(options.to, "w") if options.to else sys.stdout as file:
            json.dump(globals()[options.only](), file)
        return
    systems = [Linux(), Wine()]
    print("| figure | Linux | Windows under Wine | ratio | aim |\n|---|---|---|---|---|", flush=True)
    for figure, (name, unit, aim) in FIGURES.items():
        here, there = (system.measure(figure.__name__) for system in systems)
        ratio = "{:.2f}".format(there / here) if unit in ("s", "ms") else ""
        print("| {} [{}] | {:.3g} | {:.3g} | {} | {} |".format(name, unit or "-", here, there, ratio, aim), flush=True)
    for system in systems:
        system.leave()


if __name__ == "__main__":
    main()
