"""Settings of an analysis."""

from typing import NamedTuple, Optional


class Settings(NamedTuple):
    """What the user chose, with the units that the engine uses."""

    solver: str = "newton"  # newton, nlgs, spg
    friction: str = "associated"  # coulomb, associated
    eps: tuple = (1e-5, 1e-8)  # [-] regularisations over trace(W_cc)/3, falling
    tolerance: float = 1e-10  # [-] residual at which a solver stops
    max_iterations: Optional[int] = None  # None: the solver's own number
    seed: Optional[int] = None  # of the random order of contacts; None: as they were found
    threads: int = 0  # 0: as many as the machine has
    repeat: int = 1  # times the solve is run; the best time is reported
    gap_tolerance: float = 1e-3  # [-] over the size of the smaller block: faces nearer than this touch
    angle_tolerance: float = 1.0  # [degrees] faces inclined by less may meet as faces
    unsupported: bool = False  # analyse although nothing is a support
    time_step: float = 1e-3  # [s] of a motion
