"""The length of the next step."""

from __future__ import annotations

from typing import Any, Dict

import numpy as np

from nscd_engine.motion.moreau_jean import Step

#: Factorisations of a step above which the next one is halved [-]. Larger: difficult steps stay long. Smaller: steps
#: are halved that were solved easily.
DIFFICULT = 25
#: Factorisations below which the next step may be doubled [-]. Larger: lengths oscillate. Smaller: steps stay short.
EASY = 6
#: Overlap over the size of the smaller block above which the next step is halved [-]. Larger: blocks sink into each
#: other. Smaller: steps stay short.
DEEP = 1e-4
#: Share of the kinetic energy that the scheme may lose per second [1/s], see `motion.scheme_loss`. Larger: blocks that
#: rock come back too low. Smaller: steps are short.
LOSS = 0.006
#: Share of that below which the next step may be doubled [-]: the loss doubles with it. Larger: lengths oscillate.
LITTLE_LOSS = 0.4
#: Longest over shortest step when factorisations ask for a shorter one [-]: a difficult step is rarely helped by a much
#: shorter one.
DIFFICULT_PARTS = 4
#: The same when an overlap does [-]; also the number of shortest steps in the step that was asked for.
DEEP_PARTS = 64
#: Share of a step that the sum of steps may round by [-]. Larger: the last step is too long. Smaller: a step as short
#: as the rounding is added.
ROUNDING = 1e-6


class StepControl:
    """Chooses the length of every step.

    Lengths are the step asked for over powers of two, and a longer step begins only at a multiple of itself: all
    multiples of the step asked for are reached, so that a run may end there and another go on.

    Parameters
    ----------
    time_step : float
        Step asked for [s], the longest.
    adaptive : bool
        Whether it may be shortened.
    """

    def __init__(self, time_step: float, adaptive: bool) -> None:
        self.asked, self.adaptive = time_step, adaptive
        self._time_step = time_step  # [s] of the next step
        self._phase = 0  # time since a multiple of the step asked for, in shortest steps

    def length(self, left: float) -> float:
        """Length of the next step [s], with `left` [s] until the end of the motion."""
        # The sum of the steps rounds: the last step is as long as the others if it is so to rounding.
        return self._time_step if left > (1.0 - ROUNDING) * self._time_step else left

    def adapt(self, done: Step, size: np.ndarray, loss: float) -> None:
        """Choose the next length after a step of blocks of a size [m] (B,); `loss` as of `SchemeLoss.rate` [1/s]."""
        if not self.adaptive:
            return
        overlap = -done.contacts.gap / size[done.contacts.body].min(axis=1)
        shortest = self.asked / DEEP_PARTS
        parts = int(round(self._time_step / shortest))
        self._phase = (self._phase + parts) % DEEP_PARTS
        difficult = done.report.factorizations > DIFFICULT and parts > DEEP_PARTS // DIFFICULT_PARTS
        if overlap.max(initial=0.0) > DEEP or difficult or loss > LOSS:
            parts = max(parts // 2, 1)
        elif done.report.factorizations < EASY and loss < LITTLE_LOSS * LOSS and self._phase % (2 * parts) == 0:
            parts = min(2 * parts, DEEP_PARTS)
        self._time_step = parts * shortest

    def snapshot(self) -> Dict[str, Any]:
        """State for a checkpoint."""
        return {"phase": self._phase, "asked": self.asked, "time_step": self._time_step}

    def restore(self, saved: Dict[str, Any]) -> None:
        """Go on from a snapshot, if it is of the same step asked for."""
        if self.adaptive and saved["asked"] == self.asked:
            self._phase, self._time_step = saved["phase"], saved["time_step"]
