"""Quasi-static methods: stiffness, springs in series, elastic constants of packings, a bonded beam, and all methods."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.contact_stiffness import ContactBond, ContactStiffness
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.model.structure import Structure
from compas_nscd.results.quasistatic import QuasistaticResult
from compas_nscd.templates.packing import biaxial, guides
from compas_nscd.validation.case import Trial
from compas_nscd.validation.chapter import Chapter

CHAPTER = Chapter("Quasi-static methods")
#: Radius of discs and spheres [m], stiffness of their contacts [N/m, N m], load [N].
R, KN, KT, KTWIST, KBEND, LOAD = 0.5, 2e6, 8e5, 3e4, 5e4, 100.0
NO_GRAVITY = (0.0, 0.0, 0.0)
#: Biaxial test: discs, pressure [Pa], normal stiffness over pressure times depth [-], strain, increments.
DISCS, PRESSURE, RATIO, STRAIN, STEPS = 200, 1e4, 1000.0, 4e-4, 20
EXACT = "Linear equations are solved to rounding."


@CHAPTER.case("V80", "Stiffness matrix: rigid motion and reciprocity", "D", "kinematics; Betti's theorem", EXACT)
def stiffness_matrix(trial: Trial) -> None:
    """A pile of discs: a rigid motion of all supports causes no force; displacements are reciprocal."""
    pile = _pile()
    turn, moved = 1e-3, LoadCase(gravity=NO_GRAVITY)
    for i in pile.supports:
        x, _, z = pile.blocks[i].vertices[0]
        moved.support_motions.append(SupportMotion(i, (2e-3 + turn * z, 0.0, 1e-3 - turn * x), 1.0, (0.0, turn, 0.0)))
    found = _linear(trial, pile, moved)
    largest = float(np.abs(found.contact_vector).max()) / (KN * 2e-3)
    trial.number("force of a rigid motion over kN times the displacement [-]", 0.0, largest, absolute=1e-7)
    ends = [(3, (1.0, 0.0, 0.0)), (5, (0.0, 0.0, -1.0))]
    first, second = (_linear(trial, pile, _loaded(pile, *end)).displacement for end in ends)
    here, there = second[3, :3] @ ends[0][1], first[5, :3] @ ends[1][1]
    trial.number("displacement at one disc for a load at another [m]", float(there), float(here), relative=1e-7)


@CHAPTER.case("V81", "Column of discs; square and hexagonal packing", "D", "springs in series; lattice sums", EXACT)
def packings(trial: Trial) -> None:
    """Springs in series; elastic constants per depth from the forces of one disc in an affine displacement."""
    column = Structure(
        [_disc(0.0, 2.0 * R * k, support=k == 0) for k in range(6)], ContactLaw(friction=0.5), "column", planar="y"
    )
    found = _linear(trial, column, _loaded(column, 5, (0.0, 0.0, -1.0)))
    trial.number("shortening of five springs in series [m]", 5.0 * LOAD / KN, -float(found.displacement[5, 2]), 1e-7)
    root = math.sqrt(3.0) / 4.0
    hexagonal = (root * (3.0 * KN + KT), root * (KN - KT), root * (KN + KT))
    for name, expected in (("square", (KN, 0.0, 0.5 * KT)), ("hexagonal", hexagonal)):
        for key, reference, computed in zip(("C11", "C12", "C66"), expected, _constants(trial, name)):
            trial.number("{} packing, {} [N/m]".format(name, key), reference, computed, absolute=1e-7 * KN)


@CHAPTER.case("V82", "Beam of bonded spheres", "D", "sum of the deformations of its contacts", EXACT)
def beam(trial: Trial) -> None:
    """Ten spheres on a held one, a load at the end: along, across, and as a couple that twists."""
    count, a = 10, 2.0 * R
    blocks = [Block.sphere((a * k, 0.0, 0.0), R, 1000.0, support=k == 0) for k in range(count + 1)]
    spheres = Structure(blocks, ContactLaw(friction=0.5), "bonded beam")
    along = _linear(trial, spheres, _loaded(spheres, count, (1.0, 0.0, 0.0))).displacement[-1]
    trial.number("extension [m]", count * LOAD / KN, float(along[0]), relative=1e-7)
    across = _linear(trial, spheres, _loaded(spheres, count, (0.0, 0.0, -1.0))).displacement[-1]
    bending = LOAD * a**2 * count * (4 * count**2 - 1) / (12.0 * KBEND)
    trial.number("deflection [m]", count * LOAD / KT + bending, -float(across[2]), relative=1e-7)
    twisting = LoadCase(gravity=NO_GRAVITY)
    for side in (R, -R):
        twisting.add_point_load(count, (a * count, side, 0.0), (0.0, 0.0, math.copysign(LOAD, side)))
    twist = _linear(trial, spheres, twisting).displacement[-1, 3]
    trial.number("twist [rad]", count * LOAD * a / KTWIST, float(twist), relative=1e-7)


@CHAPTER.case(
    "V83", "Three methods and dynamic relaxation", "C", "damped motion of the same springs", "Errors of 1e-10."
)
def methods(trial: Trial) -> None:
    """A pile of discs under its weight, without sliding or tension: one displacement by all methods."""
    pile = _pile()
    stiffness, case = ContactStiffness(KN, KT, bend=KBEND), LoadCase()
    reference = _relaxed(_solved(trial, pile, case, stiffness, "serrano"))
    for method in ("serrano", "kishino", "bagi_bojtar"):
        found = _solved(trial, pile, case, stiffness, method)
        lack = np.abs(found.displacement - reference).max() / np.abs(reference).max()
        trial.number("{}: greatest difference of a displacement [-]".format(method), 0.0, float(lack), absolute=1e-8)


@CHAPTER.case(
    "V84",
    "Biaxial test of 200 discs: Kishino against Bagi and Bojtar",
    "C",
    "each method checks the other",
    "Errors of 1e-4 of the mean contact force, and a path that friction makes depend on the order of sliding.",
    quick=False,
)
def biaxial_test(trial: Trial) -> None:
    """Random packing between plates, pressure first, then compression: force of the top plate by both methods."""
    normal = RATIO * PRESSURE
    discs = biaxial(DISCS, "random", pressure=PRESSURE, strain=STRAIN, seed=1)
    curves = {}
    for method in ("bagi_bojtar", "kishino"):
        found = trial.engine.quasistatic(
            discs, method=method, stiffness=ContactStiffness(normal, 0.5 * normal), tolerance=1e-4,
            stages=["loads", "supports"], steps=[5, STEPS], springs=guides(discs, normal),
        )  # fmt: skip
        curves[method] = found.history_reaction[:, discs.index("top"), 2], found.history_stage + found.history_factor
        trial.verdict("verdict of {}, {} iterations, {} halved".format(
            method, found.summary["iterations"], found.summary["failures"]), "balance", found.verdict)  # fmt: skip
    (first, at), (second, other) = curves["kishino"], curves["bagi_bojtar"]
    lack = np.abs(np.interp(at, other, second) - first)[at >= 1.0].max() / np.abs(first).max()
    trial.number("greatest difference of the force of the top plate [-]", 0.0, float(lack), absolute=0.02)


def _disc(x: float, z: float, support: bool = False) -> Block:
    return Block.disc((x, 0.0, z), R, 1.0, 1000.0, support=support)


def _pile() -> Structure:
    """Three held discs, two and one above them, none beside each other in contact."""
    apart, rise = 1.1 * R, math.sqrt(4.0 - 1.21) * R
    rows = [(3, 0.0), (2, rise), (1, 2.0 * rise)]
    blocks = [_disc(apart * (2 * k - count + 1), z, count == 3) for count, z in rows for k in range(count)]
    return Structure(blocks, ContactLaw(friction=1.0), "pile", planar="y")


def _loaded(structure: Structure, block: int, direction: tuple[float, float, float]) -> LoadCase:
    """A load at the centre of a round block."""
    case = LoadCase(gravity=NO_GRAVITY)
    case.add_point_load(block, structure.blocks[block].vertices[0], [LOAD * part for part in direction])
    return case


def _linear(trial: Trial, structure: Structure, case: LoadCase) -> QuasistaticResult:
    """One linear step with bonds of unlimited strength."""
    stiffness = ContactStiffness(KN, KT, KTWIST, KBEND)
    return _solved(trial, structure, case, stiffness, "serrano", bond=ContactBond())


def _solved(
    trial: Trial, structure: Structure, case: LoadCase, stiffness: ContactStiffness, method: str, **options: Any
) -> QuasistaticResult:
    return trial.engine.quasistatic(structure, case, method, stiffness, tolerance=1e-10, **options)


def _constants(trial: Trial, pattern: str) -> tuple[float, float, float]:
    """C11, C12 and C66 [N/m] of a packing, whose outer discs have an affine displacement."""
    angles = np.arange(4) * math.pi / 2 if pattern == "square" else np.arange(6) * math.pi / 3
    first = np.array([[0.0, 0.0]] + [[2.0 * R * math.cos(t), 2.0 * R * math.sin(t)] for t in angles])
    discs = Structure([_disc(x, z, k > 0) for k, (x, z) in enumerate(first)], ContactLaw(0.5), pattern, planar="y")
    cell = 4.0 * R**2 * (1.0 if pattern == "square" else math.sqrt(3.0) / 2.0)
    found = []
    for strain, (i, j) in (
        ([[1e-4, 0], [0, 0]], (0, 0)),
        ([[1e-4, 0], [0, 0]], (1, 1)),
        ([[0, 5e-5], [5e-5, 0]], (0, 1)),
    ):
        case = LoadCase(gravity=NO_GRAVITY)
        for k in range(1, len(first)):
            x, z = np.array(strain) @ first[k]
            case.support_motions.append(SupportMotion(k, (float(x), 0.0, float(z)), 1.0))
        result = _linear(trial, discs, case)
        force = np.einsum("ckx,ck->cx", result.contact_frame, result.contact_vector[:, :3])[:, [0, 2]]
        mine = result.interface_body[:, 0] == 0
        branch = first[result.interface_body[mine, 1]]
        stress = 0.5 * np.einsum("ci,cj->ij", force[mine], branch) / cell
        found.append(float(stress[i, j]) / 1e-4)
    return found[0], found[1], found[2]


def _relaxed(result: QuasistaticResult) -> np.ndarray:
    """Displacements (B, 6) at which a damped motion of the discs of a result comes to rest.

    Springs and arms are set up here from frames and points of the contacts, not taken from the engine.
    """
    structure, count = result.structure, len(result.structure)
    held = np.array([block.support for block in structure.blocks])
    load = np.zeros((count, 6))
    load[:, 2] = -9.81 * result.mass
    spring = np.array([KN, KT, KT, 0.0, KBEND, KBEND])
    maps = [_kinematics(result, c) for c in range(len(result.interface_body))]
    u, v = np.zeros((count, 6)), np.zeros((count, 6))
    mass = np.tile([1.0, 1.0, 1.0, R**2, R**2, R**2], (count, 1)) * KN
    for _ in range(4000):
        force = load.copy()
        for (p, q), (to_p, to_q) in zip(result.interface_body, maps):
            components = spring * (to_q @ u[q] - to_p @ u[p])
            force[p] += to_p.T @ components
            force[q] -= to_q.T @ components
        force[held] = 0.0
        force[:, [1, 3, 5]] = 0.0
        v = 0.85 * (v + 0.5 * force / mass)
        u = u + v
    return u


def _kinematics(result: QuasistaticResult, c: int) -> tuple[np.ndarray, np.ndarray]:
    """Motion of a contact in its frame, per displacement of both blocks: two (6, 6)."""
    found = []
    for block in result.interface_body[c]:
        x, y, z = result.interface_centroid[c] - result.centroid[block]
        motion = np.eye(6)
        motion[:3, 3:] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
        found.append(np.kron(np.eye(2), result.contact_frame[c]) @ motion)
    return found[0], found[1]
