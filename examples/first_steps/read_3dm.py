"""A Rhino file is read, analysed, and written back with verdict and forces.

The script writes the first file itself: a lintel on two posts, the posts on a plinth, in millimetres. Needs rhino3dm.
Asserted: it stands, and each post carries half the lintel.
"""

import sys
from pathlib import Path

import numpy as np
import rhino3dm

from compas_nscd import ContactLaw, Engine, Structure
from compas_nscd.drawing import draw_static, write_static


def draw(path):
    """Boxes as meshes on the layers `stone` and `ground`."""
    model = rhino3dm.File3dm()
    model.Settings.ModelUnitSystem = rhino3dm.UnitSystem.Millimeters
    layers = {name: model.Layers.AddLayer(name, (0, 0, 0, 255)) for name in ("stone", "ground")}
    boxes = [
        ("plinth", "ground", (-1800, -400, -300), (1800, 400, 0)),
        ("left", "stone", (-1500, -200, 0), (-1100, 200, 2000)),
        ("right", "stone", (1100, -200, 0), (1500, 200, 2000)),
        ("lintel", "stone", (-1500, -200, 2000), (1500, 200, 2400)),
    ]
    for name, layer, low, high in boxes:
        box = rhino3dm.Box(rhino3dm.BoundingBox(rhino3dm.Point3d(*low), rhino3dm.Point3d(*high)))
        attributes = rhino3dm.ObjectAttributes()
        attributes.Name, attributes.LayerIndex = name, layers[layer]
        model.Objects.AddBrep(rhino3dm.Brep.CreateFromBox(box), attributes)
    model.Write(str(path), 7)


def main(folder="."):
    path = Path(folder, "trilith.3dm")
    draw(path)
    structure = Structure.from_file(path, supports="ground", density=2400.0, law=ContactLaw(0.6))
    with Engine() as engine:
        result = engine.static(structure)
    print("{} blocks read; {}".format(len(structure), result.verdict))
    write_static(result, Path(folder, "trilith_result.3dm"))
    Path(folder, "read_3dm.svg").write_text(draw_static(result, width=600), encoding="utf-8")

    assert result.verdict == "stable"
    loads = [abs(joint.forces[:, 2].sum()) for joint in result.interfaces if "lintel" in joint.blocks]
    assert len(loads) == 2 and np.allclose(loads, 3.0 * 0.4 * 0.4 * 2400.0 * 9.81 / 2, rtol=1e-6)


if __name__ == "__main__":
    main(*sys.argv[1:])
