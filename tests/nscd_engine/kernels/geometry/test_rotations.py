"""Quaternions and the exponential map against matrices."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from nscd_engine.kernels.geometry.rotations import rotated, rotation_matrices
from nscd_engine.kernels.motion.moreau_jean import world_inertia

pytestmark = pytest.mark.short


def quaternions(count, seed):
    q = np.random.default_rng(seed).normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1)[:, None]


def test_matrices_are_those_of_an_independent_library():
    q = quaternions(100, 1)
    expected = Rotation.from_quat(q[:, [1, 2, 3, 0]]).as_matrix()
    np.testing.assert_allclose(rotation_matrices(q), expected, atol=1e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-5, 0.99e-4, 1.01e-4, 0.3, 3.0, 20.0])
def test_exponential_map_is_exact_for_any_angle(angle):
    q = quaternions(50, 2)
    axis = np.random.default_rng(3).normal(size=(50, 3))
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    h = 0.25
    turned = rotation_matrices(rotated(q, axis * angle / h, h))
    expected = Rotation.from_rotvec(axis * angle).as_matrix() @ rotation_matrices(q)
    np.testing.assert_allclose(turned, expected, atol=2e-14)


def test_norm_does_not_drift():
    q = quaternions(5, 4)
    omega = np.random.default_rng(5).normal(size=(5, 3))
    for _ in range(10000):
        q = rotated(q, omega, 1e-2)
    np.testing.assert_allclose(np.linalg.norm(q, axis=1), 1.0, atol=1e-15)


def test_inertia_turns_with_the_body():
    inertia = np.array([np.diag([1.0, 2.0, 3.0])])
    quarter = np.array([[np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]])  # 90 degrees about z
    turned = world_inertia(quarter, inertia, np.zeros(1, np.int32))
    np.testing.assert_allclose(turned[0], np.diag([2.0, 1.0, 3.0]), atol=1e-14)


def test_inertias_of_free_bodies_against_matrices():
    rng = np.random.default_rng(3)
    q, A = quaternions(5, 4), rng.normal(size=(5, 3, 3))
    inertia, free = A @ A.transpose(0, 2, 1), np.array([-1, 0, 1, -1, 2], np.int32)
    R = rotation_matrices(q)[free >= 0]
    expected = R @ inertia[free >= 0] @ R.transpose(0, 2, 1)
    np.testing.assert_allclose(world_inertia(q, inertia, free), expected, rtol=1e-12, atol=1e-12)
