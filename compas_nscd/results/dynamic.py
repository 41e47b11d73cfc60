"""Result of a motion. The arrays of the reply are kept; objects are made of them on request."""

from __future__ import annotations

from typing import Any

import numpy as np

from compas_nscd.errors import InputError, ProtocolError
from compas_nscd.geometry.vectors import quaternion_matrices, rotation_vectors, rotations
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.results.base import Result

_SUMMARY = (
    "verdict",
    "solver",
    "friction",
    "blocks",
    "free_blocks",
    "time_step",
    "simulated_s",
    "ended",
    "steps",
    "iterations_mean",
    "iterations_max",
    "contacts_max",
    "max_displacement",
    "penetration_max",
    "collapse_time",
    "first_to_move",
)

#: Numbers of the reply that results of version 0.1.0 lack, with what stands for them; `outcome` follows the verdict.
_LATER: dict[str, Any] = {
    "outcome": None,
    "fallen": [],
    "fallen_time": None,
    "displaced_time": None,
    "rest_time": None,
    "unconverged": 0,
    "unconverged_residual": None,
    "unconverged_time": None,
    "elastic": None,
}
#: How a motion ended -> in a word, and in a sentence (docs/dynamics.md has the criterion).
OUTCOMES = {
    "stands": ("stands", "It is still standing at the end of the motion."),
    "displaced": ("stands, displaced", "It came to rest, displaced by more than half the size of a block."),
    "moving": ("still moves", "Nothing has fallen, but blocks still move at the end: follow it for longer."),
    "fallen": ("falls", "It collapses during the motion."),
}

#: Arrays of a reply: type, and shape; words are numbers of blocks, probes, rows of probes, frames.
_ARRAYS: dict[str, tuple[str, tuple]] = {
    "centroid": ("f8", (-1, 3)),
    "mass": ("f8", (-1,)),
    "times": ("f8", (-1,)),
    "position": ("f8", (-1, "blocks", 3)),
    "orientation": ("f8", (-1, "blocks", 4)),
    "velocity": ("f8", (-1, "blocks", 6)),
    "ground": ("f8", (-1, 3)),
    "energies": ("f8", (-1, 6)),
    "probe_block": ("i4", (-1,)),
    "probe_times": ("f8", (-1,)),
    "probe_displacement": ("f8", ("rows", "probes", 3)),
    "probe_ground": ("f8", (-1, 3)),
    "checkpoint": ("u1", (-1,)),
}
#: Only if forces were recorded.
_FORCES: dict[str, tuple[str, tuple]] = {
    "contact_start": ("i8", (-1,)),
    "contact_body": ("i4", (-1, 2)),
    "contact_point": ("f8", (-1, 3)),
    "contact_force": ("f8", (-1, 3)),
}

#: Only with laws beyond friction, cables, or deformable blocks. At the end of the motion; `cable_forces` and
#: `elastic_energy` at every frame.
_LAWS: dict[str, tuple[str, tuple]] = {
    "bond_body": ("i4", (-1, 2)),
    "bond_left": ("f8", (-1,)),
    "cable_force": ("f8", (-1,)),
    "cable_plastic": ("f8", (-1,)),
    "cable_body": ("i4", (-1, 2)),
    "cable_forces": ("f8", ("frames", -1)),
    "elastic_energy": ("f8", ("frames",)),
}

#: Columns of `energies` [J]; losses and work are cumulative.
ENERGIES = ("kinetic", "potential", "friction_loss", "impact_loss", "work", "scheme_loss")


class DynamicResult(Result):
    """Result of a motion.

    Parameters
    ----------
    reply : dict
        Of the engine; every array in it is an attribute of the result (see docs/dynamics.md).
    structure : Structure
    case : LoadCase, optional

    Attributes
    ----------
    verdict : {"stable", "collapse"}
    outcome : {"stands", "displaced", "moving", "fallen"}
        How the motion ended; "fallen" goes with "collapse", the others with "stable".
    summary : dict
        The numbers of ``nscd dynamic --json``.
    times : array (S,)
        Of the recorded frames [s].
    position, orientation, velocity : array (S, B, 3), (S, B, 4), (S, B, 6)
        Centroids [m], rotations from the given geometry as unit quaternions w x y z, velocities [m/s, rad/s].
    ground : array (S, 3)
        Common displacement of all supports [m].
    bond_body, bond_left : array (J, 2), (J,)
        Contact points with laws beyond friction: their blocks, and the remaining share of the bond at the end [-].
    cable_force, cable_plastic : array (K,)
        Force [N] and plastic elongation [m] of cables at the end.
    cable_forces : array (S, K)
        Forces of cables at every frame [N]: mean over the preceding step; at the beginning the prestress.
    cable_body : array (K, 2)
        Blocks at the ends of cables; a support for the ground.
    elastic : ElasticResult
        Displacements from the rigid pose and stresses of deformable blocks at the end; None if all are rigid.
    """

    numbers = _SUMMARY + tuple(_LATER)
    centroid: np.ndarray
    mass: np.ndarray
    times: np.ndarray
    position: np.ndarray
    orientation: np.ndarray
    velocity: np.ndarray
    ground: np.ndarray
    energies: np.ndarray
    probe_block: np.ndarray
    probe_times: np.ndarray
    probe_displacement: np.ndarray
    probe_ground: np.ndarray
    checkpoint: np.ndarray
    contact_start: np.ndarray
    contact_body: np.ndarray
    contact_point: np.ndarray
    contact_force: np.ndarray
    bond_body: np.ndarray
    bond_left: np.ndarray
    cable_force: np.ndarray
    cable_plastic: np.ndarray
    cable_body: np.ndarray
    cable_forces: np.ndarray
    elastic_energy: np.ndarray

    def __init__(
        self, reply: dict[str, Any], structure: Structure, case: LoadCase | None = None, name: str | None = None
    ) -> None:
        super().__init__(reply, structure, case, name)
        missing = [key for key in _SUMMARY + ("time",) + tuple(_ARRAYS) if key not in reply]
        if missing:
            raise ProtocolError("The reply of the engine lacks {}.".format(", ".join(missing)))
        kinds = dict(_ARRAYS, **(_FORCES if "contact_start" in reply else {}))
        kinds.update((key, kind) for key, kind in _LAWS.items() if key in reply)
        #: Names of the attributes that are arrays of the reply.
        self.arrays = tuple(kinds)
        rows, probes = len(reply["probe_times"]), len(reply["probe_block"])
        counts = {"blocks": len(structure.blocks), "probes": probes, "rows": rows, "frames": len(reply["times"])}
        for key, (kind, shape) in kinds.items():
            setattr(self, key, _array(reply[key], kind, [counts.get(n, n) for n in shape], key))
        self._take_elastic(reply)
        self._check_lengths()
        if reply["verdict"] not in ("stable", "collapse"):
            raise ProtocolError("The verdict {!r:.40} is unknown.".format(reply["verdict"]))
        self.verdict = reply["verdict"]
        self.summary: dict[str, Any] = {"analysis": "dynamic", "scene": structure.name}
        self.summary.update((key, reply[key]) for key in _SUMMARY)
        self.summary.update((key, reply.get(key, default)) for key, default in _LATER.items())
        self.outcome = self.summary["outcome"] or ("fallen" if self.verdict == "collapse" else "stands")
        if self.outcome not in OUTCOMES:
            raise ProtocolError("The outcome {!r:.40} is unknown.".format(self.outcome))
        self.summary["outcome"] = self.outcome
        self.summary["time"] = dict(reply["time"])

    @classmethod
    def from_reply(cls, reply: dict[str, Any], structure: Structure, case: LoadCase | None = None) -> DynamicResult:
        """Result of a reply of the engine."""
        return cls(reply, structure, case)

    def _check_lengths(self) -> None:
        frames, rows = len(self.times), len(self.probe_times)
        expected = {"centroid": len(self.structure.blocks), "mass": len(self.structure.blocks)}
        expected.update(dict.fromkeys(("position", "orientation", "velocity", "ground", "energies"), frames))
        expected.update(dict.fromkeys(("probe_displacement", "probe_ground"), rows))
        if "contact_start" in self.arrays:
            expected.update(contact_start=frames + 1)
            expected.update(dict.fromkeys(("contact_body", "contact_point", "contact_force"), self.contact_start[-1]))
        if "cable_forces" in self.arrays:
            cables = self.cables
            expected.update(cable_forces=frames, cable_body=len(cables))
            if self.cable_forces.shape[1] != len(cables):
                expected["cable_forces"] = -1
        wrong = [key for key, length in expected.items() if len(getattr(self, key)) != length]
        if wrong or not frames:
            raise ProtocolError("Arrays of the reply do not fit together: {}.".format(", ".join(wrong) or "times"))
        self._check_indices()

    def _check_indices(self) -> None:
        """Refuse blocks that are not there, and frames and contacts out of order: a result may be a file of others."""
        blocks = len(self.structure.blocks)
        keys = [key for key in ("probe_block", "contact_body", "bond_body", "cable_body") if key in self.arrays]
        wrong: list[str] = [key for key in keys if ((getattr(self, key) < 0) | (getattr(self, key) >= blocks)).any()]
        starts = self.contact_start if "contact_start" in self.arrays else np.zeros(1, np.int64)
        wrong += ["contact_start"] if starts[0] != 0 or (starts[1:] < starts[:-1]).any() else []
        wrong += [] if (np.diff(self.times) >= 0.0).all() else ["times"]
        if wrong:
            raise ProtocolError("Arrays of the reply are out of range: {}.".format(", ".join(wrong)))

    # -- poses -----------------------------------------------------------------------------------------------------

    @property
    def poses(self) -> np.ndarray:
        """Positions and orientations of all frames (S, B, 7)."""
        return np.concatenate([self.position, self.orientation], axis=2)

    def pose(self, at: float, magnify: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """Positions (B, 3) [m] and rotation matrices (B, 3, 3) at a time [s], interpolated between frames.

        `magnify` is a factor of displacements relative to the ground, and of rotations.
        """
        i, share = self._frame(at)
        j = min(i + 1, len(self.times) - 1)
        q = (
            self.orientation[j]
            * np.where((self.orientation[i] * self.orientation[j]).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
        )
        q = (1.0 - share) * self.orientation[i] + share * q
        q = q / np.linalg.norm(q, axis=1)[:, None]
        position = (1.0 - share) * self.position[i] + share * self.position[j]
        if magnify == 1.0:
            return position, quaternion_matrices(q)
        at_rest = self.centroid + (1.0 - share) * self.ground[i] + share * self.ground[j]
        return at_rest + magnify * (position - at_rest), rotations(magnify * rotation_vectors(q))

    def _frame(self, at: float) -> tuple[int, float]:
        """Last frame not after a time, and the fraction of the interval to the next."""
        first, last = self.times[0], self.times[-1]
        try:
            at = float(at)
        except (TypeError, ValueError):
            at = np.nan
        if not first - 1e-9 <= at <= last + 1e-9:
            raise InputError("The motion was recorded from {:g} to {:g} s, not at {} s.".format(first, last, at))
        i = min(max(int(np.searchsorted(self.times, at, side="right")) - 1, 0), max(len(self.times) - 2, 0))
        width = self.times[min(i + 1, len(self.times) - 1)] - self.times[i]
        return i, min(max((at - self.times[i]) / width, 0.0), 1.0) if width > 0.0 else 0.0

    def vertices(self, at: float, magnify: float = 1.0) -> list[np.ndarray]:
        """Vertices of every block at a time [s]: list of (n, 3) arrays [m], in the order of `Block.surface`.

        `magnify`: see `pose`.
        """
        position, rotation = self.pose(at, magnify)
        given = [block.surface()[0] for block in self.structure.blocks]
        return [(v - c) @ r.T + x for v, c, r, x in zip(given, self.centroid, rotation, position)]

    def meshes(self, at: float, magnify: float = 1.0) -> list[Any]:
        """Blocks as COMPAS meshes at a time [s]; `magnify`: see `pose`."""
        from compas.datastructures import Mesh

        blocks = self.structure.blocks
        return [
            Mesh.from_vertices_and_faces(xyz.tolist(), [list(face) for face in block.surface()[1]])
            for xyz, block in zip(self.vertices(at, magnify), blocks)
        ]

    def displacement(self, block: Any, relative: bool = True) -> np.ndarray:
        """Displacement of the centroid of a block at the frames [m] (S, 3), relative to the ground or absolute."""
        i = self.structure.index(block)
        moved = self.position[:, i] - self.centroid[i]
        return moved - self.ground if relative else moved

    def probe(self, block: Any) -> tuple[np.ndarray, np.ndarray]:
        """Times [s] (n,) and displacement [m] (n, 3) of a probe at every step, in world axes."""
        i = self.structure.index(block)
        where = np.flatnonzero(self.probe_block == i)
        if not len(where):
            raise InputError("Block {} was no probe.".format(block), remedy="Name it in `probes`.")
        return self.probe_times, self.probe_displacement[:, where[0]]

    def cable_ends(self, at: float, magnify: float = 1.0) -> np.ndarray:
        """Ends of the cables at a time [s]: (K, 2, 3) [m]; `magnify`: see `pose`."""
        cables = self.cables
        points = np.array([each.points for each in cables]).reshape(-1, 2, 3)
        position, rotation = self.pose(at, magnify)
        arm = points - self.centroid[self.cable_body]
        return position[self.cable_body] + np.einsum("ksij,ksj->ksi", rotation[self.cable_body], arm)

    # -- energy and forces -----------------------------------------------------------------------------------------

    @property
    def energy(self) -> dict[str, np.ndarray]:
        """Histories [J] (S,): kinetic, potential, friction_loss, impact_loss, work, scheme_loss; elastic of deformable
        blocks.

        kinetic + potential + elastic + friction_loss + impact_loss + scheme_loss - work is constant; `work` is that of
        loads and moving supports, `scheme_loss` the numerical dissipation of the time integration.
        """
        found = {key: self.energies[:, k] for k, key in enumerate(ENERGIES)}
        return dict(found, elastic=self.elastic_energy) if "elastic_energy" in self.arrays else found

    def contact_forces(self, at: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Blocks (C, 2), points [m] (C, 3) and forces on the second block [N] (C, 3) at the last frame before a time.

        Only if they were recorded (`forces=True`).
        """
        if "contact_start" not in self.arrays:
            raise InputError("The forces were not recorded.", remedy="Ask for forces=True.")
        i, share = self._frame(at)
        i += share >= 1.0
        mine = slice(self.contact_start[i], self.contact_start[i + 1])
        return self.contact_body[mine], self.contact_point[mine], self.contact_force[mine]

    @property
    def words(self) -> tuple[str, str]:
        """How the motion ended: in a word, as in "it falls", and in a sentence."""
        return OUTCOMES[self.outcome]

    def first_to_move(self, count: int) -> list[str]:
        """Names of the blocks that moved first, at most `count`."""
        return self.summary["first_to_move"][:count]

    def __repr__(self) -> str:
        return "<DynamicResult {}: {} after {:g} s>".format(
            self.structure.name, self.words[0], self.summary["simulated_s"]
        )


def _array(value: Any, kind: str, shape: list[Any], key: str) -> np.ndarray:
    try:
        return np.asarray(value, kind).reshape(shape)
    except (TypeError, ValueError):
        raise ProtocolError("The array {} of the reply has the wrong shape.".format(key))
