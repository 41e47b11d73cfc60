"""Settings of an analysis."""

from __future__ import annotations

from typing import NamedTuple, Optional


class Settings(NamedTuple):
    """Settings that the user chose, in the units of the engine."""

    solver: str = "newton"  # newton, admm, nlgs, spg
    friction: str = "associated"  # coulomb, associated
    torsion: str = "auto"  # auto, section, corners: what resists the torsion of dry joints
    eps: tuple = (1e-5, 1e-8)  # [-] regularisations over trace(W_cc)/3, falling
    tolerance: float = 1e-10  # [-] residual at which a solver stops
    max_iterations: Optional[int] = None  # None: the solver's own number
    seed: Optional[int] = None  # of the random order of contacts; None: the order of detection
    threads: int = 0  # 0: as many as the machine has
    repeat: int = 1  # number of solves; the fastest is timed
    warm_start: bool = False  # start from the last analysis of the same contacts
    gap_tolerance: float = 1e-3  # [-] over the size of the smaller block: faces with a smaller gap touch
    gap: Optional[dict] = None  # {"metres": g} or {"share": s of the smaller block}: wider joints that are closed
    angle_tolerance: float = 1.0  # [degrees] faces inclined by less are parallel
    unsupported: bool = False  # analyse a structure without supports
    time_step: float = 1e-3  # [s] of a motion
