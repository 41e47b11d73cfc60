"""Joints that crush in motion: a point at its compressive strength is a constant force, as a cable that yields is.

Which points crush is found with the forces of the step. A point that carries more than its strength crushes, and the
step is solved again; one that crushes but opens again is a contact again, as much deeper as it was crushed. Forces
then move on to the points that still carry, as in a stress block.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core.loads import OUT_OF_REACH
from nscd_engine.laws.mohr_coulomb import PointLaw

#: Force over the strength from which a point crushes [-]. Smaller: the tolerance of a step decides. Larger: joints
#: carry more than they can.
GIVES = 1.001
#: Speed of opening, over that of a fall during the step, from which a crushing point is a contact again [-]. Smaller:
#: rounding decides. Larger: a joint that is unloaded pushes its blocks apart before it notices.
OPENS = 1e-4
#: Most solutions of a step [-]. Fewer: steps in which many points begin to crush are left unsettled.
MOST_ROUNDS = 12


class MovingCaps:
    """The compressive strength of the points of joints. J points.

    Parameters
    ----------
    law : PointLaw
        Of the points.
    """

    STATE = ("crushes", "depth", "give")

    def __init__(self, law: PointLaw) -> None:
        self.cap = law.compression  # [N] (J,)
        self.crushes = np.zeros(len(self.cap), bool)  # (J,)
        self.depth = np.zeros(len(self.cap))  # [m] (J,): crushed by so much
        self.give = np.zeros(len(self.cap))  # [m] (J,): elastic closing at the strength
        self.stays = np.zeros(len(self.cap), bool)  # (J,): began to crush in this step
        self.excess = 0.0  # [-]: greatest force over the strength, less 1, of points that do not crush

    @property
    def any(self) -> bool:
        """Whether a point has a strength."""
        return bool(np.isfinite(self.cap).any())

    def begin(self, rows: np.ndarray, gap: np.ndarray) -> None:
        """Begin a step of the points `rows` (n,), with gaps [m] (n,) between the faces as they were drawn."""
        crushing = self.crushes[rows]
        deeper = np.maximum(self.depth[rows], -gap - self.give[rows])
        self.depth[rows] = np.where(crushing, deeper, self.depth[rows])
        self.stays[:] = False

    def applied(self, law: PointLaw, bias: np.ndarray, rows: np.ndarray, mine: slice) -> tuple[PointLaw, np.ndarray]:
        """Laws and bias [m/s] (C, 3) in which the points that crush push with their strength; `mine` are `rows`."""
        crushing, capped = self.crushes[rows], np.isfinite(self.cap[rows])
        self.give[rows] = np.where(capped, self.cap[rows], 0.0) / law.stiffness[mine, 0]
        tension, stiffness, bias = law.tension.copy(), law.stiffness.copy(), bias.copy()
        tension[mine] = np.where(crushing, -self.cap[rows], tension[mine])
        stiffness[mine, 0] = np.where(crushing, np.inf, stiffness[mine, 0])
        bias[mine, 0] = np.where(crushing, OUT_OF_REACH, bias[mine, 0])
        return law._replace(tension=tension, stiffness=stiffness), bias

    def change(self, rows: np.ndarray, force: np.ndarray, opening: np.ndarray, fall: float) -> bool:
        """Whether the points `rows` that crush are others than before, by normal forces [N] (n,) and speeds of opening
        [m/s] (n,) of the step; `fall` is the speed of a fall during it [m/s].
        """
        crushing, cap = self.crushes[rows], self.cap[rows]
        over = np.where(crushing, 0.0, force / cap - 1.0)
        self.excess = max(float(over.max(initial=0.0)), 0.0)
        gives = over > GIVES - 1.0
        opens = crushing & (opening > OPENS * fall) & ~self.stays[rows]
        self.stays[rows] |= gives
        self.crushes[rows] = (crushing | gives) & ~opens
        return bool((gives | opens).any())
