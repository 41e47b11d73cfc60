"""Verdict and numbers of a motion."""

from __future__ import annotations

import time
from typing import Any, Dict

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.state import State
from nscd_engine.kernels.motion.compiled_steps import Watch
from nscd_engine.motion.collapse_and_rest import SHARES, Movements
from nscd_engine.motion.energy import Energies
from nscd_engine.motion.moreau_jean import Step
from nscd_engine.motion.simulation import Simulation


class Summary:
    """Energies, displacements and counts of a motion.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: Model) -> None:
        self.energies, self.movements = Energies(model), Movements(model)
        self.steps = self._unconverged = 0
        self._begin, self._clock = 0.0, time.perf_counter()
        self._compiled_s = 0.0  # [s] spent in compiled steps
        # Updated in place, also by compiled steps.
        self._counts = np.zeros(3, np.int64)  # iterations, most iterations of a step, most contacts
        self._penetration = np.zeros(1)  # [m] greatest

    def start(self, begin: float) -> None:
        """Start the clock of a motion that begins at a time [s]."""
        self._begin, self._clock = begin, time.perf_counter()

    def add(self, done: Step, start: State, model: Model, h: float, ground: np.ndarray) -> None:
        """Add a step of h [s] from a state, with the loads of a model; the ground has moved by (3,) [m]."""
        report, gap = done.report, done.contacts.gap
        self.steps += 1
        self._unconverged += report.status != "converged"
        self._counts[0] += report.iterations
        self._counts[1] = max(self._counts[1], report.iterations)
        self._counts[2] = max(self._counts[2], len(gap))
        self._penetration[0] = max(self._penetration[0], -gap.min(initial=0.0))
        self.energies.add(done, start, model, h)
        self.movements.add(done.state, ground)

    def watch(self, probes: np.ndarray, probed: np.ndarray) -> Watch:
        """The arrays that compiled steps update; displacements of probes (p,) go into `probed` (n, p, 3) [m]."""
        energies, tracked = self.energies.total, self.movements.tracked
        return Watch(energies, tracked, SHARES, self._penetration, self._counts, probes, probed)

    def add_compiled(self, steps: int, seconds: float) -> None:
        """Count compiled steps, and the time that they took."""
        self.steps += steps
        self._compiled_s += seconds

    def data(self, ended: str, simulation: Simulation) -> Dict[str, Any]:
        """Verdict and numbers so far, as the reply has them; `ended` says why the motion did."""
        steps, wall = max(self.steps, 1), time.perf_counter() - self._clock
        simulated = simulation.state.time - self._begin
        iterations, iterations_max, contacts_max = self._counts.tolist()
        return {
            "verdict": "collapse" if self.movements.fallen else "stable",
            "simulated_s": simulated,
            "ended": ended,
            "steps": self.steps,
            "iterations_mean": iterations / steps,
            "iterations_max": iterations_max,
            "contacts_max": contacts_max,
            "unconverged": self._unconverged,
            "max_displacement": self.movements.most,
            "penetration_max": float(self._penetration[0]),
            "collapse_time": self.movements.collapse_time(),
            "first_to_move": self.movements.first(),
            "time": {
                "detect_s": simulation.detect.seconds,
                "solve_s": simulation.solve.seconds,
                "together_s": self._compiled_s,
                "total_s": wall,
                "per_step_ms": 1e3 * wall / steps,
                "real_time_factor": wall / simulated if simulated > 0.0 else 0.0,
            },
        }

    def snapshot(self) -> Dict[str, Any]:
        """State for a checkpoint; counts begin anew when a motion goes on."""
        return dict(self.energies.snapshot(), **self.movements.snapshot())

    def restore(self, saved: Dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self.energies.restore(saved)
        self.movements.restore(saved)
