"""Impacts with restitution and friction: no hit gains energy."""

import numpy as np
import pytest

from motion_helpers import model_of
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import rest_state
from nscd_engine.motion.moreau_jean import Scheme
from nscd_engine.motion.simulation import Simulation
from solids import box, random_rotation

#: Distance of the pairs [m]: they do not meet each other.
APART = 10.0


def random_pairs(count, seed):
    """Boxes in pairs behind a support: above the top of one, by 1e-6 m, the lowest corner or a face of another."""
    rng, solids = np.random.default_rng(seed), [box((-5.0, -100.0, 0.0))]
    for k in range(count):
        low, high = rng.uniform(0.2, 2.0, (2, 3))
        below, faces = box(size=low)
        above = box(size=high)[0]
        if rng.random() < 0.7:  # a corner hits; otherwise a face
            above = above @ random_rotation(seed + k).T
        lowest = above[above[:, 2].argmin()]
        target = np.append(rng.uniform(0.05, 0.95, 2) * low[:2], low[2] + 1e-6)
        place = np.array([APART * (k % 25), APART * (k // 25), 0.0])
        solids += [(below + place, faces), (above + target - lowest + place, faces)]
    return solids


def energies_of(model, velocity):
    """Kinetic energy of every block [J] (B,) in the position of the beginning, with velocities (B, 6)."""
    bodies, v, w = model.bodies, velocity[:, :3], velocity[:, 3:]
    return 0.5 * bodies.mass * (v**2).sum(axis=1) + 0.5 * np.einsum("bi,bij,bj->b", w, bodies.inertia, w)


def hit_at_random(count, seed, restitution, friction):
    """Ratio of the kinetic energies of pairs (count,) after and before they hit with random velocities and spins."""
    model = model_of(random_pairs(count, seed), friction=friction)
    model = model._replace(gravity=np.zeros(3))
    state, rng = rest_state(model), np.random.default_rng(seed + 1)
    state.velocity[1:] = rng.normal(scale=3.0, size=(2 * count, 6))
    state.velocity[2::2, 2] -= 6.0
    scheme = Scheme(1e-3, restitution=restitution)
    simulation = Simulation(model, scheme, Settings(friction="coulomb", solver="newton"), state=state)
    done = simulation.advance()
    before, after = (energies_of(model, each)[1:].reshape(-1, 2).sum(axis=1) for each in (done.before, done.after))
    return after / before


@pytest.mark.parametrize("restitution, friction", [(1.0, 0.6), (0.7, 1.0), (0.5, 0.3)])
def test_v64_random_hits_gain_no_energy(restitution, friction):
    """The limit is exact: rounding is left."""
    ratio = hit_at_random(60, 3, restitution, friction)
    assert ratio.max() < 1.0 + 1e-9 and (ratio < 1.0 - 1e-3).mean() > 0.3


@pytest.mark.slow
def test_v64_ten_thousand_random_hits_gain_no_energy():
    rng = np.random.default_rng(7)
    ratio = [hit_at_random(250, 100 * k, rng.uniform(0.1, 1.0), rng.uniform(0.0, 1.2)) for k in range(40)]
    assert np.concatenate(ratio).max() < 1.0 + 1e-9
