"""Joints as sections, stresses of blocks, openings: against closed forms and statics."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysed import analyse, moved, stack, tilted
from compas_nscd import Interface, LoadCase, StaticResult
from compas_nscd.errors import FileError
from compas_nscd.results.section import eccentricity, pressure, sections
from compas_nscd.templates import arch
from solids import random_rotation


def section_of(outline, centre):
    """One joint in the xy plane, moved and turned: (section, area)."""
    outline = np.array([(x, y, 0.0) for x, y in outline])
    x, y = outline[:, 0], outline[:, 1]
    x1, y1 = np.roll(x, -1), np.roll(y, -1)
    twice = x * y1 - x1 * y
    area = 0.5 * twice.sum()
    middle = np.array([((x + x1) @ twice), ((y + y1) @ twice), 0.0]) / (6.0 * area)
    turn = random_rotation(3)
    at = (middle + np.array([centre[0], centre[1], 0.0])) @ turn.T + 5.0
    start = np.array([0, len(outline)])
    args = (outline @ turn.T + 5.0, start, turn[:, 2][None], (middle @ turn.T + 5.0)[None], np.array([area]), at[None])
    return sections(*args), middle[:2], area


RECTANGLE = [(0.0, 0.0), (0.5, 0.0), (0.5, 2.0), (0.0, 2.0)]
TRIANGLE = [(0.0, 0.0), (1.0, 0.0), (0.2, 1.3)]
L_SHAPE = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)]


@pytest.mark.short
@pytest.mark.parametrize("e", [0.0, 0.1, 1.0 / 3.0, 0.34, 0.6, 0.95, 0.9998])
def test_rectangle_under_an_eccentric_force(e):
    """d = 2 deep: N/A (1 + 6 e/d) in the kern, else 2 N / (3 b c) with c = d/2 - e, over a strip of 3 c."""
    section, _, _ = section_of(RECTANGLE, (0.0, e))
    use, distance = eccentricity(section)
    found = pressure(section)
    c = 1.0 - e
    assert use[0] == pytest.approx(e, abs=1e-12)  # half the depth is 1
    assert distance[0] == pytest.approx(min(c, 0.25), rel=1e-9)
    assert found.peak[0] == pytest.approx(1.0 + 3.0 * e if e <= 1.0 / 3.0 else 4.0 / (3.0 * c), rel=1e-7)
    assert found.compressed[0] == pytest.approx(min(1.0, 1.5 * c), rel=1e-7)


def test_force_on_the_edge_or_beyond_it():
    for e in (1.0, 1.2):
        found = pressure(section_of(RECTANGLE, (0.0, e))[0])
        assert np.isinf(found.peak[0]) and found.compressed[0] == 0.0
    assert eccentricity(section_of(RECTANGLE, (0.0, 1.2))[0])[1][0] == pytest.approx(-0.2)


def test_kern_of_a_circle_is_a_quarter_of_its_radius():
    """A 200-gon differs from the circle by (pi/200)^2 / 2 in radius, 1.2e-4."""
    angle = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    inside, outside = (pressure(section_of(circle, (e, 0.0))[0]) for e in (0.249, 0.252))
    assert inside.peak[0] == pytest.approx(1.0 + 4.0 * 0.249, rel=1e-3) and inside.compressed[0] == 1.0
    assert outside.compressed[0] < 1.0


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([RECTANGLE, L_SHAPE, TRIANGLE]), st.floats(0.0, 6.28), st.floats(0.0, 0.9))
def test_pressure_balances_the_force(outline, direction, share):
    """The distribution that was found, summed over a fine grid, has the force's size and place (1/100 of the width)."""
    along = np.array([np.cos(direction), np.sin(direction)])
    edge = eccentricity(section_of(outline, 1e-3 * along)[0])[0][0] / 1e-3
    centre = share / edge * along
    section, middle, area = section_of(outline, centre)
    assert eccentricity(section)[0][0] == pytest.approx(share, abs=1e-9)
    found = pressure(section)
    grid, weight = grid_of(outline)
    level = fit_level(grid - middle, weight, area, centre, found)
    p = np.maximum(level, 0.0)
    assert (p * weight).sum() == pytest.approx(1.0, abs=0.03)
    assert ((p * weight) @ (grid - middle)) == pytest.approx(centre, abs=0.03)


def grid_of(outline, n=100):
    """Cell centres inside an outline, and the cells' area."""
    points = np.array(outline)
    low, high = points.min(axis=0), points.max(axis=0)
    step = (high - low) / n
    x, y = np.meshgrid(*(low[k] + (np.arange(n) + 0.5) * step[k] for k in (0, 1)), indexing="ij")
    inside = np.zeros_like(x, bool)
    for (x0, y0), (x1, y1) in zip(points, np.roll(points, -1, axis=0)):
        if y0 != y1:
            crosses = ((y0 > y) != (y1 > y)) & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
            inside ^= crosses
    return np.stack([x[inside], y[inside]], axis=1), step[0] * step[1]


def fit_level(arm, weight, area, centre, found):
    """The linear function whose positive part balances a unit force on the grid; compares its peak and its extent."""
    basis = np.column_stack([np.ones(len(arm)), arm])
    target = np.array([1.0, *centre])
    theta = np.linalg.solve(weight * basis.T @ basis, target)
    for _ in range(40):
        on = basis @ theta > 0.0
        matrix = weight * basis[on].T @ basis[on]
        theta = 0.5 * theta + 0.5 * np.linalg.solve(matrix, target)
    peak = (basis @ theta).max() * area
    assert peak == pytest.approx(found.peak[0], rel=0.06)
    assert (basis @ theta > 0.0).sum() * weight / area == pytest.approx(found.compressed[0], abs=0.03)
    return basis @ theta


@pytest.mark.short
def test_joint_of_a_leaning_block_is_statically_determinate():
    """Slope s: T/N = s, eccentricity h s / 2 towards the lean, N = W cos."""
    width, height, slope, friction = 0.6, 0.5, 0.2, 0.6
    result = analyse(*tilted((width, 1.0, height), slope, friction))
    table, joint = result.joints, result.interfaces[0]
    weight = 9.81 * 2000.0 * width * height
    cos = 1.0 / np.hypot(1.0, slope)
    assert joint.indices == (0, 1) and joint.normal == pytest.approx([0.0, 0.0, 1.0])
    assert joint.resultant == pytest.approx([-slope * cos * weight, 0.0, cos * weight], rel=1e-7, abs=1e-4)
    assert joint.friction_utilisation == pytest.approx(slope / friction, rel=1e-7)
    assert joint.section_utilisation == pytest.approx(height * slope / width, rel=1e-7)
    assert joint.centre_of_pressure == pytest.approx([height * slope / 2, 0.0, 0.0], abs=1e-8)
    # moment of the force on b about the centroid of the joint: x_c e_x x N e_z = -x_c N e_y
    assert joint.moment == pytest.approx([0.0, -0.5 * height * slope * cos * weight, 0.0], abs=1e-4)
    peak = cos * weight / (width * 1.0) * (1.0 + 6.0 * 0.5 * height * slope / width)
    assert joint.peak_pressure == pytest.approx(peak, rel=1e-7)
    assert joint.compressed == 1.0 and joint.in_kern and table.in_kern.all()
    outside = analyse(*tilted((width, 1.0, height), 0.5, friction))  # over three times its distance to the edge
    assert outside.interfaces[0].compressed == pytest.approx(3.0 * (0.5 - 0.25 * height / width), rel=1e-6)
    assert not outside.interfaces[0].in_kern and not outside.joints.in_kern.any()
    for name in ("friction_utilisation", "section_utilisation", "peak_pressure", "normal_force", "shear_force"):
        assert getattr(table, name)[0] == pytest.approx(getattr(joint, name), rel=1e-12)
    assert Interface.__from_data__(joint.__data__) == joint


def test_mean_stress_of_a_stack():
    """V32. A block that carries N at the top: -(N + W/2) / A along z, nothing across."""
    side, height, density = 0.5, 0.4, 2000.0
    found = analyse(stack(3, side, height, density)).stresses()
    weight = density * 9.81 * height  # per area
    for k, above in ((1, 2.0), (2, 1.0), (3, 0.0)):
        # the joint's pressure is not uniform to the last digit: contacts are regularised
        assert found.tensor[k, 2, 2] == pytest.approx(-(above + 0.5) * weight, rel=1e-8)
        assert np.abs(np.delete(found.tensor[k].ravel(), 8)).max() < 1e-6 * weight
    assert np.isnan(found.tensor[0]).all()
    assert np.nanmax(found.skew) < 1e-9


def test_point_loads_count_in_the_stress():
    """A block squeezed by F from both sides: -F / A, with F L / V = F / A."""
    structure = stack(1, 0.5, 0.4)
    case = LoadCase()
    case.add_point_load("s0", (0.25, 0.0, 0.2), (-900.0, 0.0, 0.0))
    case.add_point_load("s0", (-0.25, 0.0, 0.2), (900.0, 0.0, 0.0))
    found = analyse(structure, case).stresses()
    assert found.tensor[1, 0, 0] == pytest.approx(-900.0 / (0.5 * 0.4), rel=1e-6)


def test_stress_turns_with_the_structure():
    structure, turn = arch(span=4.0, thickness=0.5, blocks=9), random_rotation(8)
    straight = analyse(structure).stresses()
    turned = analyse(moved(structure, turn), LoadCase(turn @ [0.0, 0.0, -9.81])).stresses()
    size = np.nanmax(np.abs(straight.tensor))
    # the engine stops at 1e-10 of the forces; eps of its regularisation is 1e-8
    assert np.nanmax(np.abs(turned.tensor - turn @ straight.tensor @ turn.T)) < 1e-6 * size
    assert np.nanmax(np.abs(turned.principal - straight.principal)) < 1e-6 * size
    rebuilt = np.einsum("bki,bk,bkj->bij", straight.directions, straight.principal, straight.directions)
    assert np.nanmax(np.abs(rebuilt - straight.tensor)) < 1e-12 * size


def test_crosses_lie_along_the_principal_stresses():
    found = analyse(stack(2)).stresses()
    ends, values = found.crosses(1.0)
    assert len(values) == 2 and (values < 0.0).all()
    along = ends[:, 1] - ends[:, 0]
    assert np.abs(along[:, :2]).max() < 1e-6
    assert np.abs(along[:, 2]) == pytest.approx(np.abs(values) / np.abs(values).max())


def test_block_that_tips_opens_its_joint():
    """It turns about the edge: the joint opens by its width while the far corner goes along the diagonal."""
    width, height = 0.4, 1.0
    result = analyse(*tilted((width, 1.0, height), 0.6, 2.0))
    assert result.verdict == "collapse"
    opening = width / np.hypot(width, height)
    assert result.joints.opening[0] == pytest.approx(opening, rel=1e-4)
    assert result.joints.slip[0] < 1e-4 and result.joints.hinge[0]
    assert result.interfaces[0].opening == result.joints.opening[0]
    (crack,) = result.cracks()
    assert crack.blocks == ("ground", "block") and crack.opening == pytest.approx(opening, rel=1e-4)


def test_standing_structure_has_no_cracks():
    result = analyse(stack())
    assert result.cracks() == [] and not result.joints.opening.any() and result.interfaces[0].opening == 0.0


@pytest.mark.parametrize("suffix", ["npz", "json"])
@pytest.mark.parametrize("thickness", [0.6, 0.3])
def test_saved_results_come_back_equal(tmp_path, suffix, thickness):
    result = analyse(arch(span=6.0, thickness=thickness, blocks=9))
    path = tmp_path / ("result." + suffix)
    result.save(path)
    back = StaticResult.load(path)
    assert back == result and back.case == result.case
    assert all(getattr(back, key).tobytes() == getattr(result, key).tobytes() for key in result.arrays)
    assert back.joints.peak_pressure.tolist() == result.joints.peak_pressure.tolist()


def test_files_that_are_no_results(tmp_path):
    result = analyse(stack(1))
    with pytest.raises(FileError, match=".npz or .json"):
        result.save(tmp_path / "result.txt")
    with pytest.raises(FileError, match="no file"):
        StaticResult.load(tmp_path / "none.npz")
    with pytest.raises(FileError, match="cannot be written"):
        result.save(tmp_path / "none" / "result.npz")
    result.save(tmp_path / "cut.npz")
    whole = (tmp_path / "cut.npz").read_bytes()
    for content in (whole[: len(whole) // 2], b"", b"garbage", whole[:200] + b"\0" * 50 + whole[250:]):
        (tmp_path / "cut.npz").write_bytes(content)
        with pytest.raises(FileError):
            StaticResult.load(tmp_path / "cut.npz")
    (tmp_path / "other.json").write_text('{"dtype": "compas.geometry/Point", "data": [0, 0, 0]}')
    with pytest.raises(FileError, match="compas.geometry/Point"):
        StaticResult.load(tmp_path / "other.json")
