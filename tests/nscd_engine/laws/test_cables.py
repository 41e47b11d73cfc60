"""Cables and tie rods, against closed forms."""

import json

import numpy as np
import pytest

from analysed import analyse
from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.drawing.history_plot import draw_cable_history
from compas_nscd.drawing.motion_layout import layout_dynamic
from compas_nscd.errors import InputError, LoadError
from compas_nscd.loads.cable import Cable
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.results.dynamic import DynamicResult
from dynamic_helpers import G, follow, structure_of
from solids import box

SLAB = box((-5, -5, -1), (10, 10, 1))
WEIGHT = 2000.0 * G  # of a cube of 1 m
MIDDLE = (0.5, 0.5, 0.5)


def pulled(force, cables, mu=0.0, point=MIDDLE):
    case = LoadCase(cables=cables)
    case.add_point_load(1, point, force)
    return analyse(structure_of([SLAB, box()], mu=mu), case)


@pytest.mark.short
def test_a_block_hangs_on_a_cable():
    hanging = structure_of([SLAB, box((0, 0, 2))])
    for x, expected in ((0.5, "stable"), (0.6, "collapse")):  # beside the centroid it turns
        case = LoadCase(cables=[Cable((None, 1), ((x, 0.5, 9.0), (x, 0.5, 3.0)))])
        result = analyse(hanging, case)
        assert result.verdict == expected
    assert analyse(hanging, LoadCase(cables=[Cable((None, 1), ((0.5, 0.5, 9.0), (0.5, 0.5, 3.0)))])).cable_force == (
        pytest.approx([WEIGHT])
    )


def test_tie_rod_yields():
    """A block without friction, pulled with F, is held by a tie up to its strength; a cable does not push."""
    ends = ((-4.0, 0.5, 0.5), (0.0, 0.5, 0.5))
    for share, expected in ((1.001, "stable"), (0.999, "collapse")):
        for stiffness in (None, 1e7):
            result = pulled((3e3, 0, 0), [Cable((None, 1), ends, stiffness, strength=share * 3e3)])
            assert result.verdict == expected
            assert result.cable_force == pytest.approx([3e3 if share > 1.0 else share * 3e3], rel=1e-6)
    assert pulled((-3e3, 0, 0), [Cable((None, 1), ends)]).verdict == "collapse"


def test_cables_share_by_stiffness():
    """Two cables of stiffness 1 : 3, at either side of the line of the force, hold it so that the block moves by
    F / (k1 + k2); a third one is slack."""
    modulus, length = np.array([1e7, 3e7]), 4.0
    y = [0.5 + 0.3, 0.5 - 0.1]  # no moment about the line of the force
    cables = [Cable((None, 1), ((-length, y[k], 0.5), (0.0, y[k], 0.5)), modulus[k]) for k in range(2)]
    cables.append(Cable((None, 1), ((5.0, 0.5, 0.5), (1.0, 0.5, 0.5)), 1e7))
    result = pulled((4e3, 0, 0), cables)
    assert result.verdict == "stable"
    np.testing.assert_allclose(result.cable_force, [1e3, 3e3, 0.0], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(result.displacement[1, 0], 4e3 * length / modulus.sum(), rtol=1e-6)


def test_prestress():
    """Between friction and cable: a prestress below mu W stays as it is; above it, the block moves towards it until
    k x and the load balance: P - k x = F."""
    ends, modulus, length = ((-4.0, 0.5, 0.0), (0.0, 0.5, 0.0)), 1e7, 4.0
    held = pulled((0, 0, 0), [Cable((None, 1), ends, modulus, prestress=0.4 * WEIGHT)], mu=0.5)
    assert held.verdict == "stable" and held.cable_force == pytest.approx([0.4 * WEIGHT], rel=1e-6)
    case = [Cable((None, 1), ((-4.0, 0.5, 0.5), (0.0, 0.5, 0.5)), modulus, prestress=3e3)]
    loose = pulled((2e3, 0, 0), case)
    unstressed = length / (1.0 + 3e3 / modulus)
    assert loose.cable_force == pytest.approx([2e3], rel=1e-6)
    np.testing.assert_allclose(loose.displacement[1, 0], -1e3 * unstressed / modulus, rtol=1e-6)


@pytest.mark.parametrize("stiffness", [None, 1e9])
def test_chain_of_weights(stiffness):
    """A funicular polygon: weights w at equal distances hang on cables of the same horizontal force H; the cable
    between k and k + 1 has the vertical force of the weights below it, and its slope."""
    count, a, side = 7, 1.0, 0.2
    w, H = 2000.0 * G * side**3, 300.0
    slope = (np.arange(count + 1) - 0.5 * count) * w / H
    z = 10.0 + np.concatenate([[0.0], np.cumsum(slope * a)])  # ends and blocks
    blocks = [Block(*SLAB, 2000.0, support=True)]
    for k in range(1, count + 1):
        blocks.append(Block(*box((k * a - side / 2, -side / 2, z[k] - side / 2), (side,) * 3), 2000.0))
    ends = [None] + list(range(1, count + 1)) + [None]
    points = [(k * a, 0.0, z[k]) for k in range(count + 2)]
    cables = [Cable(ends[k : k + 2], points[k : k + 2], stiffness, 0.0 if stiffness is None else 1.0)
              for k in range(count + 1)]  # fmt: skip
    structure = Structure(blocks, ContactLaw(0.5))
    if stiffness is None:
        result = analyse(structure, LoadCase(cables=cables))
        assert result.verdict == "stable"
        np.testing.assert_allclose(result.cable_force, H * np.sqrt(1.0 + slope**2), rtol=1e-6)
    else:  # in motion it stays where it is, but for its stretch of H L / E A = 3e-7 L
        case = LoadCase(cables=[Cable(c.blocks, c.points, stiffness, prestress=H * np.sqrt(1.0 + s * s))
                                for c, s in zip(cables, slope)])  # fmt: skip
        result = follow(structure, case, 0.5, 5e-3, quiet=False)
        assert max(np.abs(result.displacement(k)).max() for k in range(1, count + 1)) < 1e-5
        np.testing.assert_allclose(result.cable_force, H * np.sqrt(1.0 + slope**2), rtol=1e-2)


def test_a_tie_stops_a_block_by_yielding():
    """Without friction, a block of speed v stretches its tie by p for good: m v^2 / 2 = S^2 / 2 k + S p; then the rest
    of the stretch throws it back. One step overshoots the strength: 1 %."""
    m, v, S, modulus, length = 2000.0, 1.0, 1e4, 4e6, 4.0
    structure = structure_of([SLAB, box()], mu=0.0)
    ends = ((-length, 0.5, 0.5), (0.0, 0.5, 0.5))
    case = LoadCase(cables=[Cable((None, 1), ends, modulus, strength=S)], velocities={1: ((v, 0, 0), (0, 0, 0))})
    result = follow(structure, case, 0.3, 1e-3, quiet=False, interval=2e-3)
    p = (0.5 * m * v**2 - 0.5 * S**2 * length / modulus) / S
    assert result.cable_plastic == pytest.approx([p], rel=0.02)
    assert result.velocity[-1, 1, 0] < 0.0
    _check_history(result, S, modulus / length)


def _check_history(result, S, stiffness):
    """The force follows the way: k x at first, S while it yields, none once it is slack. A step overshoots."""
    way, force = result.displacement(1)[:, 0], result.cable_forces[:, 0]
    first = way[: np.argmax(force > 0.95 * S)]
    np.testing.assert_allclose(force[: len(first)], stiffness * first, atol=2e-3 * stiffness)  # v h = 1 mm
    assert np.median(force[force > 0.95 * S]) == pytest.approx(S)
    assert force[0] == 0.0 == force[-1] and (force == 0.0).sum() > 10
    np.testing.assert_array_equal(force[-1:], result.cable_force)
    np.testing.assert_array_equal(result.cable_body, [[0, 1]])
    ends = result.cable_ends(result.times[-1])
    np.testing.assert_allclose(ends[0, 1] - (0.0, 0.5, 0.5), result.displacement(1)[-1], atol=1e-9)
    np.testing.assert_allclose(ends[0, 0], (-4.0, 0.5, 0.5), atol=1e-9)


def test_history_of_cables_is_kept_and_drawn(tmp_path):
    """A prestressed tie between two blocks that stay: its force is known from the beginning, in files and pictures."""
    structure = structure_of([SLAB, box(), box((3, 0, 0))], mu=0.6)
    ties = [
        Cable((1, 2), ((1, 0.5, 0.1), (3, 0.5, 0.1)), 1e7, 2e3, name="tie"),
        Cable((1, 2), ((1, 0.5, 0.1), (3, 0.5, 0.1))),
    ]
    case = LoadCase(cables=ties)
    result = follow(structure, case, 0.05, 5e-3, quiet=False, interval=5e-3)
    assert result.cable_forces.shape == (len(result.times), 2)
    np.testing.assert_allclose(result.cable_forces[:, 0], 2e3, rtol=1e-3)
    result.save(tmp_path / "motion.npz")
    np.testing.assert_array_equal(DynamicResult.load(tmp_path / "motion.npz").cable_forces, result.cable_forces)
    svg = draw_cable_history(result)
    assert "tie" in svg and "cable 2" in svg and svg.count('stroke-width="1.6"') == 2
    drawn = layout_dynamic(result, 0.05)
    assert [curve.name for curve in drawn.curves if curve.layer == "cables"] == ["tie", "cable 2"]
    assert [dot.text for dot in drawn.dots if dot.layer == "cables"] == ["2 kN"]
    with pytest.raises(InputError, match="no cables"):
        draw_cable_history(follow(structure, LoadCase(), 0.01, 5e-3))


def test_a_motion_with_cables_goes_on_where_it_stopped():
    structure = structure_of([SLAB, box()], mu=0.0)
    ends = ((-4.0, 0.5, 0.5), (0.0, 0.5, 0.5))
    case = LoadCase(cables=[Cable((None, 1), ends, 4e6, strength=1e4)], velocities={1: ((1.0, 0, 0), (0, 0, 0))})
    whole = follow(structure, case, 0.2, 1e-3, quiet=False)
    half = follow(structure, case, 0.1, 1e-3, quiet=False)
    rest = follow(structure, case, 0.1, 1e-3, quiet=False, restart=half)
    np.testing.assert_array_equal(whole.position[-1], rest.position[-1])


def test_cables_survive_files(tmp_path):
    structure = structure_of([SLAB, box()])
    cables = [Cable((0, 1), ((0, 0, 0), (0, 0, 1)), 1e7, 2e3, 1e4), Cable((None, 1), ((0, 0, 9), (0, 0, 1)))]
    structure.case = LoadCase(cables=cables)
    assert Structure.__from_data__(structure.__data__) == structure
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(structure.to_scene()))
    assert Structure.from_file(path).case.cables == cables


@pytest.mark.parametrize(
    "given",
    [
        {"blocks": (None, None), "points": ((0, 0, 0), (0, 0, 1))},
        {"blocks": (1, 1), "points": ((0, 0, 0), (0, 0, 1))},
        {"blocks": (0, 1), "points": ((0, 0, 0), (0, 0, 0))},
        {"blocks": (0, 1), "points": ((0, 0, 0), (0, 0, 1)), "stiffness": -1.0},
        {"blocks": (0, 1), "points": ((0, 0, 0), (0, 0, 1)), "prestress": 1e3},
        {"blocks": (0, 1), "points": ((0, 0, 0), (0, 0, 1)), "stiffness": 1e6, "prestress": 1e3, "strength": 1e2},
        {"blocks": (0,), "points": ((0, 0, 0), (0, 0, 1))},
    ],
)
def test_nonsense_is_refused(given):
    with pytest.raises(LoadError):
        Cable(**given)


def test_what_pulls_is_drawn():
    """A cable as a line with its force; a joint that pulls as an arrow at its middle."""
    from compas_nscd.drawing.static_layout import layout_static

    hanging = structure_of([box((-1, -1, 2), (3, 3, 1)), box((0, 0, 1)), box((0, 0, -2))])
    hanging.law = ContactLaw(0.5, "brittle", cohesion=1e6)
    points = ((0.5, 0.5, 1.0), (0.5, 0.5, -1.0))
    curves = layout_static(analyse(hanging, LoadCase(cables=[Cable((1, 2), points)]))).curves
    arrow, cable = sorted(curves, key=lambda curve: curve.layer == "cables")
    assert cable.layer == "cables"
    assert cable.value == pytest.approx(WEIGHT) and arrow.value == pytest.approx(2.0 * WEIGHT)
    np.testing.assert_allclose(cable.points, points)
    np.testing.assert_allclose(arrow.points[1], (0.5, 0.5, 2.0))
