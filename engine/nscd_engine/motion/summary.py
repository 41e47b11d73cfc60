"""Verdict and numbers of a motion."""

from __future__ import annotations

import math
import time
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.state import State
from nscd_engine.core.structs import Contacts
from nscd_engine.kernels.motion.compiled_steps import Watch
from nscd_engine.motion.collapse_and_rest import Movements, Rest
from nscd_engine.motion.energy import Energies
from nscd_engine.motion.moreau_jean import Step
from nscd_engine.motion.outcome import falls_freely, outcome
from nscd_engine.motion.simulation import Simulation

#: Why a motion ended whose state became NaN or infinite, and the code of its warning.
NOT_FINITE = "not_finite"


class Unsolved:
    """Steps in which the solver did not reach its tolerance."""

    def __init__(self) -> None:
        self.count = 0
        self.residual = 0.0  # [-] the greatest
        self.time = 0.0  # [s] of that step

    def add(self, residual: float, time: float) -> None:
        """Add a step that ends at a time [s]; its residual is over the external impulse of the step [-]."""
        self.count += 1
        if not residual <= self.residual:
            self.residual, self.time = residual, time

    def data(self) -> Dict[str, Any]:
        """Number of steps, greatest residual and its time; None where there is none, or if it is not finite."""
        worst = self.residual if self.count and math.isfinite(self.residual) else None
        return {
            "unconverged": self.count,
            "unconverged_residual": worst,
            "unconverged_time": self.time if self.count else None,
        }

    def warnings(self, steps: int) -> List[Dict[str, Any]]:
        """A warning, in a list, if there are any of so many steps."""
        if not self.count:
            return []
        text = "{} of {} steps did not reach the tolerance of the solver; the worst residual is {:.2g} at {:.4g} s."
        message = text.format(self.count, steps, self.residual, self.time)
        return [{"code": "steps_not_converged", "message": message, "blocks": []}]


class Summary:
    """Energies, displacements and counts of a motion.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.energies, self.movements = Energies(model), Movements(model)
        self.steps = 0
        self.unsolved = Unsolved()
        self._begin, self._clock = 0.0, time.perf_counter()
        self._compiled_s = 0.0  # [s] spent in compiled steps
        # Contacts and impulses (C, 3) [N s] of the last step, and the displacement of the ground after it (3,) [m].
        self._last: Optional[Tuple[Contacts, np.ndarray, np.ndarray]] = None
        # Updated in place, also by compiled steps.
        self._counts = np.zeros(3, np.int64)  # iterations, most iterations of a step, most contacts
        self._penetration = np.zeros(1)  # [m] greatest
        self._finite: Dict[str, float] = {}  # numbers of the summary when they were last finite

    def start(self, begin: float) -> None:
        """Start the clock of a motion that begins at a time [s]."""
        self._begin, self._clock = begin, time.perf_counter()

    def add(self, done: Step, start: State, model: Model, h: float, ground: np.ndarray) -> None:
        """Add a step of h [s] from a state, with the loads of a model; the ground has moved by (3,) [m]."""
        report, gap = done.report, done.contacts.gap
        self.steps += 1
        if report.status != "converged":
            self.unsolved.add(report.residual, done.state.time)
        self._counts[0] += report.iterations
        self._counts[1] = max(self._counts[1], report.iterations)
        self._counts[2] = max(self._counts[2], len(gap))
        self._penetration[0] = max(self._penetration[0], -gap.min(initial=0.0))
        self._last = done.contacts, done.impulses, ground
        self.energies.add(done, start, model, h)
        self.movements.add(done.state, ground)

    def watch(self, probes: np.ndarray, probed: np.ndarray) -> Watch:
        """The arrays that compiled steps update; displacements of probes (p,) go into `probed` (n, p, 3) [m]."""
        energies, moved = self.energies.total, self.movements
        return Watch(energies, moved.tracked, moved.thresholds, self._penetration, self._counts, probes, probed)

    def add_compiled(self, steps: int, seconds: float) -> None:
        """Count compiled steps, and the time that they took."""
        self.steps += steps
        self._compiled_s += seconds

    def set_contacts(self, contacts: Contacts, impulses: np.ndarray, ground: np.ndarray) -> None:
        """Keep contacts and impulses (C, 3) [N s] of the last compiled step; the ground has moved by (3,) [m]."""
        self._last = contacts, impulses, ground

    def data(self, ended: str, simulation: Simulation, rest: Rest) -> Dict[str, Any]:
        """Verdict and numbers so far, as the reply has them; `ended` says why the motion did."""
        steps, wall = max(self.steps, 1), time.perf_counter() - self._clock
        simulated = simulation.state.time - self._begin
        iterations, iterations_max, contacts_max = self._counts.tolist()
        found = outcome(self.movements, rest, simulation.state, simulation.last, self._falling(simulation))
        found.update(self.unsolved.data())
        found.update(
            simulated_s=simulated,
            ended=ended,
            steps=self.steps,
            iterations_mean=iterations / steps,
            iterations_max=iterations_max,
            contacts_max=contacts_max,
            max_displacement=self._when_finite("displacement", self.movements.most),
            penetration_max=self._when_finite("penetration", float(self._penetration[0])),
            first_to_move=self.movements.first(),
            warnings=self._warnings(ended, simulation.state.time),
        )
        found["time"] = {
            "detect_s": simulation.detect.seconds,
            "solve_s": simulation.solve.seconds,
            "together_s": self._compiled_s,
            "total_s": wall,
            "per_step_ms": 1e3 * wall / steps,
            "real_time_factor": wall / simulated if simulated > 0.0 else 0.0,
        }
        return found

    def _when_finite(self, key, value):
        """A number, or what it was before it became NaN or infinite: such numbers cannot be sent."""
        if math.isfinite(value):
            self._finite[key] = value
        return self._finite.get(key, 0.0)

    def _falling(self, simulation):
        """Blocks (B,) bool that fall freely."""
        if self._last is None:
            return np.zeros(len(self.model.names), bool)
        contacts, impulses, ground = self._last
        return falls_freely(self.model, simulation.state, ground, contacts, impulses, simulation.last.duration)

    def _warnings(self, ended, now):
        """Warnings about steps that were not solved [{code, message, blocks}]; `now` [s] is the time of the state."""
        found = self.unsolved.warnings(self.steps)
        if ended == NOT_FINITE:
            text = "The step after {:g} s has no finite solution: the result ends with the last frame before it."
            found.append({"code": NOT_FINITE, "message": text.format(now), "blocks": []})
        return found

    def snapshot(self) -> Dict[str, Any]:
        """State for a checkpoint; counts begin anew when a motion goes on."""
        return dict(self.energies.snapshot(), **self.movements.snapshot())

    def restore(self, saved: Dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self.energies.restore(saved)
        self.movements.restore(saved)
