"""Laws of single interfaces. An L stands under a block in its notch: they meet below and beside."""

import numpy as np
import pytest

from analysed import analyse as solved
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.drawing import threedm
from compas_nscd.errors import MaterialError
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.model.structure import Structure
from compas_nscd.results.strength import law_of
from dynamic_helpers import G, follow, structure_of
from motion_helpers import upright
from solids import box

L_OUTLINE = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
WEIGHT = 2000.0 * G
BELOW, BESIDE = (1.5, -0.5, 1.0), (1.0, -0.5, 1.5)
SMOOTH, ROUGH = ContactLaw(0.0), ContactLaw(0.5)


def notched(*laws, default=SMOOTH):
    structure = structure_of([upright(L_OUTLINE, 1.0), box((1, -1, 1))])
    return Structure(structure.blocks, default, interface_laws=[((0, 1), point, law) for point, law in laws])


def pushed(force, z=1.0):
    return LoadCase(loads=[PointLoad(1, (1.5, -0.5, z), force)])


@pytest.mark.short
def test_friction_of_one_face():
    """Pulled off the wall, the block holds by the friction of its base alone, mu W."""
    both = [(BELOW, ROUGH), (BESIDE, ContactLaw(0.1))]
    for laws, stands in (([], 0.0), ([(BELOW, ROUGH)], 0.5), ([(BESIDE, ROUGH)], 0.0), (both, 0.5)):
        for share, expected in ((stands - 0.01, "stable"), (stands + 0.01, "collapse")):
            if share > 0.0:
                assert solved(notched(*laws), pushed((share * WEIGHT, 0, 0))).verdict == expected


def test_bond_of_one_face():
    """Bonded to the wall with W / 4 in tension, the block is pulled off it with that; the base carries its weight."""
    glue = ContactLaw(0.4, "mohr_coulomb", cohesion=3.0 * WEIGHT, tension=0.25 * WEIGHT)
    for share, expected in ((0.24, "stable"), (0.26, "collapse")):
        result = solved(notched((BESIDE, glue)), pushed((share * WEIGHT, 0, 0), 1.5))
        assert result.verdict == expected
        mine = np.flatnonzero(result.interface_law == 0)
        assert len(mine) == 1 and np.abs(result.interface_normal[mine[0]]) == pytest.approx([1, 0, 0])
        assert [law_of(result, i).kind for i in (mine[0], 1 - mine[0])] == ["mohr_coulomb", "coulomb"]
        assert result.interfaces[mine[0]].friction == 0.4


def test_break_of_one_face():
    glue = ContactLaw(0.4, "brittle", cohesion=3.0 * WEIGHT, tension=2.0 * WEIGHT)
    for share, expected in ((0.3, "stable"), (2.1, "collapse")):
        result = solved(notched((BESIDE, glue)), pushed((share * WEIGHT, 0, 0), 1.5))
        of = np.repeat(result.interface_law, np.diff(result.contact_start))
        assert result.verdict == expected
        assert (result.contact_broken == ((of == 0) & (expected == "collapse"))).all()


@pytest.mark.parametrize(
    "point, word",
    [
        ((1.5, -0.5, 1.2), "near the point"),
        ((1.0, -0.5, 1.0), "several interfaces"),
    ],
)
def test_points_that_name_no_interface(point, word):
    with pytest.raises(MaterialError, match=word) as found:
        solved(notched((point, ROUGH)))
    assert len(found.value.blocks) == 2


def test_other_mistakes():
    with pytest.raises(MaterialError, match="two contact laws"):
        solved(notched((BELOW, ROUGH), (BELOW, ContactLaw(0.1))))
    three = structure_of([upright(L_OUTLINE, 1.0), box((1, -1, 1)), box((2, -1, 1))])
    with pytest.raises(MaterialError, match="do not touch"):
        apart = structure_of([upright(L_OUTLINE, 1.0), box((1, -1, 1)), box((2.5, -1, 1))])
        solved(Structure(apart.blocks, ROUGH, interface_laws=[((1, 2), BELOW, ROUGH)]))
    for given in (((1, 1), BELOW, ROUGH), ((0, 9), BELOW, ROUGH), ((0, 1), (0.0, 1.0), ROUGH), ((0, 1), BELOW, 0.5)):
        with pytest.raises(MaterialError):
            Structure(three.blocks, ROUGH, interface_laws=[given])


def test_a_point_nearby_will_do():
    """5 % of the size of the block is near; blocks may come in any order."""
    near = (1.4, -0.3, 1.05)
    assert solved(notched((near, ROUGH)), pushed((0.49 * WEIGHT, 0, 0))).verdict == "stable"
    swapped = notched()
    again = Structure(swapped.blocks, SMOOTH, interface_laws=[((1, 0), BELOW, ROUGH)])
    assert solved(again, pushed((0.49 * WEIGHT, 0, 0))).verdict == "stable"


def test_files(tmp_path):
    structure = notched((BELOW, ROUGH), (BESIDE, ContactLaw(0.4, "brittle", cohesion=1e4)))
    structure.to_scene(tmp_path / "notch.json")
    back = Structure.from_file(tmp_path / "notch.json")
    assert back.interface_laws == structure.interface_laws
    assert Structure.__from_data__(structure.__data__) == structure
    result = solved(structure)
    result.save(tmp_path / "notch.npz")
    loaded = type(result).load(tmp_path / "notch.npz")
    assert loaded == result and (loaded.interface_law == result.interface_law).all()

    pytest.importorskip("rhino3dm")
    threedm.write_structure(structure, tmp_path / "notch.3dm")
    assert Structure.from_file(tmp_path / "notch.3dm").interface_laws == structure.interface_laws


def test_parts_keep_their_laws():
    structure = notched((BELOW, ROUGH))
    part = Structure(structure.blocks, SMOOTH, **structure.options_of([0, 1]))
    assert part.interface_laws == structure.interface_laws
    assert Structure(structure.blocks[:1], SMOOTH, **structure.options_of([0])).interface_laws == []


def test_motion():
    """Pulled off with 0.4 W on a smooth base it slides by (0.4 g) t^2 / 2; a rough base under it alone holds it."""
    t = 0.1
    for laws, way in (([], 0.5 * 0.4 * G * t * t), ([(BELOW, ROUGH)], 0.0), ([(BESIDE, ROUGH)], 0.5 * 0.4 * G * t * t)):
        result = follow(notched(*laws), pushed((0.4 * WEIGHT, 0, 0)), t, 1e-3, quiet=False)
        assert result.displacement(1)[-1, 0] == pytest.approx(way, abs=1e-6 if not way else 0.02 * way)


def test_motion_of_a_bond():
    """Glue on the wall alone holds the block on its smooth base, until it is pulled with more."""
    glue = ContactLaw(0.4, "brittle", cohesion=3.0 * WEIGHT, tension=2.0 * WEIGHT)
    for share, moves in ((0.3, False), (2.1, True)):
        result = follow(notched((BESIDE, glue)), pushed((share * WEIGHT, 0, 0), 1.5), 0.1, 1e-3, quiet=False)
        assert (result.displacement(1)[-1, 0] > 1e-3) == moves
