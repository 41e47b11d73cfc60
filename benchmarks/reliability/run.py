"""Attacks on the engine and on the readers of files, as a table: `python -m benchmarks.reliability.run --size 0.01`.

    --size S        share of the full size (1: hours)
    --minutes M     longest time of a group; of files, of each format
    --only NAMES    groups by their names: packed, live, files, kills, disks, use

docs/reliability.md has the table of a run. The exit status is 1 if an engine died, an answer took more than 5 s, or an
exception came that is no typed error.
"""

import argparse
import math
import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "engine"), str(ROOT / "tests" / "helpers")]

from benchmarks.reliability import files, messages, processes  # noqa: E402
from benchmarks.reliability.outcome import HEADER, Outcome, Size  # noqa: E402

#: Number of attacks of the full size; of `use` the seconds that stand for a day.
FULL = {"packed": 1_000_000, "live": 20_000, "files": 5_000, "kills": 200, "disks": 100, "use": 1200}


def outcomes(only: list, share: float, minutes: float = math.inf) -> Iterator[Outcome]:
    """Outcomes of the chosen groups."""
    single = {
        "packed": messages.packed,
        "live": messages.live,
        "kills": processes.kills,
        "disks": processes.full_disks,
        "use": processes.use,
    }
    for name in only:
        size = Size(FULL[name], max(int(FULL[name] * share), 1), 60.0 * minutes)
        if name == "files":
            yield from files.damaged(size)
        else:
            yield single[name](size)


def main() -> int:
    """Print the table; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=float, default=0.01)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--only", default=",".join(FULL))
    options = parser.parse_args()
    print(HEADER, flush=True)
    failed = False
    for outcome in outcomes(options.only.split(","), options.size, options.minutes):
        print(outcome.row(), flush=True)
        for text, count in [*outcome.refusals.items(), *outcome.faults.items()]:
            print("  {} times {}".format(count, text), file=sys.stderr, flush=True)
        failed = failed or bool(outcome.deaths or outcome.hangs or outcome.faults)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
