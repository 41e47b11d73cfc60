"""Compare the results of two checkouts bit for bit.

    python benchmarks/bit_identity.py SCENES                     digests of this checkout
    python benchmarks/bit_identity.py SCENES --against CHECKOUT  the same for another one; status 1 if they differ

SCENES is a folder of scene files. Every scene is analysed at rest, and an arch is shaken for half a second. Both
checkouts run with this interpreter on this machine: digests of two machines differ, since their compilers do.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def digest(result):
    """Digest of all arrays of a result and of the numbers that are not times."""
    found = hashlib.sha256()
    for key in sorted(result.arrays):
        array = getattr(result, key)
        found.update("{} {} {}".format(key, array.dtype.str, array.shape).encode())
        found.update(array.tobytes())
    numbers = {key: value for key, value in result.summary.items() if key in ("verdict", "residual", "iterations")}
    found.update(json.dumps(numbers, sort_keys=True, default=float).encode())
    return found.hexdigest()[:16]


def digests(scenes):
    """Name of the case and its digest, one after the other."""
    from compas_nscd import Engine, GroundMotion, LoadCase, Structure
    from compas_nscd.templates import arch

    with Engine(reuse=False) as engine:
        for path in sorted(Path(scenes).glob("*.json")):
            yield path.stem, digest(engine.static(Structure.from_file(path)))
        case = LoadCase(ground=[GroundMotion.sine("x", acceleration=2.0, frequency=2.0)])
        job = engine.dynamic(arch(span=10.0, thickness=0.75, blocks=20), case, duration=0.5, time_step=1e-3)
        yield "motion of an arch", digest(job.result())


def of_checkout(checkout, scenes):
    """Digests of a checkout, computed in a process of its own."""
    folders = [str(checkout), str(checkout / "engine")]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(folders))
    command = [sys.executable, str(Path(__file__).resolve()), str(scenes), "--json"]
    done = subprocess.run(command, env=environment, cwd=str(checkout), stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def main():
    """Run the command of the docstring above; return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("--against", type=Path, metavar="CHECKOUT")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    scenes = arguments.scenes.resolve()
    if arguments.json:
        print(json.dumps(dict(digests(scenes))))
        return 0
    mine = of_checkout(ROOT, scenes)
    other = of_checkout(arguments.against.resolve(), scenes) if arguments.against else mine
    for name, value in mine.items():
        print("{:24} {}  {}".format(name, value, "same" if other.get(name) == value else "DIFFERS"))
    return 0 if mine == other else 1


if __name__ == "__main__":
    sys.exit(main())
