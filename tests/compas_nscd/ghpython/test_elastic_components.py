"""The components Elastic and Deformed Blocks, and the inputs `elastic` of Block and Structure."""

import numpy as np
import pytest

from analysed import analyse, stack
from compas_nscd import Elastic
from elastic_replies import squeezed_stack
from rhino_net.canvas import Wire
from rhino_net.shapes import xyz

pytest_plugins = ["gh_fixtures"]
BOX = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
SIDES = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


def block_at(canvas, z, **given):
    shape = canvas.shapes.mesh([(x, y, h + z) for x, y, h in BOX], SIDES)
    return canvas.add("Nscd_Block", geometry=shape, density=2400, **given)


def test_elastic_feeds_blocks_and_structures(canvas):
    soft = canvas.add("Nscd_Elastic", young=1e9)
    stiff = canvas.add(
        "Nscd_Elastic", young=6e10, poisson=0.27, elements="h8", refine=2, tension=3e6, damping=[0.1, 1e-4]
    )
    low = block_at(canvas, 0.0, name="low", support=True)
    high = block_at(canvas, 1.0, name="high", elastic=Wire(stiff, "elastic"))
    law = canvas.add("Nscd_ContactLaw")
    canvas.solve()
    blocks = [low["block"], high["block"]]
    made = canvas.add("Nscd_Structure", blocks=blocks, law=Wire(law, "law"), elastic=Wire(soft, "elastic"))
    canvas.solve()
    own = Elastic(6e10, 0.27, "h8", 2, damping=(0.1, 1e-4), tension=3e6)
    assert [block.elastic for block in made["structure"].blocks] == [Elastic(1e9), own]
    assert low["block"].elastic is None  # the block on the wire is not changed


def test_elasticity_of_the_library(canvas):
    made = canvas.add("Nscd_Elastic", material="limestone", elements="t4")
    canvas.solve()
    assert made["elastic"] == Elastic(2.85e10, 0.29, "t4")


def test_wrong_inputs_are_told_by_their_names(canvas):
    nothing, flat = canvas.add("Nscd_Elastic"), canvas.add("Nscd_Elastic", young=0.0)
    block = block_at(canvas, 0.0, elastic="steel")
    rigid = canvas.add("Nscd_DeformedBlocks", result=analyse(stack()))
    canvas.solve()
    for component, words in ((nothing, "young"), (flat, "young"), (block, "elastic"), (rigid, "deformable")):
        assert words in component.messages("Error")[0]


@pytest.mark.parametrize("rhino", ["Millimeters"], indirect=True)
def test_deformed_blocks_are_coloured_and_magnified(canvas):
    result = squeezed_stack()
    shown = canvas.add("Nscd_DeformedBlocks", result=result, magnify=1000.0, stress="tension")
    canvas.solve()
    assert shown.messages("Error") == []
    meshes = [branch[0] for branch in shown["blocks"].lists()]
    corners = [meshes[2].Vertices[k] for k in range(meshes[2].Vertices.Count)]
    top = np.array([xyz(point) for point in corners])[:, 2].max()
    assert top == pytest.approx(0.9 * 1200.0, rel=1e-5)
    assert [mesh.VertexColors.Count for mesh in meshes] == [24] * 3
    colour = meshes[2].VertexColors[0]
    assert (colour.R, colour.G, colour.B) == (200, 30, 40)
    assert shown["stresses"].lists() == [[pytest.approx(value)] for value in (1.0, 2.0, 4.0)]
    assert shown["principal"].lists()[0] == pytest.approx([-3.0, 0.0, 1.0])
    assert max(shown["displacements"].lists()[2]) == pytest.approx(0.12)
    assert shown["cracked"] == ["s0", "s1", "s2"] and "1000 times" in shown["legend"][1]
