"""Curved joints: two meshes of one curved surface are one joint."""

import json

import numpy as np
import pytest

from detection import request_of
from nscd_engine.contacts.at_rest import detect
from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_model
from nscd_engine.statics.run import run
from places import SHARED
from scene_requests import request_from_scene
from solids import prism

RADIUS, HALF, DEPTH = 2.0, 0.7, 1.0


def shell(steps, flat):
    """Prism between an arc of `steps` chords of radius RADIUS and a flat side at the height `flat`."""
    angle = np.linspace(-HALF, HALF, steps + 1)
    arc = np.stack([RADIUS * np.sin(angle), RADIUS * np.cos(angle)], axis=1)
    outline = np.concatenate([arc, [[arc[-1, 0], flat], [arc[0, 0], flat]]])
    x, z = outline.T
    outline = outline if np.sum(x * np.roll(z, -1) - z * np.roll(x, -1)) > 0.0 else outline[::-1]
    vertices, faces = prism(outline, DEPTH)
    return vertices[:, [0, 2, 1]], [face[::-1] for face in faces]  # the axis along y: a mirror image


@pytest.mark.parametrize("steps", [(8, 8), (8, 11), (12, 31)])
def test_different_meshes_of_a_cylinder_meet_on_the_whole_arc(steps):
    """A saddle on a convex block: the area is that of the arc, whatever the chords."""
    low = shell(steps[0], 0.0)
    high = shell(steps[1], 3.0)
    request = request_of([low, high])
    found = detect(read_model(request), read_settings(request), thorough=True)
    arc = 2.0 * HALF * RADIUS * DEPTH
    assert found.interfaces.area.sum() == pytest.approx(arc, rel=0.02)
    assert found.coverage[1].tolist() == pytest.approx([1.0], abs=0.02)
    assert not [w for w in found.warnings if w["code"] == "coverage"]
    assert run(request, Monitor())["verdict"] == "stable"


@pytest.mark.slow
@pytest.mark.parametrize("name, area", [("curve-3-blocks", 2.4), ("cube-curve-short", 0.47)])
def test_published_curved_joints(name, area):
    """V68: the verdict does not depend on the tolerances."""
    path = SHARED / "peers" / "cra" / (name + ".json")
    if not path.is_file():
        pytest.skip("../shared/peers is not beside this checkout")
    request = request_from_scene(json.loads(path.read_text(encoding="utf-8")))
    for gap in (1e-3, 1e-2):
        for angle in (1.0, 10.0):
            request["settings"] = {"gap_tolerance": gap, "angle_tolerance": angle}
            reply = run(dict(request), Monitor())
            assert reply["verdict"] == "stable"
            assert reply["interface_area"].sum() == pytest.approx(area, rel=0.05)
