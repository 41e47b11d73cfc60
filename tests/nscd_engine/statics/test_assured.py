"""Whether a balance is reached from the unloaded state: which Coulomb solution (V50, V51, V53, V67)."""

import json

import numpy as np
import pytest

from analysed import analyse
from analysed import box as block_between
from compas_nscd import Block, ContactLaw, LoadCase, PointLoad, Settings, Structure
from compas_nscd.templates import arch, flat_arch, wall
from limits import structure_of
from masonry import prism
from places import SHARED

SOLVERS = [Settings(solver="newton"), Settings(solver="newton", friction="coulomb")]
SOLVERS += [Settings(solver=name, friction="coulomb") for name in ("nlgs", "spg")]


def box(lower, upper, **options):
    return block_between(lower, upper, density=2400.0, **options)


def centre(structure, name):
    """Mean of the corners of a block."""
    return structure.blocks[structure.names.index(name)].vertices.mean(axis=0)


def between_walls(mu, gap=0.0):
    """A cube between two fixed walls, nothing below it."""
    walls = [
        box((-2.0 - gap, 0.0, 0.0), (-1.0 - gap, 1.0, 1.0), name="left", support=True),
        box((0.0 + gap, 0.0, 0.0), (1.0, 1.0, 1.0), name="right", support=True),
    ]
    return Structure([*walls, box((-1.0, 0.0, 0.0), (0.0, 1.0, 1.0), name="cube")], ContactLaw(mu))


def lone_wedge(angle, mu):
    """A wedge that narrows downwards by an angle [degrees] on either side, between two fixed faces."""
    lean = np.tan(np.radians(angle))
    sides = [(0.5, 0.0), (0.5 + lean, 1.0), (2.0, 1.0), (2.0, 0.0)]
    scene = {
        "blocks": [
            prism([(-0.5, 0.0), (0.5, 0.0), (0.5 + lean, 1.0), (-0.5 - lean, 1.0)], 1.0),
            prism([sides[0], sides[3], sides[2], sides[1]], 1.0, support=True),
            prism([(-x, z) for x, z in sides], 1.0, support=True),
        ],
        "mu": mu,
    }
    return structure_of(scene)


def pulled(structure, block, force):
    load = PointLoad(block, centre(structure, block), (0.0, 0.0, force))
    return analyse(structure, LoadCase(loads=[load]))


@pytest.mark.short
@pytest.mark.parametrize("mu", [0.05, 0.6])
def test_cube_between_two_walls_is_not_assured(mu):
    """V51: a balance exists if the walls press, and nothing makes them."""
    result = analyse(between_walls(mu))
    assert result.verdict == "stable" and result.assured is False
    wedged = [warning for warning in result.warnings if warning["code"] == "wedged"]
    assert wedged[0]["blocks"] == ["cube"] and "left, right" in wedged[0]["message"]
    assert result.answer == "stands only if clamped" and result.summary["assured"] is False


@pytest.mark.parametrize("settings", SOLVERS, ids=lambda s: s.solver + " " + s.friction)
def test_all_solvers_agree_on_what_is_assured(settings):
    assert analyse(between_walls(0.4), settings=settings).assured is False
    standing = analyse(arch(blocks=7), settings=settings)
    assert standing.verdict == "stable" and standing.assured is True
    assert [w for w in standing.warnings if w["code"] == "wedged"] == []


def test_keystone_comes_free_when_the_thrust_of_its_neighbours_is_used_up():
    """V50: 4.215 kN within 0.5 %, by two other methods; a balance exists at any force."""
    held, free = pulled(flat_arch(), "v4", 4194.0), pulled(flat_arch(), "v4", 4236.0)
    assert held.verdict == "stable" and held.assured is True
    assert free.verdict == "stable" and free.assured is False
    assert "v4" in [w for w in free.warnings if w["code"] == "wedged"][0]["blocks"]


@pytest.mark.parametrize("mu", [0.2, 0.5])
def test_lone_wedge_comes_free_at_its_weight(mu):
    """V50: nothing presses on a wedge of 8 degrees whose weight is lifted off its faces."""
    structure = lone_wedge(8.0, mu)
    weight = 2400.0 * 9.81 * (1.0 + np.tan(np.radians(8.0)))
    name = structure.names[0]
    assert pulled(structure, name, 0.995 * weight).assured is True
    assert pulled(structure, name, 1.005 * weight).assured is False


def test_brick_slides_out_at_the_friction_of_its_bed():
    """V53: neighbours do not press on it, so that the bed alone holds: mu W within 3 %."""
    mu, length = 0.6, 0.4
    ground = box((-1.0, -1.0, -0.5), (4.0, 1.0, 0.0), name="ground", support=True)
    bricks = [box((k * length, 0.0, 0.0), ((k + 1) * length, 0.2, 0.2), name="b{}".format(k)) for k in range(5)]
    structure = Structure([ground, *bricks], ContactLaw(mu))
    weight = 2400.0 * 9.81 * length * 0.04
    foot = centre(structure, "b2") - [0.0, 0.0, 0.1]
    answers = [
        analyse(structure, LoadCase(loads=[PointLoad("b2", foot, (0.0, share * mu * weight, 0.0))])).assured
        for share in (0.98, 1.02)
    ]
    assert answers == [True, False]


@pytest.mark.parametrize("structure", [wall(5, 6), arch(blocks=21), flat_arch()], ids=lambda s: s.name)
def test_structures_without_clamping_are_assured(structure):
    assert analyse(structure).assured is True


def test_a_hair_of_a_gap_changes_nothing():
    for gap in (0.0, 1e-9, 1e-8):
        assert analyse(between_walls(0.4, gap)).assured is False


def test_assured_does_not_depend_on_axes_units_or_order():
    structure = flat_arch()
    angle = 0.7
    turn = np.array([[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    for force, expected in ((4194.0, True), (4236.0, False)):
        for change in (turn, np.diag([-1.0, 1.0, 1.0])):
            blocks = [
                Block(b.vertices @ change.T, _faces(b, change), b.density, b.name, b.support)
                for b in structure.blocks[::-1]
            ]
            other = Structure(blocks, structure.law)
            assert pulled(other, "v4", force).assured is expected


def _faces(block, change):
    return [face[::-1] for face in block.faces] if np.linalg.det(change) < 0.0 else block.faces


def _models():
    folder = SHARED / "peers" / "cra"
    return json.loads((folder / "index.json").read_text()) if folder.is_dir() else []


#: It has several Coulomb solutions: it tips for any stiffness of its joints and for nine of twelve orders of NLGS, and
#: stands for the other orders (docs/methods.md, section 3.3).
OTHER = {"wedge_c_x40"}


@pytest.mark.skipif(not _models(), reason="the models of compas_cra in ../shared are not beside this checkout")
@pytest.mark.parametrize("model", [m for m in _models() if m["name"] not in OTHER], ids=lambda m: m["name"])
def test_models_of_compas_cra(model):
    """V67: verdict and assurance as three other codes give them."""
    scene = json.loads((SHARED / "peers" / "cra" / (model["name"] + ".json")).read_text())
    result = analyse(structure_of(scene))
    expected = {"stands": ("stable", True), "jammed": ("stable", False), "falls": ("collapse", False)}
    assert (result.verdict, result.assured) == expected[model["expected"]]


def _pile(seed):
    """Boxes set on one another with random offsets on one support, under a random slope: no clamping is possible."""
    random = np.random.default_rng(seed)
    blocks = [box((-3.0, -3.0, -1.0), (3.0, 3.0, 0.0), name="ground", support=True)]
    low = np.array([-0.5, -0.5, 0.0])
    for k in range(random.integers(2, 7)):
        low[:2] += random.uniform(-0.25, 0.25, 2)
        size = random.uniform(0.6, 1.2, 3) * [1.0, 1.0, 0.5]
        blocks.append(box(tuple(low), tuple(low + size), name="b{}".format(k)))
        low[2] += size[2]
    slope = random.uniform(0.0, 0.35)
    gravity = 9.81 * np.array([slope * np.cos(seed), slope * np.sin(seed), -1.0])
    return Structure(blocks, ContactLaw(random.uniform(0.1, 0.7))), LoadCase(gravity)


def _same_verdicts(seeds):
    verdicts = []
    for seed in seeds:
        structure, case = _pile(seed)
        found = [analyse(structure, case, Settings(solver=name, friction="coulomb")) for name in ("newton", "nlgs")]
        assert found[0].verdict == found[1].verdict and found[0].assured == found[1].assured, seed
        verdicts.append((found[0].verdict, found[0].assured))
    return set(verdicts)


def test_newton_and_nlgs_agree_on_random_piles():
    """V54, a tenth of it; without clamping between supports what stands is assured."""
    assert _same_verdicts(range(20)) == {("stable", True), ("collapse", False)}


@pytest.mark.slow
def test_newton_and_nlgs_agree_on_200_random_piles():
    assert _same_verdicts(range(20, 200)) == {("stable", True), ("collapse", False)}
