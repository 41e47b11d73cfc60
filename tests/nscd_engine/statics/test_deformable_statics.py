"""Deformable blocks at rest against closed forms (V70, V76, V77) and invariances."""

import numpy as np
import pytest

from compas_nscd import Block, Cable, ContactLaw, LoadCase, PointLoad, Settings, Structure
from compas_nscd.blocks.elastic import Elastic
from compas_nscd.errors import InputError
from compas_nscd.templates import arch, wall
from nscd_engine.core.monitor import Monitor
from nscd_engine.solvers.deformables import Deformables
from nscd_engine.statics.run import run
from solids import box, random_rotation

RHO, G, YOUNG = 2700.0, 9.81, 6e10
DRY = ContactLaw(0.6)
STONE = {"young": YOUNG, "poisson": 0.0}


def static(structure, case=None, **settings):
    case = case or LoadCase()
    settings = Settings(**settings).to_wire()
    return run({"structure": structure.to_wire(), "case": case.to_wire(structure), "settings": settings}, Monitor())


def boxes(*solids, law=DRY, **more):
    """Boxes (lower, size, elastic or None) upon a support, the first."""
    blocks = [
        Block(*box(lower, size), RHO, support=k == 0, elastic=elastic)
        for k, (lower, size, elastic) in enumerate(solids)
    ]
    return Structure(blocks, law, **more)


def column(count=6, height=3.0, elastic=None, size=1.0, law=DRY):
    each = height / count
    solids = [((-size, -size, -0.5), (3 * size, 3 * size, 0.5), None)]
    solids += [((0, 0, k * each), (size, size, each), elastic) for k in range(count)]
    return boxes(*solids, law=law)


def mean_stresses(found, blocks):
    """Mean stress (B, 6) of blocks, and the moment tensor of their contact forces over the volume."""
    centroid, force = found["centroid"], found["contact_force"]
    of = np.repeat(np.arange(len(found["interface_area"])), np.diff(found["contact_start"]))
    pair = found["interface_body"][of]
    for k in blocks:
        rows = slice(found["cell_start"][k], found["cell_start"][k + 1])
        volume = found["cell_volume"][rows]
        mean = volume @ found["cell_stress"][rows] / volume.sum()
        sign = (pair[:, 1] == k).astype(float) - (pair[:, 0] == k)
        arm = found["contact_point"] - centroid[k]
        moment = np.einsum("c,ci,cj->ij", sign, arm, force) / volume.sum()
        yield mean, (0.5 * (moment + moment.T))[[0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 2, 0]]


@pytest.mark.short
@pytest.mark.parametrize("elements, refine", [("uniform", 1), ("h8", 1), ("h8", 2), ("t4", 1), ("t4", 2)])
def test_column_shortens_by_its_weight(elements, refine):
    found = static(column(elastic=Elastic(elements=elements, refine=refine, **STONE)))
    top = found["node_displacement"][found["node"][:, 2] > 2.9999]
    assert found["verdict"] == "stable" and found["warnings"] == []
    exact = 2e-3 if elements == "t4" else 1e-6  # tetrahedra share out the weight unevenly
    assert top[:, 2] == pytest.approx(-RHO * G * 9.0 / (2.0 * YOUNG), rel=exact)
    assert found["elastic"]["displacement_max"] == pytest.approx(1.986e-6, rel=2.0 * exact + 1e-3)
    assert found["support_reaction"][2] == pytest.approx(RHO * G * 3.0, rel=1e-9)


@pytest.mark.parametrize("below, above", [(("h8", 2), ("t4", 3)), (("t4", 1), ("h8", 3)), (("h8", 3), ("h8", 2))])
def test_patch_test_of_unlike_meshes(below, above):
    """Two blocks pressed by a rigid plate without weight: constant stress."""
    parts = [Elastic(elements=name, refine=n, **STONE) for name, n in (below, above)]
    structure = boxes(
        ((-1, -1, -1), (3, 3, 1), None),
        ((0, 0, 0), (1, 1, 1), parts[0]),
        ((0, 0, 1), (1, 1, 1), parts[1]),
        ((0, 0, 2), (1, 1, 0.2), None),
    )
    press = LoadCase(gravity=(0, 0, 0), loads=[PointLoad(3, (0.5, 0.5, 2.2), (0, 0, -1e6))])
    found = static(structure, press)
    expected = np.array([0, 0, -1e6, 0, 0, 0.0])
    assert found["verdict"] == "stable"
    assert np.abs(found["cell_stress"] - expected).max() < 1e-8 * 1e6


def test_forces_do_not_depend_on_the_stiffness_and_stress_is_the_moment_tensor():
    forces = []
    for young in (1e8, 6e10, 1e14):
        structure = arch(4.0, 0.6, 0.5, 9)
        structure.deform(Elastic(young, 0.2, "h8"))
        found = static(structure)
        assert found["verdict"] == "stable"
        forces.append(found["contact_force"])
        free = np.flatnonzero(np.diff(found["cell_start"]))
        for mean, moment in mean_stresses(found, free):
            assert mean == pytest.approx(moment, abs=1e-8 * np.abs(moment).max())
    assert forces[0] == pytest.approx(forces[1], abs=1e-6 * np.abs(forces[1]).max())
    assert forces[2] == pytest.approx(forces[1], abs=1e-6 * np.abs(forces[1]).max())


def test_determinate_forces_are_those_of_rigid_blocks():
    elastic, rigid = static(column(elastic=Elastic(elements="h8", **STONE))), static(column())

    def resultants(found):
        return np.add.reduceat(found["contact_force"], found["contact_start"][:-1])

    assert resultants(elastic) == pytest.approx(resultants(rigid), abs=1e-6 * RHO * G)


@pytest.mark.parametrize("elements", ["uniform", "h8", "t4"])
def test_turned_scaled_and_permuted_structures_have_the_same_stress(elements):
    turn = random_rotation(3)
    solids = [((-1, -1, -1), (3, 3, 1)), ((0, 0, 0), (1, 1, 0.7)), ((0.2, 0.1, 0.7), (0.7, 0.8, 0.6))]
    part = Elastic(YOUNG, 0.25, elements)

    def found(rotation, scale, order):
        blocks = []
        for k in order:
            vertices, faces = box(*solids[k])
            blocks.append(Block(scale * vertices @ rotation.T, faces, RHO, support=k == 0, elastic=part))
        case = LoadCase(gravity=rotation @ [0, 0, -G])
        return static(Structure(blocks, DRY), case)["elastic"]

    first = found(np.eye(3), 1.0, (0, 1, 2))
    for other in (found(turn, 1.0, (0, 1, 2)), found(np.eye(3), 1.0, (2, 0, 1))):
        assert other["stress_min"] == pytest.approx(first["stress_min"], rel=1e-6)
        assert other["displacement_max"] == pytest.approx(first["displacement_max"], rel=1e-6)
    small = found(np.eye(3), 1e-3, (0, 1, 2))
    assert small["stress_min"] == pytest.approx(1e-3 * first["stress_min"], rel=1e-6)
    assert small["displacement_max"] == pytest.approx(1e-6 * first["displacement_max"], rel=1e-6)


def test_mixed_rigid_and_deformable_blocks():
    part = Elastic(elements="h8", **STONE)
    structure = boxes(((-1, -1, -1), (3, 3, 1), None), ((0, 0, 0), (1, 1, 1), part), ((0, 0, 1), (1, 1, 1), None))
    found = static(structure)
    assert found["elastic"]["elements"] == 1 and found["elastic"]["unknowns"] == 24
    assert found["elastic"]["displacement_max"] == pytest.approx(RHO * G * 1.5 / YOUNG, rel=1e-6)


def test_a_rigid_collapse_is_a_collapse_whatever_the_stiffness():
    part = Elastic(elements="h8", **STONE)
    structure = boxes(((0, 0, -1), (1, 1, 1), None), ((0.6, 0, 0), (1, 1, 1), part))
    found = static(structure)
    assert found["verdict"] == "collapse" and found["elastic"] is None and "node" not in found
    assert "no_stresses" in [warning["code"] for warning in found["warnings"]]


def test_nodes_that_nothing_touches_are_condensed(monkeypatch):
    """A pushed column of 4 x 4 x 4 nodes a block: the problem has those of its joints, and the answer is the same."""
    structure = column(count=2, elastic=Elastic(YOUNG, 0.2, "h8", 3))
    case = LoadCase(loads=[PointLoad(2, (0.0, 0.5, 2.0), (2e3, 500.0, -1e3))])
    sizes = []
    matrix = Deformables.static_matrix
    monkeypatch.setattr(
        Deformables, "static_matrix", lambda self, *rest: sizes.append(self.tiles.sum()) or matrix(self, *rest)
    )
    small = static(structure, case)
    monkeypatch.setattr("nscd_engine.solvers.deformables.WORTH", 0.0)
    whole = static(structure, case)
    assert sizes == [16 // 2 + 32 // 2, 2 * 64 // 2]  # two nodes a tile; the lower block is touched at both faces
    for key in ("node_displacement", "cell_stress"):
        assert np.abs(small[key] - whole[key]).max() < 1e-8 * np.abs(whole[key]).max(), key


def test_elastic_joints_add_to_the_shortening():
    law = ContactLaw(0.6, kind="elastic", normal_stiffness=1e10, tangential_stiffness=1e10)
    part = Elastic(elements="h8", **STONE)
    found = static(column(count=2, height=2.0, elastic=part, law=law))
    joints = RHO * G * (2.0 + 1.0) / 1e10
    assert found["elastic"]["displacement_max"] == pytest.approx(RHO * G * 4.0 / (2.0 * YOUNG) + joints, rel=1e-5)


def test_a_cable_pulls_where_it_is_fixed():
    """A block hangs on a cable at the middle of its top: what it stretches by is below the cable only."""
    part = Elastic(elements="h8", refine=2, **STONE)
    structure = boxes(((0, 0, -1), (1, 1, 0.5), None), ((0, 0, 0), (1, 1, 1), part))
    hung = LoadCase(cables=[Cable((1, None), ((0.5, 0.5, 1.0), (0.5, 0.5, 3.0)), stiffness=1e8)])
    found = static(structure, hung)
    assert found["cable_force"][0] == pytest.approx(RHO * G, rel=1e-6)
    top = np.flatnonzero((np.abs(found["node"] - [0.5, 0.5, 1.0]) < 1e-9).all(axis=1))[0]
    assert found["node_displacement"][top, 2] == pytest.approx(-RHO * G * 2.0 / 1e8, rel=1e-4)
    assert found["node_displacement"][:, 2].min() < found["node_displacement"][top, 2]


def test_coulomb_friction_does_not_lift_what_slides():
    part = Elastic(1e9, 0.3, "h8", refine=2)
    structure = boxes(((-1, -1, -1), (3, 3, 1), None), ((0, 0, 0), (1, 1, 1), part), law=ContactLaw(0.1))
    press = LoadCase(loads=[PointLoad(1, (0.5, 0.5, 1.0), (0, 0, -1e5))])

    def lifted(friction):
        found = static(structure, press, friction=friction)
        assert found["warnings"] == []
        at = [np.abs(found["node"] - point).sum(axis=1).argmin() for point in found["contact_point"]]
        moved, force = found["node_displacement"][at], found["contact_force"]
        carries = force[:, 2] > 1e-6 * force[:, 2].max()
        assert (np.hypot(force[:, 0], force[:, 1]) <= 0.1 * force[:, 2] + 1e-8 * force[:, 2].sum()).all()
        return moved[carries, 2].max() / np.hypot(*moved[carries, :2].T).max()

    assert lifted("associated") == pytest.approx(0.1, rel=1e-3)  # sliding dilates by mu
    assert abs(lifted("coulomb")) < 1e-5


def test_planar_arch_of_triangles_stands_with_stresses_of_its_weight():
    structure = arch(4.0, 0.6, 0.5, 9)
    structure = Structure(structure.blocks, DRY, planar="y")
    structure.deform(Elastic(YOUNG, 0.27, "t3", refine=2))
    found = static(structure)
    assert found["verdict"] == "stable"
    free = int(np.count_nonzero(np.diff(found["cell_start"])))
    assert found["elastic"]["elements"] == 8 * free and found["elastic"]["unknowns"] == 2 * 9 * free
    area = found["interface_area"].max()
    assert 0.3 < -found["elastic"]["stress_min"] / (0.5 * found["weight_total"] / area) < 6.0


def test_rigid_blocks_move_with_deformable_ones_below_them():
    """Of a column, the rigid block on top sinks as far as the deformable ones below it are shortened."""
    soft = Elastic(**STONE)
    base, low, high = ((-1, -1, -0.5), (3, 3, 0.5), None), ((0, 0, 0), (1, 1, 1), soft), ((0, 0, 1), (1, 1, 1), None)
    found = static(boxes(base, low, high))
    sinks = RHO * G * (1.0 + 0.5) / YOUNG  # weight of the block above, and half of its own
    assert found["displacement"][2] == pytest.approx([0.0, 0.0, -sinks, 0.0, 0.0, 0.0], abs=1e-3 * sinks)
    assert found["displacement"][1, 2] == pytest.approx(-0.5 * sinks, rel=1e-3)
    assert not found["displacement"][0].any()


def lintel(**options):
    """A lintel on two posts, at mu 0.3."""
    stone = Elastic(YOUNG, 0.2, "h8", **options)
    posts = [((x, 0, 0), (0.4, 0.5, 1), stone) for x in (0, 1.6)]
    return boxes(((-1, -1, -1), (5, 3, 1), None), *posts, ((0, 0, 1), (2, 0.5, 0.4), stone), law=ContactLaw(0.3))


@pytest.mark.parametrize("friction", ["associated", "coulomb"])
@pytest.mark.parametrize("solver", ["admm", "nlgs"])
def test_other_methods_find_the_balance_of_newtons(solver, friction):
    exact, found = static(lintel(), friction=friction), static(lintel(), friction=friction, solver=solver)
    assert found["status"] == "converged" and found["warnings"] == [] and found["solver"] == solver
    for key, error in (("contact_force", 1e-6), ("cell_stress", 1e-6), ("node_displacement", 1e-5)):
        assert found[key] == pytest.approx(exact[key], abs=error * np.abs(exact[key]).max())
    assert found["iterations"] > 2 * static(lintel())["iterations"]  # it is another method


def test_admm_takes_elastic_joints():
    law = ContactLaw(0.6, kind="elastic", normal_stiffness=1e10, tangential_stiffness=1e10)
    structure = column(3, elastic=Elastic(elements="h8", **STONE), law=law)
    exact, found = static(structure), static(structure, solver="admm")
    moved = exact["node_displacement"]
    assert found["node_displacement"] == pytest.approx(moved, abs=1e-5 * np.abs(moved).max())


def test_solvers_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="'spg' does not take deformable"):
        static(lintel(), solver="spg")
    with pytest.raises(InputError, match="'admm' is one of deformable blocks"):
        static(column(), solver="admm")


@pytest.mark.parametrize("elements", ["uniform", "h8"])
def test_coulomb_friction_settles_on_a_wall(elements):
    structure = wall(4, 5)
    structure.deform(Elastic(YOUNG, 0.27, elements))
    found = static(structure, friction="coulomb")
    assert found["status"] == "converged" and found["warnings"] == [] and found["residual"] < 1e-6
    force = found["contact_force"]
    axis = np.repeat(found["interface_normal"], np.diff(found["contact_start"]), axis=0)
    normal = np.einsum("ci,ci->c", axis, force)
    tangent = np.linalg.norm(force - normal[:, None] * axis, axis=1)
    assert (tangent <= 0.6 * normal + 1e-6 * normal.max()).all()


def test_middles_of_faces_are_contact_points_too():
    corners, middles = (static(lintel(contacts=contacts)) for contacts in ("corners", "middles"))
    joints = len(corners["interface_area"])
    assert len(middles["contact_point"]) > len(corners["contact_point"]) >= 4 * joints
    assert middles["support_reaction"] == pytest.approx(corners["support_reaction"], rel=1e-8, abs=1e-6)
