"""Which runs a study consists of: all at once, or one after the other until collapse.

Multiple stripes and clouds are known beforehand. An incremental dynamic analysis hunts: the level of a record grows in
growing steps until it collapses the structure; then levels between are filled in (Vamvatsikos and Cornell, 2004).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any, NamedTuple

from compas_nscd.errors import InputError
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.intensity import intensity, scale_factor

#: Digits of a level that is computed [-]: two studies of the same record meet at the same levels.
DIGITS = 6


class Run(NamedTuple):
    """One run of a study."""

    order: tuple[int, int, int]  # sample, motion (-1 without one), and place among the levels
    values: dict[str, Any]  # of the parameters
    motion: int | None = None  # index of the ground motion
    level: float | None = None  # intensity of the scaled motion
    factor: float | None = None  # by which the motion is multiplied [-]


class HuntAndFill(NamedTuple):
    """Levels of an incremental dynamic analysis, of one record.

    The first levels are first, first + step, first + 2 step + increase, ...: steps grow by `increase`.
    """

    first: float  # lowest level
    step: float  # first step
    increase: float = 0.0  # growth of the step
    resolution: float = 0.1  # width of the bracket of collapse at the end, over its lower end
    most: int = 12  # runs of a record

    def check(self) -> HuntAndFill:
        """Itself; an InputError if a number cannot be used."""
        sound = self.first > 0.0 and self.step > 0.0 and self.increase >= 0.0 and self.resolution > 0.0
        if not sound or not isinstance(self.most, int) or self.most < 2:
            remedy = "first, step and resolution are above 0, increase at least 0, most at least 2."
            raise InputError("The hunt {!r:.120} cannot be run.".format(self), remedy=remedy)
        return self

    def levels(self) -> Generator[float, bool, None]:
        """Yield levels one after the other; each is answered by whether it collapsed the structure."""
        stands, falls, step, level = 0.0, None, self.step, self.first
        for _ in range(self.most):
            if (yield round(level, DIGITS)):
                falls = level
            else:
                stands = max(stands, level)
            if falls is None:
                level, step = level + step, step + self.increase
            elif falls - stands <= self.resolution * max(stands, self.first):
                return
            else:  # nearer to where it stands: there the next answer tells more
                level = stands + (falls - stands) / 3.0 if stands else 0.5 * falls


class Plan:
    """Runs that are known beforehand: every sample with every motion at every level.

    Parameters
    ----------
    samples : list of dict
    motions : list of GroundMotion
    levels : list of float, HuntAndFill or None
        None: motions as they are (a cloud).
    measure : str
        Of the intensity; see `loads.intensity`.
    until : float
        Of sines without end: the time that is looked at [s].
    """

    def __init__(
        self,
        samples: Sequence[dict[str, Any]],
        motions: Sequence[GroundMotion] = (),
        levels: Any = None,
        measure: str = "pga",
        until: float = 0.0,
    ) -> None:
        self.samples, self.motions, self.levels = samples, motions, levels
        # Factor of a motion is that of level 1 times the level; the Arias intensity is not linear.
        self._own = [intensity(motion, measure, until) for motion in motions]
        self._measure, self._until = measure, until
        self._hunts: dict[tuple[int, int], Generator[float, bool, None]] = {}

    @property
    def total(self) -> int:
        """Number of runs, at most."""
        motions = max(len(self.motions), 1)
        levels = self.levels.most if isinstance(self.levels, HuntAndFill) else len(self.levels or [None])
        return len(self.samples) * motions * levels

    def first(self) -> Iterable[Run]:
        """Runs to begin with."""
        for s, values in enumerate(self.samples):
            if not self.motions:
                yield Run((s, -1, 0), values)
            for m in range(len(self.motions)):
                yield from self._of_motion(s, m)

    def _of_motion(self, s: int, m: int) -> Iterable[Run]:
        if self.levels is None:
            yield Run((s, m, 0), self.samples[s], m, self._own[m], 1.0)
        elif isinstance(self.levels, HuntAndFill):
            hunt = self._hunts[s, m] = self.levels.levels()
            yield self._at(s, m, 0, next(hunt))
        else:
            for k, level in enumerate(self.levels):
                yield self._at(s, m, k, level)

    def _at(self, s: int, m: int, k: int, level: float) -> Run:
        factor = scale_factor(self.motions[m], self._measure, level, self._until)
        return Run((s, m, k), self.samples[s], m, level, factor)

    def after(self, run: Run, collapsed: bool) -> list[Run]:
        """Runs that follow from how a run ended."""
        hunt = self._hunts.get((run.order[0], run.order[1]))
        if hunt is None:
            return []
        try:
            level = hunt.send(collapsed)
        except StopIteration:
            return []
        return [self._at(run.order[0], run.order[1], run.order[2] + 1, level)]
