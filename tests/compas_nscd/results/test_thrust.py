"""Thrust lines, chains, envelopes, funicular polygons (docs/validation.md, V20, V22, V27)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from analysed import analyse, cra_arch, stack
from compas_nscd import LoadCase, Settings
from compas_nscd.errors import InputError
from compas_nscd.results import funicular, thrust
from compas_nscd.templates import arch, dome, wall
from compas_nscd.validation import references


def semicircle(ratio, blocks=20, friction=1.0):
    """Thickness over radius; radius 1."""
    return arch(span=2.0, thickness=ratio, depth=1.0, blocks=blocks, friction=friction)


def loaded_arch():
    structure = semicircle(0.3)
    case = LoadCase()
    case.add_point_load("v6", tuple(structure.blocks[6].vertices.mean(axis=0)), (300.0, 200.0, -900.0))
    return structure, case


def ring_of(result):
    table = thrust.links(result)
    (chain,) = thrust.chains(result, table)
    return funicular.ring(result, table, chain)


STANDING = {
    "arch": lambda: (semicircle(0.2), None),
    "loaded arch": loaded_arch,
    "wall": lambda: (wall(4, 3), None),
    "dome": lambda: (dome(courses=4, sectors=8), None),
}


@pytest.mark.parametrize("name", STANDING)
def test_balance_of_the_whole_and_of_every_block(name):
    """Resultants at centres of pressure, with the twist about the normal, hold every free block; supports hold all."""
    structure, case = STANDING[name]()
    result = analyse(structure, case)
    assert result.verdict == "stable"
    table, count = result.joints, len(structure.blocks)
    case = result.case
    force = np.outer(result.mass, case.gravity)
    moment = np.zeros((count, 3))
    for load in case.loads:
        i = structure.index(load.block)
        force[i] += load.force
        moment[i] += np.cross(np.array(load.point) - result.centroid[i], load.force)
    total = force[[not block.support for block in structure.blocks]].sum(axis=0)
    size = np.linalg.norm(total)
    assert np.abs(sum(result.support_reactions.values()) + total).max() < 1e-8 * size
    for k in np.flatnonzero(table.loaded):
        normal, centre, resultant = result.interface_normal[k], table.centre[k], table.resultant[k]
        about = table.moment[k] - np.cross(centre - result.interface_centroid[k], resultant)
        twist = (about @ normal) * normal
        for i, sign in zip(result.interface_body[k], (-1.0, 1.0)):
            force[i] += sign * resultant
            moment[i] += sign * (np.cross(centre - result.centroid[i], resultant) + twist)
    free = [i for i, block in enumerate(structure.blocks) if not block.support]
    assert np.abs(force[free]).max() < 1e-8 * size
    assert np.abs(moment[free]).max() < 1e-8 * size


@pytest.mark.short
def test_chain_of_an_arch_is_found_and_runs_inside():
    result = analyse(semicircle(0.2))
    (line,) = result.thrust_lines()
    radius = np.hypot(line[:, 0], line[:, 2])
    assert len(line) == 21 and (radius > 0.9).all() and (radius < 1.1 + 1e-9).all()
    use = result.joints.section_utilisation
    assert use.max() < 1.0 + 1e-9
    # of all lines that fit, joints of equal stiffness choose one that opens the crown from below
    (label,) = thrust.labels(result)
    assert label.kind == "hinge" and label.point == pytest.approx([0.0, 0.5, 1.1], abs=1e-6)


def test_thrust_line_is_symmetric():
    """Like the arch; the engine solves to 1e-10."""
    (line,) = analyse(semicircle(0.2)).thrust_lines()
    assert np.abs(line[::-1] * [-1.0, 1.0, 1.0] - line).max() < 1e-7
    assert np.abs(line[:, 1] - 0.5).max() < 1e-7


def test_hinges_at_the_limit():
    """V20: 20 voussoirs stand from t/R = 0.10735 on. Just above it, the line touches the edges five times: out at the
    crown, in at both haunches, out at both springings; 0.14 % of thickness leave it 2 % of play."""
    result = analyse(semicircle(0.1075))
    assert result.verdict == "stable"
    (line,) = result.thrust_lines()
    depth = (np.hypot(line[:, 0], line[:, 2]) - 1.0) / (0.1075 / 2)
    hinges = [k for k in range(21) if abs(depth[k]) > 0.97]
    sides = [np.sign(depth[k]) for k in hinges]
    runs = [sides[0]] + [b for a, b in zip(sides, sides[1:]) if a != b]
    assert runs == [1.0, -1.0, 1.0, -1.0, 1.0]
    labels = thrust.labels(result)
    assert labels and {label.kind for label in labels} == {"hinge"}


def test_sliding_joint_is_labelled():
    """A block of friction 0.6 pushed with 0.7 of its weight."""
    structure, case = stack(1), LoadCase()
    case.add_point_load("s0", (0.0, 0.0, 0.0), (0.7 * 9.81 * 2000 * 0.5 * 0.5 * 0.4, 0.0, 0.0))
    result = analyse(structure, case)
    assert result.verdict == "collapse"
    assert [label.kind for label in thrust.labels(result)] == ["slide"]
    assert result.joints.friction_utilisation[0] == pytest.approx(1.0, abs=1e-6)


def test_lines_of_action_meet_on_the_lines_of_the_weights():
    result = analyse(semicircle(0.2))
    (envelope,) = thrust.envelopes(result)
    (chain,) = thrust.chains(result)
    assert len(envelope) == len(chain.links) + 1
    inner = result.centroid[chain.blocks[1:-1]]
    # neighbours at the springing act under 4 degrees to each other, which magnifies errors 15 times
    assert np.abs(envelope[1:-1, :2] - inner[:, :2]).max() < 1e-6


def test_stack_has_one_vertical_line():
    result = analyse(stack(3))
    (line,) = result.thrust_lines()
    assert np.abs(line[:, :2]).max() < 1e-7 and line[:, 2] == pytest.approx([0.0, 0.4, 0.8])
    (envelope,) = thrust.envelopes(result)
    assert np.abs(envelope[:, :2]).max() < 1e-7


def test_section_plane_and_chosen_blocks_in_a_wall():
    result = analyse(wall(4, 4))
    assert result.thrust_lines() == []
    (line,) = result.thrust_lines(plane=((0.6, 0.0, 0.0), (1.0, 0.0, 0.0)))
    assert line[:, 2] == pytest.approx([0.0, 0.25, 0.5, 0.75])
    (same,) = result.thrust_lines(blocks=["base", "c0b1", "c1b1", "c2b1", "c3b1"])
    assert same == pytest.approx(line)
    with pytest.raises(InputError, match="No force passes between c0b0 and c2b0"):
        result.thrust_lines(blocks=["c0b0", "c2b0"])
    with pytest.raises(InputError, match="cuts no block"):
        result.thrust_lines(plane=((50.0, 0.0, 0.0), (1.0, 0.0, 0.0)))


def test_force_network_of_a_dome():
    result = analyse(dome(courses=4, sectors=8))
    nodes, edges, force = thrust.force_network(result)
    loaded = int(result.joints.loaded.sum())
    assert len(edges) == len(force) == 2 * loaded and len(nodes) == len(result.centroid) + loaded
    size = np.linalg.norm(result.joints.resultant[result.joints.loaded], axis=1)
    assert np.sort(force[::2]) == pytest.approx(np.sort(size))
    for (a, p), (q, b) in zip(edges[::2], edges[1::2]):
        assert p == q >= len(result.centroid) and a < len(result.centroid) and b < len(result.centroid)


@pytest.mark.parametrize("ratio, least, greatest", references.THRUST)
def test_least_and_greatest_thrust_of_the_semicircle(ratio, least, greatest):
    """V22, given to four digits for the round arch; 100 straight voussoirs differ by less than one of the last."""
    result = analyse(semicircle(ratio, 100))
    low, high = funicular.extreme(ring_of(result), slide=False)
    weight = result.summary["weight_total"]
    assert low.inside and high.inside
    assert low.thrust / weight == pytest.approx(least, abs=1e-4)
    assert high.thrust / weight == pytest.approx(greatest, abs=1e-4)
    thrusts = np.abs(result.joints.resultant[:, 0])
    assert np.ptp(thrusts) < 1e-7 * weight  # no horizontal load
    assert low.thrust < thrusts[0] < high.thrust


def test_arch_of_compas_cra():
    """V27: with fixed ends it stands, and the thrust lies in the published range; on nothing it falls."""
    result = analyse(cra_arch())
    assert result.verdict == "stable"
    low, high = funicular.extreme(ring_of(result))
    assert [low.thrust, high.thrust] == pytest.approx(list(references.THRUST_CRA), abs=1e-4)
    assert low.thrust < abs(result.joints.resultant[9, 0]) < high.thrust
    floating = analyse(cra_arch(fixed=False), settings=Settings(unsupported=True))
    assert floating.verdict == "collapse"
    assert floating.velocity[:, 2] == pytest.approx(-np.ones(20), rel=1e-6)  # as one, without turning


def test_no_thrust_line_fits_an_arch_that_is_too_thin():
    result = analyse(semicircle(0.10))
    assert result.verdict == "collapse" and funicular.extreme(ring_of(result)) is None


def test_funicular_polygon_through_three_points():
    """Through points of the effective line it is that line, because statics leaves no other."""
    structure, case = loaded_arch()
    case.loads[0].force = (300.0, 0.0, -900.0)
    result = analyse(structure, case)
    arch_ring = ring_of(result)
    (line,) = result.thrust_lines()
    found = funicular.through(arch_ring, line[[2, 9, 17]])
    assert np.abs(found.points - line).max() < 1e-6 and found.inside
    (chain,) = thrust.chains(result)
    table = thrust.links(result)
    sign = np.where(table.pair[chain.links, 0] == chain.blocks[:-1], 1.0, -1.0)
    assert found.forces == pytest.approx(sign[:, None] * table.force[chain.links], abs=1e-5 * abs(found.thrust))
    high = funicular.through(arch_ring, line[[2, 9, 17]] + [[0, 0, 0], [0, 0, 0.6], [0, 0, 0]])
    assert not high.inside
    for points in (line[[2, 9]], line[[2, 2, 9]]):
        with pytest.raises(InputError):
            funicular.through(arch_ring, points)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 25))
def test_simplex_agrees_with_another(seed, rows):
    """Random conditions in three unknowns, some of them without an answer."""
    random = np.random.default_rng(seed)
    matrix, right, c = random.normal(size=(rows, 3)), random.normal(size=rows) + 0.3, random.normal(size=3)
    bound = funicular.BOUND
    other = linprog(-c, A_ub=matrix, b_ub=right, bounds=[(-bound, bound)] * 3)
    x = funicular.maximise(c, matrix, right)
    assert (x is None) == (other.status == 2)
    if x is not None:
        assert c @ x == pytest.approx(-other.fun, rel=1e-6, abs=1e-6)
