"""Drawings of AutoCAD: closed polylines become a planar structure, meshes solids."""

import pytest

from analysed import analyse
from compas_nscd import ContactLaw, Structure
from compas_nscd.errors import FileError, NotAvailableError
from solids import box

GIVEN = {"supports": "lowest", "density": 2400.0, "law": ContactLaw(0.6)}


@pytest.fixture
def drawing():
    ezdxf = pytest.importorskip("ezdxf")
    document = ezdxf.new()
    document.header["$INSUNITS"] = 4  # millimetres
    return document


def square(space, x, y, side, **attributes):
    corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
    return space.add_lwpolyline(corners, close=True, dxfattribs=attributes)


def test_closed_polylines_are_a_planar_structure(drawing, tmp_path):
    space = drawing.modelspace()
    for level in range(3):
        square(space, 0, 1000 * level, 1000, layer="stones")
    space.add_line((0, 0), (1, 1))
    space.add_lwpolyline([(0, 0), (5, 5)])
    drawing.saveas(tmp_path / "wall.dxf")
    structure = Structure.from_file(tmp_path / "wall.dxf", **GIVEN)
    assert len(structure) == 3 and structure.planar == (0.0, 1.0, 0.0) and structure.supports == [0]
    assert sorted(round(float(b.vertices[:, 2].max()), 9) for b in structure.blocks) == [1.0, 2.0, 3.0]
    assert {round(float(b.vertices[:, 1].max() - b.vertices[:, 1].min()), 9) for b in structure.blocks} == {1.0}
    assert [each.reason for each in structure.left_out] == ["LINE: not a solid", "an open polyline: not a solid"]
    result = analyse(structure)
    assert result.verdict == "stable" and result.summary["weight_total"] == pytest.approx(2 * 2400.0 * 9.81)


def test_meshes_are_solids_and_hidden_layers_are_left_out(drawing, tmp_path):
    space = drawing.modelspace()
    drawing.layers.add("later").off()
    for level in range(3):
        mesh = space.add_mesh(dxfattribs={"layer": "later" if level == 2 else "0"})
        vertices, faces = box((0, 0, 1000 * level), (1000, 1000, 1000))
        with mesh.edit_data() as data:
            data.vertices, data.faces = vertices.tolist(), faces
    drawing.saveas(tmp_path / "stack.dxf")
    assert len(Structure.from_file(tmp_path / "stack.dxf", **GIVEN)) == 2
    assert len(Structure.from_file(tmp_path / "stack.dxf", layers="0,later", **GIVEN)) == 3


def test_damaged_drawing(tmp_path):
    (tmp_path / "noise.dxf").write_bytes(b"noise " * 50)
    with pytest.raises((FileError, NotAvailableError)):
        Structure.from_file(tmp_path / "noise.dxf", **GIVEN)
