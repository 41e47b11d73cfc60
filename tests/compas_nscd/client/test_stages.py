"""Construction in stages: arches on centring, piers that come later."""

import numpy as np
import pytest

from analysed import analyse
from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.client.stages import Stage, run_stages
from compas_nscd.errors import InputError
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from dynamic_helpers import structure_of
from masonry import circular_arch
from solids import box


class InProcess:
    """The engine without a process."""

    def static(self, structure, case=None, settings=None):
        return analyse(structure, case)


def arch_on_centring(thickness, count=12):
    """A semicircular arch, its two supports, and a centring that fills it: blocks, voussoirs, supports, centring."""
    scene = circular_arch(count, thickness)
    given = scene["blocks"]
    turn = np.linspace(0.0, np.pi, count + 1)
    inner = (1.0 - 0.5 * thickness) * np.column_stack([np.cos(turn), np.sin(turn)])
    blocks = [Block(b["vertices"], b["faces"], b["density"], support=b["support"]) for b in given]
    near = [[x, -0.5, z] for x, z in inner]
    far = [[x, 0.5, z] for x, z in inner]
    n = len(inner)
    faces = [list(range(n)), list(range(2 * n - 1, n - 1, -1))]
    faces += [[k, n + k, n + (k + 1) % n, (k + 1) % n] for k in range(n)]
    blocks.append(Block(near + far, faces, 600.0, name="centring", support=True))
    return Structure(blocks, ContactLaw(0.8)), list(range(count)), [count, count + 1]


@pytest.mark.parametrize("thickness, expected", [(0.2, "stable"), (0.08, "collapse")])
def test_centring_removed_is_the_arch_built_at_once(thickness, expected):
    """While the centring is there all stands; then the verdict and the balance are those of the arch built at once
    (forces within it are not unique). A semicircular arch needs a thickness of 0.107 r."""
    whole, voussoirs, supports = arch_on_centring(thickness)
    half = len(voussoirs) // 2
    stages = [
        Stage(add=supports + ["centring"] + voussoirs[:2] + voussoirs[-2:], name="springings"),
        Stage(add=voussoirs[2:half]),
        Stage(add=voussoirs[half:-2], name="closed"),
        Stage(remove=["centring"], name="decentred"),
    ]
    found = run_stages(InProcess(), whole, stages)
    assert [each.result.verdict for each in found] == ["stable"] * 3 + [expected]
    assert [each.name for each in found] == ["springings", "stage 2", "closed", "decentred"]
    last = found[-1].result
    at_once = analyse(Structure(whole.blocks[:-1], whole.law), LoadCase())
    assert at_once.verdict == expected
    if expected == "stable":
        weight = sum(last.mass[:-2]) * 9.81
        for result in (last, at_once):
            np.testing.assert_allclose(result.support_reaction, [0.0, 0.0, weight], atol=1e-6 * weight)
        assert last.summary["unbalanced_max"] < 1e-6
        reach = [abs(r.support_reactions[r.structure.names[-1]][0]) for r in (last, at_once)]
        assert 0.5 < reach[0] / reach[1] < 2.0  # thrusts differ, but both are thrusts of this arch


def test_a_pier_that_comes_later_carries_nothing():
    """A beam on two piers; a third one is put under it without force and gets its share of a later load only."""
    piers = [box((x, 0, -1), (0.5, 1, 1)) for x in (0.0, 2.0, 4.0)]
    structure = structure_of(piers + [box((0, 0, 0), (4.5, 1, 0.3))], supports=(0, 1, 2))
    load = LoadCase()
    load.add_point_load(3, (2.25, 0.5, 0.3), (0.0, 0.0, -1e4))
    stages = [Stage(add=[0, 2, 3]), Stage(add=[1]), Stage(case=load)]
    first, second, third = (each.result for each in run_stages(InProcess(), structure, stages))
    at_once = analyse(structure, load)
    weight = first.mass[-1] * 9.81

    def middle(result):
        return result.support_reactions["1"][2]

    assert abs(middle(second)) < 1e-6 * weight < middle(third)
    assert middle(at_once) > middle(third) + 0.2 * weight
    # A rigid beam on three equal springs: the load in the middle is shared equally.
    assert middle(third) == pytest.approx(1e4 / 3.0, rel=1e-4)
    np.testing.assert_allclose(third.support_reaction[2], weight + 1e4, rtol=1e-9)


def test_stages_that_cannot_be():
    structure = structure_of([box((-1, -1, -1), (3, 3, 1)), box()])
    with pytest.raises(InputError, match="adds what is there"):
        run_stages(InProcess(), structure, [Stage(add=[0, 1]), Stage(add=[1])])
    with pytest.raises(InputError, match="removes what is not"):
        run_stages(InProcess(), structure, [Stage(add=[0], remove=["1"])])


def test_a_support_that_is_released():
    """A block is held at first, and rests on the slab then."""
    structure = structure_of([box((-1, -1, -1), (3, 3, 1)), box(), box((0.2, 0.2, 1.0))], supports=(0, 1))
    found = run_stages(InProcess(), structure, [Stage(add=[0, 1, 2]), Stage(release=[1])])
    assert [each.result.verdict for each in found] == ["stable", "stable"]
    assert [each.structure.blocks[1].support for each in found] == [True, False]
