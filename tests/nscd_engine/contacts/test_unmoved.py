"""Detection of a structure of which some blocks have moved: the same bits as if nothing was known, for less work."""

import numpy as np
import pytest

from compas_nscd import Block, ContactLaw, Structure, wire
from compas_nscd.client.requests import StaticRequest
from compas_nscd.templates import arch, dome, wall
from nscd_engine.contacts import facing, unmoved
from nscd_engine.contacts.at_rest import detect
from nscd_engine.gate.scene import read_scene


@pytest.fixture(autouse=True)
def searched(nothing_is_remembered, monkeypatch):
    """Numbers of pairs that were searched; small structures are remembered."""
    monkeypatch.setattr(unmoved, "LARGEST", 1000)
    found, numbers = facing.find_patches, []

    def counted(points, facets, pairs, *more):
        numbers.append(len(pairs))
        return found(points, facets, pairs, *more)

    monkeypatch.setattr(facing, "find_patches", counted)
    return numbers


def detection(structure):
    scene = read_scene(wire.unpack(StaticRequest(structure).packed))
    return detect(scene.model, scene.settings)


def moved(structure, chosen, by=(0.0, 0.0, 0.0), scale=1.0, divided=False):
    """The structure with some of its blocks moved [m], scaled about their centres, or their first face divided."""
    blocks = list(structure.blocks)
    for k in chosen:
        block = blocks[k]
        middle = block.vertices.mean(axis=0)
        faces = [list(face) for face in block.faces]
        if divided:
            faces[0:1] = [faces[0][:3], [faces[0][0], *faces[0][2:]]]
        points = middle + scale * (block.vertices - middle) + np.array(by)
        blocks[k] = Block(points, faces, density=block.density, support=block.support, name=block.name)
    return Structure(blocks, ContactLaw(0.6))


def assert_same(one, other):
    for name in ("interfaces", "contacts"):
        for mine, its in zip(getattr(one, name), getattr(other, name)):
            assert np.array_equal(mine, its)
    assert np.array_equal(one.law, other.law)
    for name in ("overlaps", "isolated", "warnings", "slivers", "corners", "refused"):
        assert getattr(one, name) == getattr(other, name)


MOVES = {
    "one block": (wall(6, 5), dict(chosen=[12], by=(0.001, 0.0, 0.0))),
    "one that touches no more": (wall(6, 5), dict(chosen=[32], by=(0.0, 1.5, 0.0))),
    "smaller": (wall(6, 5), dict(chosen=[3, 4, 5, 20], scale=0.99)),
    "curved": (dome(), dict(chosen=list(range(10)), by=(0.0, 0.0, 1e-4))),
    "none": (arch(), dict(chosen=[])),
}


@pytest.mark.parametrize("structure, change", list(MOVES.values()), ids=list(MOVES))
def test_unmoved_blocks_are_known_with_the_same_bits(structure, change, searched, monkeypatch):
    detection(structure)
    whole, after = searched[0], moved(structure, **change)
    del searched[:]
    known = detection(after)
    assert sum(searched[:1]) < 0.6 * whole
    monkeypatch.setattr(unmoved, "_known", None)
    assert_same(known, detection(after))


def test_the_first_structure_again_has_its_first_contacts():
    """What is remembered is not changed by what was made of it."""
    structure = wall(6, 5)
    first = detection(structure)
    first.contacts.point[:] = first.interfaces.polygon[:] = 0.0
    detection(moved(structure, [7], by=(0.0, 0.001, 0.0)))
    again = detection(structure)
    unmoved._known = None
    assert_same(again, detection(structure))


def test_other_faces_are_searched_anew(searched, monkeypatch):
    structure = wall(6, 5)
    detection(structure)
    divided = moved(structure, [12], divided=True)
    known = detection(divided)
    assert searched[0] == searched[1]
    monkeypatch.setattr(unmoved, "_known", None)
    assert_same(known, detection(divided))


def test_another_number_of_facets_is_searched_anew(searched, monkeypatch):
    """A block whose top is folded has a facet more, from the same vertices and faces."""
    structure = moved(wall(6, 5), [12], divided=True)
    detection(structure)
    folded = moved(structure, [])
    corner = folded.blocks[12].vertices.copy()
    corner[folded.blocks[12].faces[0][1]] += 0.02 * (corner.mean(axis=0) - corner[folded.blocks[12].faces[0][1]])
    blocks = list(folded.blocks)
    blocks[12] = Block(corner, blocks[12].faces, density=blocks[12].density, name=blocks[12].name)
    folded = Structure(blocks, ContactLaw(0.6))
    known = detection(folded)
    monkeypatch.setattr(unmoved, "_known", None)
    assert_same(known, detection(folded))


def test_large_structures_are_not_remembered(monkeypatch):
    monkeypatch.setattr(unmoved, "LARGEST", 20)
    detection(wall(6, 5))
    assert unmoved._known is None
