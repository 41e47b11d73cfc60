"""Joints as sections do not depend on axes, units or order: displacements and forces turn, mirror and scale along."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from analysed import analyse, box
from compas_nscd import Block, ContactLaw, LoadCase, PointLoad, Structure

STIFF = {"normal_stiffness": 2e8, "tangential_stiffness": 1e8}
LAWS = {
    "elastic": ContactLaw(0.8, "elastic", **STIFF),
    "bonded": ContactLaw(0.8, "brittle", cohesion=4e5, tension=2e5),
    "capped": ContactLaw(0.8, compression=2e6),
}
FORCE = np.array([2e3, 1e3, -2e4])  # [N]
QUATERNIONS = st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: sum(x * x for x in q) > 0.1)
POINT = np.array([0.3, 0.2, 1.0])  # [m]


def pushed_column(law, change, reverse=False):
    """A StaticResult of two blocks on a support, pushed off their axes; all is turned or mirrored by `change`."""
    solids = [
        box((-1.0, -1.0, -0.5), (1.0, 1.0, 0.0), density=2000.0, name="ground", support=True),
        box((-0.3, -0.2, 0.0), (0.4, 0.3, 0.5), density=2000.0, name="low"),
        box((-0.3, -0.2, 0.5), (0.4, 0.3, 1.0), density=2000.0, name="high"),
    ]
    mirrored = np.linalg.det(change) < 0.0
    blocks = [
        Block(
            block.vertices @ change.T,
            [face[::-1] for face in block.faces] if mirrored else block.faces,
            block.density,
            block.name,
            block.support,
        )
        for block in (solids[::-1] if reverse else solids)
    ]
    load = PointLoad("high", tuple(change @ POINT), tuple(change @ FORCE))
    case = LoadCase(tuple(change @ [0.0, 0.0, -9.81]), loads=[load])
    return analyse(Structure(blocks, law), case)


def reaction(result):
    return np.asarray(result.summary["support_reaction"])


@pytest.mark.parametrize("name", LAWS)
@given(QUATERNIONS, st.booleans(), st.booleans())
@settings(max_examples=6, deadline=None)
def test_turned_mirrored_and_in_another_order(name, quaternion, mirror, reverse):
    change = Rotation.from_quat(quaternion).as_matrix() @ np.diag([-1.0 if mirror else 1.0, 1.0, 1.0])
    drawn, other = pushed_column(LAWS[name], np.eye(3)), pushed_column(LAWS[name], change, reverse)
    assert other.verdict == drawn.verdict == "stable" and other.assured == drawn.assured
    np.testing.assert_allclose(reaction(other), change @ reaction(drawn), atol=1e-6 * np.linalg.norm(FORCE))
    if drawn.displacement is not None:
        top, same = (result.displacement[result.structure.names.index("high"), :3] for result in (drawn, other))
        np.testing.assert_allclose(same, change @ top, atol=1e-6 * np.linalg.norm(top))
