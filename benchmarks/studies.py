"""Figures of studies: `python benchmarks/studies.py [--runs 1000] [--many 10000]`.

Overhead of a run beyond its analysis, local and through Dask; two workers against one; many static runs of an arch of
20 voussoirs; memory before and after. The load of the machine is told with the figures.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from compas_nscd import templates
from compas_nscd.studies import Study

#: Aims: overhead [ms] local and through Dask, speed of two workers over one, time of 10,000 runs [s].
AIMS = {"overhead_ms": 5.0, "overhead_dask_ms": 15.0, "two_over_one": 1.8, "many_s": 120.0}


def arch_study(runs):
    """Static runs of one arch with as many values of its friction: no two are the same."""
    arch = templates.arch(span=10.0, thickness=0.75, blocks=20)
    return Study(arch, vary={"friction": (0.5, 0.9)}, sampler="latin", runs=runs, seed=1)


def overhead_ms(outcome):
    """Time of the workers that was not spent on analyses, over the runs; the start of engines included [ms]."""
    return 1e3 * (outcome.workers * outcome.wall_s - outcome.analysis_s) / outcome.runs


def memory_mb():
    """Memory of this process and of the processes that it started [MB], on Linux."""
    page = os.sysconf("SC_PAGE_SIZE")
    own, total = {os.getpid()}, 0.0
    for _ in range(3):  # workers, their engines
        own |= {int(path.parent.name) for path in Path("/proc").glob("[0-9]*/stat") if _parent(path) in own}
    for pid in own:
        try:
            total += int(Path("/proc/{}/statm".format(pid)).read_text().split()[1]) * page / 1e6
        except OSError:
            continue
    return total


def _parent(stat):
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return -1


def local(runs, workers, folder, watch=None):
    """Outcome of a study on local processes."""
    return arch_study(runs).run(out=Path(folder) / "local-{}-{}".format(runs, workers), workers=workers, progress=watch)


def through_dask(runs, folder):
    """Outcome of a study on a LocalCluster of two processes."""
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        return arch_study(runs).run(client, out=Path(folder) / "dask")


def many(runs, folder):
    """Time [s] of many runs with two workers, and memory [MB] after a tenth of them and at the end."""
    memory = []

    def watch(status):
        if status["done"] > 0.1 * runs:
            memory.append(memory_mb())

    outcome = local(runs, 2, folder, watch)
    return {"many_s": outcome.wall_s, "memory_mb": [memory[0], memory[-1]] if memory else None}


def main():
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--many", type=int, default=10000)
    options = parser.parse_args()
    found = {"runs": options.runs, "load_before": os.getloadavg()[0]}
    with tempfile.TemporaryDirectory() as folder:
        one, two = (local(options.runs, workers, folder) for workers in (1, 2))
        found.update(
            overhead_ms=overhead_ms(one), overhead_two_ms=overhead_ms(two), two_over_one=one.wall_s / two.wall_s
        )
        if sys.version_info >= (3, 10):
            found["overhead_dask_ms"] = overhead_ms(through_dask(options.runs, folder))
        if options.many:
            found.update(many(options.many, folder), many_runs=options.many)
    found["load_after"] = os.getloadavg()[0]
    print(json.dumps(dict(found, aims=AIMS), indent=1))


if __name__ == "__main__":
    main()
