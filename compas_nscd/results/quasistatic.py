"""Result of a quasi-static analysis: displacements, contacts with six components, history of the load.

Signs as in `results.static`, but of the six components: these act on the first block of a joint, along its frame
(n, t, w), and N < 0 is compression.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from compas_nscd.errors import InputError, ProtocolError
from compas_nscd.geometry.vectors import cross, rotations
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.results.static import StaticResult

#: Six components of a contact: forces [N] and moments [N m].
COMPONENTS = ("N", "Tt", "Tw", "Mn", "Mt", "Mw")
#: Methods, and what they are called.
METHODS = {"serrano": "Serrano", "kishino": "Kishino", "bagi_bojtar": "Bagi and Bojtar"}
VERDICTS = {"balance": "is in balance", "mechanism": "becomes a mechanism", "not_converged": "is not in balance"}

_NUMBERS = ("method", "steps", "factor", "failures", "error_max", "broken_bonds")
#: Arrays of a reply: type and shape. H increments.
_ARRAYS: dict[str, tuple[str, tuple[int, ...]]] = {
    "displacement": ("f8", (-1, 6)),
    "equilibrium_error": ("f8", (-1, 6)),
    "contact_vector": ("f8", (-1, 6)),
    "contact_frame": ("f8", (-1, 3, 3)),
    "contact_deformation": ("f8", (-1, 6)),
    "joint_state": ("u1", (-1,)),
    "joint_broken": ("u1", (-1,)),
    "history_stage": ("i4", (-1,)),
    "history_factor": ("f8", (-1,)),
    "history_iterations": ("i8", (-1,)),
    "history_error": ("f8", (-1,)),
    "history_broken": ("i4", (-1,)),
}


class QuasistaticResult(StaticResult):
    """Result of a quasi-static analysis.

    Parameters
    ----------
    reply : dict
        Of the engine; every array in it is an attribute of the result (see docs/architecture.md).
    structure : Structure
    case : LoadCase, optional

    Attributes
    ----------
    verdict : {"balance", "mechanism", "not_converged"}
        The whole load is in balance; a motion that no contact resists was found; neither.
    summary : dict
        The numbers of ``nscd quasistatic --json``.
    displacement : (B, 6) array
        [m, rad]
    equilibrium_error : (B, 6) array
        What is missing to the balance of every block [N, N m].
    contact_vector : (I, 6) array
        N, Tt, Tw [N], Mn, Mt, Mw [N m] on the first block of every joint.
    contact_frame : (I, 3, 3) array
        Its axes n, t, w.
    contact_deformation : (I, 6) array
        [m, rad]
    joint_state, joint_broken : (I,) arrays
        0 open, 1 sticks, 2 slides; 1 if its bond is broken.
    history_stage, history_factor, history_iterations, history_error, history_broken : (H,) arrays
        Of the load increments.
    history_displacement, history_reaction : (H, B, 6) arrays
        Displacements [m, rad], and forces of held blocks on their neighbours [N, N m].
    """

    arrays = (*StaticResult.arrays, *_ARRAYS, "history_displacement", "history_reaction")
    numbers = StaticResult.numbers + _NUMBERS

    displacement: np.ndarray
    equilibrium_error: np.ndarray
    contact_vector: np.ndarray
    contact_frame: np.ndarray
    contact_deformation: np.ndarray
    joint_state: np.ndarray
    joint_broken: np.ndarray
    history_stage: np.ndarray
    history_factor: np.ndarray
    history_iterations: np.ndarray
    history_error: np.ndarray
    history_broken: np.ndarray
    history_displacement: np.ndarray
    history_reaction: np.ndarray

    def __init__(
        self, reply: dict[str, Any], structure: Structure, case: LoadCase | None = None, name: str | None = None
    ) -> None:
        wanted = _NUMBERS + tuple(_ARRAYS) + ("history_displacement", "history_reaction", "verdict")
        missing = [key for key in wanted if key not in reply]
        if missing or reply["verdict"] not in VERDICTS:
            raise ProtocolError("The reply of the engine lacks {}.".format(", ".join(missing) or "a known verdict"))
        super().__init__(dict(reply, verdict=_as_static(reply["verdict"])), structure, case, name)
        blocks = len(structure.blocks)
        shapes = dict(_ARRAYS, history_displacement=("f8", (-1, blocks, 6)), history_reaction=("f8", (-1, blocks, 6)))
        for key, (kind, shape) in shapes.items():
            setattr(self, key, np.asarray(reply[key], kind).reshape(shape))
        self.arrays = tuple(dict.fromkeys(self.arrays))
        self.verdict = reply["verdict"]
        self.summary.update((key, reply[key]) for key in _NUMBERS)
        self.summary.update(analysis="quasistatic", verdict=self.verdict, displacement_max=self.displacement_max)

    @classmethod
    def from_reply(cls, reply: dict[str, Any], structure: Structure, case: LoadCase | None = None) -> QuasistaticResult:
        """Result of a reply of the engine."""
        method = {"solver": reply["method"], "residual": reply["error_max"], "unbalanced_max": reply["error_max"]}
        return cls(dict(reply, eps=[], speed=[], **method), structure, case)

    @property
    def stands(self) -> bool:
        """Whether the whole load is in balance."""
        return self.verdict == "balance"

    @property
    def answer(self) -> str:
        """The verdict in words."""
        return VERDICTS[self.verdict]

    @property
    def headline(self) -> str:
        """The result in a few words."""
        return "It " + self.answer

    @property
    def words(self) -> str:
        """The result in a sentence."""
        if self.verdict == "balance":
            return "All increments of the load are in balance."
        share = "Balance was found up to {:.4g} of the last stage of the load.".format(self.summary["factor"])
        return share + (" Then no contact resists a motion." if self.verdict == "mechanism" else "")

    @property
    def figures(self) -> list[tuple[str, str]]:
        """Labels and numbers for a table: [(label, text)]."""
        s = self.summary
        return [
            ("Method", "{}, {} iterations".format(METHODS[s["method"]], s["iterations"])),
            ("Load increments", "{}, {} halved".format(s["steps"], s["failures"])),
            ("Greatest displacement", "{:.3g} mm".format(1e3 * self.displacement_max)),
        ] + ([("Broken bonds", str(s["broken_bonds"]))] if s["broken_bonds"] else [])

    @property
    def mechanism(self) -> np.ndarray | None:
        """Motion that no contact resists (B, 6), the fastest vertex at 1; None unless there is one."""
        return super().mechanism if self.verdict == "mechanism" else None

    @property
    def displacement_max(self) -> float:
        """Greatest displacement of a vertex, of round blocks of their centres [m]."""
        return float(np.linalg.norm(self._moved(1.0)[1], axis=1).max(initial=0.0))

    def _moved(self, scale: float) -> tuple[np.ndarray, np.ndarray]:
        """Vertices (V, 3), of round blocks their centres, and their displacements, linear in the rotations [m]."""
        poly = self.structure.polyhedra
        block = poly.vertex_block
        arm = poly.vertices - self.centroid[block]
        return poly.vertices, scale * (self.displacement[block, :3] + cross(self.displacement[block, 3:], arm))

    def deformed_vertices(self, scale: float = 1.0) -> list[np.ndarray]:
        """Vertices of the blocks at a multiple of their displacements, in the order of `Block.surface` [m]."""
        turn = rotations(scale * self.displacement[:, 3:])
        place = self.centroid + scale * self.displacement[:, :3]
        given = [block.surface()[0] for block in self.structure.blocks]
        return [(v - c) @ r.T + x for v, c, r, x in zip(given, self.centroid, turn, place)]

    @property
    def contact_moments(self) -> np.ndarray:
        """Moment on the second block of every joint about its point [N m], in world axes. (I, 3)"""
        return -np.einsum("ckx,ck->cx", self.contact_frame, self.contact_vector[:, 3:])

    def curve(self, block: Any = None, axis: str = "z", load: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """Load-displacement curve, from the unloaded state.

        Parameters
        ----------
        block : int or str, optional
            Whose displacement is measured; default: the greatest displacement of all blocks.
        axis : {"x", "y", "z"}, optional
            Component of displacement and force.
        load : int or str, optional
            Held block whose force on its neighbours is the load [N]; default: the load itself, as its factor, counted
            on from stage to stage.

        Returns
        -------
        (H + 1,), (H + 1,) arrays
            Displacements [m] and loads.
        """
        if axis not in ("x", "y", "z"):
            raise InputError("The axis {!r:.20} is not x, y or z.".format(axis))
        k = "xyz".index(axis)
        moved = self.history_displacement
        if block is None:
            along = np.linalg.norm(moved[:, :, :3], axis=2).max(axis=1, initial=0.0)
        else:
            along = moved[:, self.structure.index(block), k]
        applied = self.history_stage + self.history_factor
        if load is not None:
            applied = self.history_reaction[:, self.structure.index(load), k]
        return np.append(0.0, along), np.append(0.0, applied)

    def __repr__(self) -> str:
        return "<QuasistaticResult {}: {}>".format(self.structure.name, self.verdict)


def _as_static(verdict: str) -> str:
    """The verdict of a static result that is drawn in the same way."""
    return "stable" if verdict == "balance" else "collapse"
