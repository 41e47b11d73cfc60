"""What is recorded of a motion: a frame at every interval, and displacements of probes at every step."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from nscd_engine.core.structs import Contacts
from nscd_engine.motion.records.record import Recorder
from nscd_engine.motion.simulation import Simulation
from nscd_engine.motion.step_control import ROUNDING

#: Frames a second if no interval is given [1/s]. More: larger records. Fewer: animations jerk.
FRAMES_PER_S = 50.0
#: Most frames if no interval is given [-]. More: larger records. Fewer: long motions are coarse.
FRAMES = 1000
#: Estimated size of a frame without the arrays that grow with the model [bytes].
FRAME_BYTES = 2048
#: Estimated size of the forces of a contact [bytes].
CONTACT_BYTES = 56
#: The same of a block: position, orientation and velocity [bytes].
BLOCK_BYTES = 8 * 13
#: The same of a probe at a step: displacement and its share of the time [bytes].
PROBE_BYTES = 32
#: The same of a cable [bytes].
CABLE_BYTES = 8

NO_FORCES = {
    "contact_body": np.zeros((0, 2), np.int32),
    "contact_point": np.zeros((0, 3)),
    "contact_force": np.zeros((0, 3)),
}


class Frames:
    """Collects frames and writes them to the record.

    Parameters
    ----------
    options : dict
        Of the motion, as `gate.motion.read_options` gives them.
    begin : float
        Time at which the motion begins [s].
    head : dict
        What all frames share, with `blocks` and `probe_block`; see `motion.reply`.
    contacts : int
        Expected number of contacts.
    cables : int
        Number of cables.
    """

    def __init__(self, options: Dict[str, Any], begin: float, head: Dict[str, Any], contacts: int, cables: int) -> None:
        self.time_step, self.with_forces = options["time_step"], options["forces"]
        self.probes = head["probe_block"]
        self.interval = options["interval"] or max(self.time_step, 1.0 / FRAMES_PER_S, options["duration"] / FRAMES)
        self.next = begin + self.interval  # [s] time of the next frame
        self._rows: List[Tuple[float, np.ndarray, np.ndarray]] = []  # of the probes since the last frame
        self._last: Optional[Tuple[Contacts, np.ndarray]] = None  # contacts and impulses (C, 3) of the last step
        frames = int(math.ceil(options["duration"] / max(self.interval, self.time_step))) + 2
        size = FRAME_BYTES + BLOCK_BYTES * head["blocks"] + CABLE_BYTES * cables
        size += CONTACT_BYTES * contacts * self.with_forces
        size += PROBE_BYTES * len(self.probes) * max(int(self.interval / self.time_step), 1)
        self.head, self.recorder = head, Recorder(options.get("record"), head, size, frames)

    # -- steps -----------------------------------------------------------------------------------------------------

    def add_steps(self, times: List[float], displacements: np.ndarray, grounds: np.ndarray) -> None:
        """Keep displacements [m] of the probes (n, p, 3) and of the ground (n, 3) at the ends of steps (n,) [s]."""
        if len(self.probes):
            self._rows += list(zip(times, displacements, grounds))

    def set_contacts(self, contacts: Contacts, impulses: np.ndarray) -> None:
        """Keep contacts and impulses (C, 3) [N s] of the last step, for its forces."""
        self._last = contacts, impulses

    # -- frames ----------------------------------------------------------------------------------------------------

    def due(self, t: float) -> bool:
        """Whether a frame belongs to this time [s]."""
        return t >= self.next - ROUNDING * self.time_step

    def plan(self, t: float) -> None:
        """Set the time of the next frame after a frame at t [s]."""
        self.next += self.interval * max(math.ceil((t - self.next) / self.interval + ROUNDING), 1)

    def write(
        self,
        simulation: Simulation,
        ground: np.ndarray,
        energies: np.ndarray,
        summary: Dict[str, Any],
        checkpoint: Callable[[], np.ndarray],
    ) -> None:
        """Record the state of a simulation.

        Parameters
        ----------
        simulation : Simulation
        ground : array (3,)
            Its displacement [m].
        energies : array (6,)
        summary : dict
            Verdict and numbers so far: the reply, if the motion is broken off after this frame.
        checkpoint : callable
            Makes the checkpoint (n,) uint8; called now and then.
        """
        state, rows = simulation.state, self._rows
        frame = {
            "time": state.time,
            "position": state.position,
            "orientation": state.orientation,
            "velocity": state.velocity,
            "ground": ground,
            "energies": energies,
            "probe_times": np.array([row[0] for row in rows]),
            "probe_displacement": np.array([row[1] for row in rows]).reshape(len(rows), len(self.probes), 3),
            "probe_ground": np.array([row[2] for row in rows]).reshape(-1, 3),
        }
        self._rows = []
        if simulation.joints is not None and simulation.joints.cables is not None:
            frame["cable_forces"] = simulation.joints.cables.force
        if simulation.deformation is not None:
            frame["elastic_energy"] = simulation.deformation.energy()
        if self.with_forces:
            frame.update(self._forces(simulation))
        self.recorder.add(dict(frame, told=summary))
        self.recorder.keep_checkpoint(checkpoint)

    def _forces(self, simulation):
        """Contacts that carry: blocks, points [m] and forces on the second block [N]."""
        if self._last is None:
            return NO_FORCES
        contacts, impulses = self._last
        force = np.einsum("ckx,ck->cx", contacts.frame, impulses) / simulation.last.duration
        carry = impulses.any(axis=1)
        return {
            "contact_body": contacts.body[carry],
            "contact_point": contacts.point[carry],
            "contact_force": force[carry],
        }

    def recorded(self) -> List[Dict[str, Any]]:
        """All frames, in order."""
        return self.recorder.frames()

    def close(self, keep: bool = False) -> None:
        """Close the record, and remove it unless it is to be kept."""
        self.recorder.close(keep)
