"""Result of a static analysis. The arrays of the reply are kept; objects are made of them on request.

Signs: the normal of an interface points from block a to block b; forces are those on b, so compression is positive
along the normal; a support reaction is the force of the support on the structure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from compas_nscd.errors import ProtocolError
from compas_nscd.geometry.vectors import cross, rotations
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.results.base import Result, is_uncertain
from compas_nscd.results.interface import Interface
from compas_nscd.results.strength import cohesion, crushed, law_of

if TYPE_CHECKING:
    from compas_nscd.results.cracks import Crack
    from compas_nscd.results.joint_table import Joints
    from compas_nscd.results.stress import Stresses

#: Displacement of the fastest vertex in drawings of a mechanism [median diagonal of a block]. Larger: blocks fly apart.
#: Smaller: the mechanism is not visible.
DISPLACED = 0.5

_SUMMARY = (
    "verdict",
    "solver",
    "blocks",
    "free_blocks",
    "interfaces",
    "contacts",
    "iterations",
    "residual",
    "unbalanced_max",
    "penetration_max",
    "support_reaction",
    "weight_total",
)

#: How linear systems were solved: "factor" or "conjugate_gradients"; factorisations, products with a matrix.
_LINEAR = ("linear_solver", "factorizations", "products")

#: Arrays of a reply: type and shape.
_ARRAYS: dict[str, tuple[str, tuple[int, ...]]] = {
    "eps": ("f8", (-1,)),
    "speed": ("f8", (-1,)),
    "centroid": ("f8", (-1, 3)),
    "mass": ("f8", (-1,)),
    "velocity": ("f8", (-1, 6)),
    "interface_body": ("i4", (-1, 2)),
    "interface_normal": ("f8", (-1, 3)),
    "interface_area": ("f8", (-1,)),
    "interface_centroid": ("f8", (-1, 3)),
    "interface_gap": ("f8", (-1,)),
    "polygon": ("f8", (-1, 3)),
    "polygon_start": ("i4", (-1,)),
    "contact_start": ("i4", (-1,)),
    "contact_point": ("f8", (-1, 3)),
    "contact_force": ("f8", (-1, 3)),
    "contact_status": ("u1", (-1,)),
}

#: Arrays of a reply with laws beyond friction, or cables.
_LAW_ARRAYS: dict[str, tuple[str, tuple[int, ...]]] = {
    "contact_broken": ("u1", (-1,)),
    "displacement": ("f8", (-1, 6)),
    "cable_force": ("f8", (-1,)),
    "interface_law": ("i4", (-1,)),
}


class StaticResult(Result):
    """Result of a static analysis: verdict, forces, mechanism.

    Parameters
    ----------
    reply : dict
        Of the engine; every array in it is an attribute of the result (see docs/architecture.md).
    structure : Structure
    case : LoadCase, optional

    Attributes
    ----------
    verdict : {"stable", "collapse"}
        Stable: admissible forces balance the loads.
    assured : bool or None
        Whether the balance is reached from the unloaded state. If not, it needs a clamping that nothing produces, and
        the warning `wedged` names the blocks; None in results of limits and of earlier versions.
    summary : dict
        The numbers of ``nscd static --json``.
    contact_broken : (C,) array of int
        1 where the bond is broken; None if no joint has strength or stiffness.
    displacement : (B, 6) array
        Of the blocks on elastic joints, or beside deformable blocks [m, rad]; None likewise.
    cable_force : (K,) array
        [N]; None without cables.
    interface_law : (I,) array of int
        Row of `structure.interface_laws` of every interface, -1 without one; None if there are no such laws.
    elastic : ElasticResult
        Displacements and stresses of deformable blocks; None if all are rigid, or the structure falls.
    linear : dict
        How linear systems were solved: `linear_solver`, `factorizations`, `products`; empty if a file does not say it.
    """

    #: Names of the attributes that are arrays of the reply.
    arrays: tuple[str, ...] = tuple(_ARRAYS)
    numbers: tuple[str, ...] = (*_SUMMARY, "assured", "elastic")
    eps: np.ndarray
    speed: np.ndarray
    centroid: np.ndarray
    mass: np.ndarray
    velocity: np.ndarray
    interface_body: np.ndarray
    interface_normal: np.ndarray
    interface_area: np.ndarray
    interface_centroid: np.ndarray
    interface_gap: np.ndarray
    polygon: np.ndarray
    polygon_start: np.ndarray
    contact_start: np.ndarray
    contact_point: np.ndarray
    contact_force: np.ndarray
    contact_status: np.ndarray
    contact_broken: np.ndarray | None = None
    displacement: np.ndarray | None = None
    cable_force: np.ndarray | None = None
    interface_law: np.ndarray | None = None

    def __init__(
        self, reply: dict[str, Any], structure: Structure, case: LoadCase | None = None, name: str | None = None
    ) -> None:
        super().__init__(reply, structure, case, name)
        missing = [key for key in _SUMMARY + ("time",) + tuple(_ARRAYS) if key not in reply]
        if missing:
            raise ProtocolError("The reply of the engine lacks {}.".format(", ".join(missing)))
        given = {key: kind for key, kind in _LAW_ARRAYS.items() if key in reply}
        for key, (kind, shape) in dict(_ARRAYS, **given).items():
            setattr(self, key, _array(reply[key], kind, shape, key))
        self.arrays = self.arrays + tuple(key for key in given if key not in self.arrays)
        self._take_elastic(reply)
        self._check_lengths()
        if reply["verdict"] not in ("stable", "collapse"):
            raise ProtocolError("The verdict {!r:.40} is unknown.".format(reply["verdict"]))
        self.verdict = reply["verdict"]
        self.assured: bool | None = None if reply.get("assured") is None else bool(reply["assured"])
        self.summary: dict[str, Any] = {"analysis": "static", "scene": structure.name}
        self.summary.update((key, _plain(reply[key])) for key in _SUMMARY)
        self.summary.update(assured=self.assured, elastic=reply.get("elastic"))
        self.linear: dict[str, Any] = {key: reply[key] for key in _LINEAR if key in reply}
        self.summary["time"] = dict(reply["time"])
        self._interfaces = _Interfaces(self)
        self._joints: Joints | None = None

    @classmethod
    def from_reply(cls, reply: dict[str, Any], structure: Structure, case: LoadCase | None = None) -> StaticResult:
        """Result of a reply of the engine."""
        return cls(reply, structure, case)

    def _check_lengths(self) -> None:
        blocks, joints, contacts = len(self.structure.blocks), len(self.interface_body), len(self.contact_point)
        expected = {
            "centroid": blocks,
            "mass": blocks,
            "velocity": blocks,
            "interface_normal": joints,
            "interface_area": joints,
            "interface_centroid": joints,
            "interface_gap": joints,
            "polygon_start": joints + 1,
            "contact_start": joints + 1,
            "contact_force": contacts,
            "contact_status": contacts,
        }
        if "contact_broken" in self.arrays:
            expected.update(contact_broken=contacts, displacement=blocks)
        if self.interface_law is not None:
            expected["interface_law"] = joints
            if (self.interface_law >= len(self.structure.interface_laws)).any():
                raise ProtocolError("The reply names a law of an interface that is not there.")
        wrong = [key for key, length in expected.items() if len(getattr(self, key)) != length]
        body, ends = self.interface_body, (self.polygon_start[-1:].sum(), self.contact_start[-1:].sum())
        if (joints and (body.min() < 0 or body.max() >= blocks)) or ends != (len(self.polygon), contacts):
            wrong.append("interface_body, polygon_start or contact_start")
        if wrong:
            raise ProtocolError("Arrays of the reply do not fit together: {}.".format(", ".join(wrong)))

    @property
    def stands(self) -> bool:
        """Whether the structure is stable."""
        return self.verdict == "stable"

    @property
    def answer(self) -> str:
        """The verdict in words: stands, stands only if clamped, or falls; uncertain if the solver did not converge."""
        words = "stands" if self.stands else "falls"
        if self.stands and self.assured is False:
            words = "stands only if clamped"
        return words + (" (uncertain: not converged)" if is_uncertain(super().warnings) else "")

    # -- forces ----------------------------------------------------------------------------------------------------

    @property
    def interfaces(self) -> Sequence[Interface]:
        """The joints: a sequence of Interface, each made on first use."""
        return self._interfaces

    @property
    def joints(self) -> Joints:
        """Forces and utilisations of all joints in arrays; computed once."""
        if self._joints is None:
            from compas_nscd.results.joint_table import joints

            self._joints = joints(self)
        return self._joints

    def thrust_lines(self, blocks: Sequence[Any] | None = None, plane: Any = None) -> list[np.ndarray]:
        """Lines through the centres of pressure of chains of blocks; see `results.thrust.thrust_lines`."""
        from compas_nscd.results.thrust import thrust_lines

        return thrust_lines(self, blocks, plane)

    def cracks(self) -> list[Crack]:
        """Joints that open or slide in the mechanism, widest first; see `results.cracks.cracks`."""
        from compas_nscd.results.cracks import cracks

        return cracks(self)

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """Warnings of the checks, of the engine, and of crushed joints: list of ``{"code", "message", "blocks"}``."""
        return super().warnings + crushed(self)

    def stresses(self) -> Stresses:
        """Mean stress of every block; see `results.stress`."""
        from compas_nscd.results.stress import stresses

        return stresses(self)

    @property
    def interface_resultants(self) -> np.ndarray:
        """Force on block b of every interface [N]. (I, 3)"""
        total = np.zeros((len(self.interface_body), 3))
        np.add.at(total, np.repeat(np.arange(len(total)), np.diff(self.contact_start)), self.contact_force)
        return total

    @property
    def support_reaction(self) -> np.ndarray:
        """Total force of the supports on the structure [N]. (3,)"""
        return np.array(self.summary["support_reaction"])

    @property
    def support_reactions(self) -> dict[str, np.ndarray]:
        """Force of each support on its neighbours [N] (3,), by name of the support."""
        total = np.zeros((len(self.structure.blocks), 3))
        force = self.interface_resultants
        np.add.at(total, self.interface_body[:, 0], force)
        np.subtract.at(total, self.interface_body[:, 1], force)
        return {self.structure.names[i]: total[i] for i in self.structure.supports}

    # -- motion ----------------------------------------------------------------------------------------------------

    @property
    def mechanism(self) -> np.ndarray | None:
        """Collapse mechanism: velocity and angular velocity at the centroid of every block (B, 6), scaled so that the
        velocity of the fastest vertex is 1; None if stable.
        """
        if self.verdict == "stable":
            return None
        fastest = self._vertex_speeds().max(initial=0.0)
        return self.velocity / fastest if fastest > 0.0 else np.zeros_like(self.velocity)

    def _vertex_speeds(self) -> np.ndarray:
        """Speed of the fastest vertex of every block, in the unit of `velocity`. (B,)"""
        poly = self.structure.surfaces
        block = poly.vertex_block
        moving = self.velocity[block, :3] + cross(self.velocity[block, 3:], poly.vertices - self.centroid[block])
        return np.maximum.reduceat(np.linalg.norm(moving, axis=1), poly.vertex_start[:-1])

    def first_to_move(self, count: int) -> list[str]:
        """Names of the fastest blocks of the mechanism, at most `count`; none if stable."""
        if self.mechanism is None:
            return []
        speed = self._vertex_speeds()
        order = np.argsort(-speed, kind="stable")[:count]
        return [self.structure.names[i] for i in order if speed[i] > 0.0]

    def displaced_vertices(self, scale: float) -> list[np.ndarray]:
        """Vertices of the blocks displaced along the mechanism, with finite rotations.

        Parameters
        ----------
        scale : float
            Displacement of the fastest vertex, if it were straight [m].

        Returns
        -------
        list of (n, 3) array
            In the order of `Block.surface` [m].
        """
        given = [block.surface()[0] for block in self.structure.blocks]
        position, rotation = self.displaced_pose(scale)
        return [(v - c) @ r.T + x for v, c, r, x in zip(given, self.centroid, rotation, position)]

    def displaced_pose(self, scale: float) -> tuple[np.ndarray, np.ndarray]:
        """Positions of the centroids (B, 3) [m] and rotation matrices (B, 3, 3); see `displaced_vertices`."""
        mechanism = self.mechanism
        if mechanism is None:
            return self.centroid, np.tile(np.eye(3), (len(self.centroid), 1, 1))
        return self.centroid + scale * mechanism[:, :3], rotations(scale * mechanism[:, 3:])

    def displaced(self, scale: float) -> list[Any]:
        """The displaced blocks as COMPAS meshes; see `displaced_vertices`."""
        from compas.datastructures import Mesh

        blocks = self.structure.blocks
        moved = self.displaced_vertices(scale)
        return [Mesh.from_vertices_and_faces(xyz.tolist(), block.surface()[1]) for xyz, block in zip(moved, blocks)]

    def __repr__(self) -> str:
        return "<StaticResult {}: {}>".format(self.structure.name, self.verdict)


class _Interfaces(Sequence):
    """The interfaces of a result, each made on first use."""

    def __init__(self, result: StaticResult) -> None:
        self._result = result
        self._made: list[Interface | None] = [None] * len(result.interface_body)

    def __len__(self) -> int:
        return len(self._made)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        if self._made[i] is None:
            self._made[i] = self._make(range(len(self))[i])
        return self._made[i]

    def _make(self, i: int) -> Interface:
        r = self._result
        a, b = r.interface_body[i].tolist()
        outline = slice(r.polygon_start[i], r.polygon_start[i + 1])
        mine = slice(r.contact_start[i], r.contact_start[i + 1])
        return Interface(
            (a, b),
            (r.structure.names[a], r.structure.names[b]),
            r.polygon[outline],
            r.interface_normal[i],
            r.interface_centroid[i],
            r.interface_area[i],
            r.interface_gap[i],
            r.contact_point[mine],
            r.contact_force[mine],
            r.contact_status[mine],
            friction=law_of(r, i).friction,
            cohesion=float(cohesion(r)[i]),
            opening=r.joints.opening[i] if r.mechanism is not None else 0.0,
        )

    def __repr__(self) -> str:
        return "<{} interfaces>".format(len(self))


def _array(value: Any, kind: str, shape: tuple[int, ...], key: str) -> np.ndarray:
    try:
        return np.asarray(value, kind).reshape(shape)
    except (TypeError, ValueError):
        raise ProtocolError("The array {} of the reply has the wrong shape.".format(key))


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
