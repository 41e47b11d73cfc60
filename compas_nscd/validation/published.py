"""Published examples: what happens, as their authors report it (V40 to V46).

The exact geometry is only in figures. The scripts of `examples/` build a plausible one and say what they assume; each
returns its numbers, which are compared here. They are part of the repository, not of the installed package.
"""

from __future__ import annotations

import io
import runpy
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from compas_nscd.validation.case import LeftOut, Trial
from compas_nscd.validation.chapter import Chapter

CHAPTER = Chapter("Published examples")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BEATINI = "Beatini, Royer-Carfagni and Tasora 2017, "
SHAPE = "Shape and sizes of blocks are read from figures: verdicts, and ranges of a third either side."
#: Size up to which a picture of an example is shown [bytes]. Larger: the book loads slowly.
LARGEST = 80_000


def example(trial: Trial, name: str, *arguments: Any) -> dict[Any, Any]:
    """Run a script of examples/, keep its pictures, and return its numbers."""
    script = EXAMPLES / name
    if not script.is_file():
        raise LeftOut("needs examples/{} of the repository".format(name))
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        found = runpy.run_path(str(script))["main"](folder, *arguments)
        for picture in sorted(Path(folder).glob("*.svg")):
            if picture.stat().st_size <= LARGEST:
                trial.picture(picture.read_text(encoding="utf-8"))
    return found


@CHAPTER.case("V40", "Arch under two loads beside its crown", "P", BEATINI + "fig. 6, 7", SHAPE, False)
def loaded_arch(trial: Trial) -> None:
    """Load at collapse over the weight of the arch: mu 0.8 by hinges, mu 0.4 by sliding springers."""
    found = example(trial, "beatini_2017/fig6_7_arch_two_loads.py")
    trial.inside("mu 0.8: about 10 %", 0.067, 0.133, found["mu 0.8"])
    trial.inside("mu 0.4: about 6 %", 0.04, 0.08, found["mu 0.4"])
    trial.number("mu 0.4: sliding joints (the springers)", 2, found["sliding joints"])


@CHAPTER.case("V41", "The same arch under spandrels", "P", BEATINI + "fig. 8", SHAPE, False)
def spandrel_arch(trial: Trial) -> None:
    """Load at which no thrust line fits the arch with dead weight on it; the whole wall at that load."""
    found = example(trial, "beatini_2017/fig8_spandrel_arch.py")
    trial.inside("arch with dead weight: about 40 %", 0.27, 0.53, found["share"])
    trial.verdict("whole wall at that load", "stable", found["wall"])


@CHAPTER.case(
    "V42",
    "Wall over a gap; cylinder over an octagonal hole",
    "P",
    BEATINI + "fig. 9, 10",
    SHAPE,
    False,
    others="docs/studies/unfinished_solutions.md has our inexact runs beside exact ones",
)
def natural_arch(trial: Trial) -> None:
    """A triangle falls out of the wall, a natural arch remains; blocks fall from the cylinder, a false dome remains."""
    wall = example(trial, "beatini_2017/fig9_natural_arch.py")
    trial.verdict("wall", "collapse", wall["verdict"])
    cylinder = example(trial, "beatini_2017/fig10_false_dome.py")
    trial.verdict("cylinder: assured", False, cylinder["assured"])
    trial.verdict("false dome that remains", "stable", cylinder["remains"])


@CHAPTER.case(
    "V43",
    "Spandrel wall shaken with 0.2 g at 1 Hz",
    "P R",
    BEATINI + "sec. 4 (static); an independent code, solved to 1e-4 (shaken)",
    SHAPE,
    False,
    others="published: falls along and across. The independent code: stands along, sinks 11.5 mm in 6 s",
)
def shaken_wall(trial: Trial) -> None:
    """Static 0.2 g along and across; shaken for 6 s, solved exactly and with three sweeps of Gauss-Seidel a step."""
    found = example(trial, "beatini_2017/fig11_12_shaking.py")
    trial.verdict("static 0.2 g along", "stable", found["static x"])
    trial.verdict("static 0.2 g across", "collapse", found["static y"])
    trial.verdict("shaken along, exactly", "stable", found["shaken x"])
    trial.inside("shaken along, exactly: keystone sinks [mm]", 0.0, 23.0, found["sunk x"])
    trial.inside("shaken along, three sweeps: keystone sinks [mm]", 150.0, float("inf"), found["sunk x, 3 sweeps"])


@CHAPTER.case(
    "V44",
    "Arch of blocks of 50 x 25 cm",
    "P",
    "Acary and Jean 1998",
    "verdicts; the settlement to 1e-9",
    False,
    leaves_out="the elasticity of the blocks (E 6e10 Pa)",
)
def acary_arch(trial: Trial) -> None:
    """2700 kg/m3, mu 0.5: gravity, shear wave, settlement of 4 cm on one side; arch on piers."""
    found = example(trial, "acary_jean_1998/arch.py")
    for name in ("gravity", "shear wave", "settlement"):
        trial.verdict(name, "stable", found[name])
    trial.verdict("piers and abutments", "stable", example(trial, "acary_jean_1998/piers.py")["verdict"])


@CHAPTER.case(
    "V45",
    "Cupola of Junas; arena of Nimes",
    "P",
    "Bohatier, Rafiee and Vinches",
    "verdicts; direction of the motion",
    False,
)
def cupola_and_arena(trial: Trial) -> None:
    """Cupola on five pillars, mu 0.7 and 0.5; one bay of the arena shaken in three directions, 0.25 s of the 3 s."""
    found = example(trial, "bohatier/cupola.py")
    for friction in (0.7, 0.5):
        trial.verdict("cupola, mu {}".format(friction), "stable", found[friction])
    arena = example(trial, "bohatier/arena_shaken.py", 0.25)
    trial.verdict("arena: the wall moves outwards, most at its head", True, arena["head"] > arena["foot"])


@CHAPTER.case(
    "V46",
    "Flood, aqueduct, stacks, order of contacts",
    "P",
    "Bagi, The Contact Dynamics Method",
    "verdicts; balance to 1e-6",
    False,
)
def bagi_examples(trial: Trial) -> None:
    """Bridge in still water; aqueduct and stack under ground motion; forces by order of contacts."""
    flood = example(trial, "bagi/flood.py")
    trial.verdict("bridge in still water", "stable", flood["still"])
    trial.number("its weight in water over that in air", 1.0 - 1000.0 / 2400.0, flood["share"], relative=1e-6)
    trial.verdict("aqueduct at rest", "stable", example(trial, "bagi/aqueduct.py")["rest"])
    stack = example(trial, "bagi/stack.py")
    for name, verdict in (
        ("pulse of 0.15 g", "stable"),
        ("pulse of 0.6 g", "collapse"),
        ("harmonic, 0.15 g", "stable"),
    ):
        trial.verdict("stack, " + name, verdict, stack[name])
    order = example(trial, "bagi/random_order.py")
    trial.inside("order of contacts: forces differ [weights of a block]", 0.01, float("inf"), order["forces"])
    trial.number("order of contacts: totals differ", 0.0, order["sums"], absolute=1e-6)
