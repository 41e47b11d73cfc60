"""The components of deformable blocks, and the inputs `elastic` of Block and Structure."""

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
    assert ["assumed" in text for text in made.messages("Remark")] == [True, True]


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


#: For an engine that still has to compile its kernels [s].
PATIENCE_S = 240.0
CUBES = Elastic(1e9, 0.0, "h8", 2)


def test_deform_makes_a_copy(canvas):
    column = stack()
    all_blocks = canvas.add("Nscd_Deform", structure=column, elastic=CUBES)
    one = canvas.add("Nscd_Deform", structure=column, elastic=CUBES, blocks=[1])
    nowhere = canvas.add("Nscd_Deform", structure=column, elastic=CUBES, blocks=["nowhere"])
    canvas.solve()
    assert {block.elastic is None for block in column.blocks} == {True}
    assert all(block.elastic == CUBES for block in all_blocks["structure"].blocks)
    assert [block.elastic is not None for block in one["structure"].blocks].index(True) == 1
    rigid = canvas.add("Nscd_Deform", structure=one["structure"])
    canvas.solve()
    assert {block.elastic is None for block in rigid["structure"].blocks} == {True}
    assert "nowhere" in nowhere.messages("Error")[0]


def test_modes_of_a_column(rhino, live):
    column = stack()
    column.deform(CUBES)
    found = live.add("Nscd_Modes", structure=column, count=4, mode=1, size=-0.2)
    wrong = live.add("Nscd_Modes", structure=column, count=4, mode=4)
    live.solve()
    assert rhino.idle(lambda: found["result"] is not None and wrong.messages("Error"), PATIENCE_S), found.told
    result = found["result"]
    assert found["frequencies"] == result.frequency.tolist() == sorted(found["frequencies"])
    assert found["periods"][0] == pytest.approx(1.0 / found["frequencies"][0])
    assert len(found["masses"].lists()) == 4 and found["info"][0] == result.headline
    mesh = found["blocks"].lists()[-1][0]
    moved = np.array([xyz(mesh.Vertices[k]) for k in range(mesh.Vertices.Count)])
    expected = result.moved(1, -0.2)[-1][0]
    assert moved.min(axis=0) == pytest.approx(expected.min(axis=0), abs=1e-5)
    assert moved.max(axis=0) == pytest.approx(expected.max(axis=0), abs=1e-5)
    assert "0 to 3" in wrong.messages("Error")[0]


@pytest.mark.parametrize("rhino", ["Millimeters"], indirect=True)
def test_submodel_of_a_column(rhino, live):
    """The roughness is a length of the document; the result goes to Deformed Blocks, which draws this block alone."""
    column = stack()
    stone = CUBES.changed(tension=0.0)
    found = live.add("Nscd_Submodel", structure=column, block=1, elastic=stone, roughness=1e-3, seed=2)
    shown = live.add("Nscd_DeformedBlocks", result=Wire(found, "result"))
    live.solve()
    assert rhino.idle(lambda: found["result"] is not None, PATIENCE_S), found.told
    rhino.idle(lambda: False, 0.2)
    result = found["result"]
    assert result.block == 1 and result.elastic.summary["elements"] == 8
    assert found["tension"] == pytest.approx(1e-6 * result.tension) and result.tension > result.tension_smooth
    assert len(found["points"]) == len(found["forces"]) == len(result.point)
    assert len(shown["blocks"].lists()) == 1 and shown["cracked"] == [column.names[1]]
    assert (result.elastic.tension_utilisation > 1.0).any()
