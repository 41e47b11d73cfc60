"""What varies while a structure moves."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional

import numpy as np


class State(NamedTuple):
    """Positions and velocities of B blocks."""

    time: float  # [s]
    position: np.ndarray  # [m] (B, 3): centroids
    orientation: np.ndarray  # (B, 4): unit quaternions w, x, y, z; (1, 0, 0, 0) at the beginning
    velocity: np.ndarray  # [m/s, rad/s] (B, 6): of the centroid, and angular; world axes


def rest_state(model) -> State:
    """All blocks of a Model as given, at rest."""
    count = len(model.names)
    orientation = np.zeros((count, 4))
    orientation[:, 0] = 1.0
    return State(0.0, model.bodies.centroid.copy(), orientation, np.zeros((count, 6)))


class StepMemory(NamedTuple):
    """What a step leaves to the next beside the state. C contacts, N free bodies."""

    key: np.ndarray  # (C,) int64: of its contacts
    impulses: np.ndarray  # [N s] (C, 3)
    duration: float  # [s]
    relative: np.ndarray  # [m/s, rad/s] (N, 6): velocities relative to the supports at its end
    earlier: Optional[np.ndarray]  # [m/s, rad/s] (N, 6): those of the step before; None after the first step

    def earlier_for(self, time_step: float) -> np.ndarray:
        """Velocities (N, 6) of the step before the last, to extrapolate from; if the next step is of another length or
        there was none, those of the last.
        """
        return self.relative if self.earlier is None or self.duration != time_step else self.earlier


class DetectorState(NamedTuple):
    """What the detection of contacts takes from step to step. P parts of blocks, K pairs of parts."""

    pairs: object  # kernels.contacts.persistent_pairs.Pairs
    home: object  # kernels.contacts.persistent_pairs.Poses when the boxes were drawn; None before the first step
    room: np.ndarray  # [m] (P,): clearance of the boxes
    friction: np.ndarray  # [-] (K,): of the pairs
    first: bool  # whether no step has been taken yet


class Snapshot(NamedTuple):
    """Everything that a motion needs to go on bit by bit: what `Simulation.snapshot` gives and `restore` takes.

    Later steps do not change it: arrays that they write into are copies.
    """

    state: State
    last: Optional[StepMemory]  # None before the first step
    detector: DetectorState
    methods: Dict[str, Any]  # of `solvers.workspace.Workspace`: which method takes the next step
    joints: Optional[dict]  # of `laws.joint_state.Joints`
    deformation: Optional[dict] = None  # of `motion.deformable.state.Deformation`
