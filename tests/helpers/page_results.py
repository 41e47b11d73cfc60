"""Results for the tests of the page."""

import numpy as np

from analysed import analyse, box
from compas_nscd import ContactLaw, LoadCase, StaticResult, Structure, templates
from compas_nscd.loads.cable import Cable
from compas_nscd.results.dynamic import DynamicResult

#: Could end an attribute, an element, a script or a comment.
NASTY = "\"'><script>alert(1)</script><!-- </title> & {{script}} \u2028"


def standing_arch():
    return analyse(templates.arch(thickness=0.9, span=8.0, blocks=11))


def falling_arch():
    """Too thin: it falls with hinges."""
    return analyse(templates.arch(thickness=0.3, span=8.0, blocks=11))


def single_block():
    """Free fall of a cube without any joint; written by hand, for the engine refuses blocks that touch nothing."""
    structure = Structure([box((0, 0, 0), (1, 1, 1), density=2000.0, name="alone")], ContactLaw(0.6), name="alone")
    reply = {key: [] for key in StaticResult.arrays}
    reply.update(
        verdict="collapse",
        solver="newton",
        blocks=1,
        free_blocks=1,
        interfaces=0,
        contacts=0,
        iterations=0,
        residual=0.0,
        unbalanced_max=1.0,
        penetration_max=0.0,
        support_reaction=[0.0, 0.0, 0.0],
        weight_total=19620.0,
        time={"detect_s": 0.0, "solve_s": 0.0},
        centroid=[[0.5, 0.5, 0.5]],
        mass=[2000.0],
        velocity=[[0.0, 0.0, -1.0, 0.0, 0.0, 0.0]],
        polygon_start=[0],
        contact_start=[0],
    )
    return StaticResult.from_reply(reply, structure)


def nasty_pair():
    """A block on another, with names that no page should take for markup."""
    blocks = [
        box((0, 0, -1), (1, 1, 0), density=2000.0, name="ground " + NASTY, support=True),
        box((0, 0, 0), (1, 1, 1), density=2000.0, name="block " + NASTY),
    ]
    return analyse(Structure(blocks, ContactLaw(0.6), name="tower " + NASTY))


def tied_posts():
    """Two posts on a base and three ties between them: prestressed by 2 kN, yielding at 1 kN, and slack."""
    blocks = [
        box((-1, -1, -1), (5, 2, 0), density=2000.0, name="base", support=True),
        box((0, 0, 0), (1, 1, 2), density=2000.0, name="left"),
        box((3, 0, 0), (4, 1, 2), density=2000.0, name="right"),
    ]
    ends = [((1, 0.5, z), (3, 0.5, z)) for z in (1.5, 1.0, 0.5)]
    ties = [
        Cable(("left", "right"), ends[0], 1e7, 2e3),
        Cable(("left", "right"), ends[1], 1e7, 1e3, 1e3),
        Cable(("left", "right"), ends[2], 1e7),
    ]
    return Structure(blocks, ContactLaw(0.6), name="tied posts"), LoadCase(cables=ties)


def cubes(count):
    """Cubes beside each other, a support first."""
    blocks = [
        box((2 * k, 0, 0), (2 * k + 1, 1, 1), density=2000.0, name="c{}".format(k), support=k == 0)
        for k in range(count)
    ]
    return Structure(blocks, ContactLaw(0.6), name="cubes")


def motion(count=3, frames=21, noise=0.0):
    """Block k turns about y by 0.1 k t and moves along x by 0.2 k t, t from 0 to 1 s; the ground by 0.05 t along y."""
    structure = cubes(count)
    t, k = np.linspace(0.0, 1.0, frames), np.arange(count)
    centroid = np.column_stack([2.0 * k + 0.5, np.full(count, 0.5), np.full(count, 0.5)])
    ground = np.outer(t, [0.0, 0.05, 0.0])
    along = 0.2 * np.outer(t, k)
    random = noise * np.random.default_rng(1).standard_normal((frames, count, 3))
    position = centroid + ground[:, None] + along[:, :, None] * [1.0, 0.0, 0.0] + random
    half = 0.05 * np.outer(t, k) + random[:, :, 0]
    zero = np.zeros_like(half)
    summary = dict(
        verdict="stable",
        solver="newton",
        friction="coulomb",
        blocks=count,
        free_blocks=count - 1,
        time_step=0.005,
        simulated_s=1.0,
        ended="duration",
        steps=200,
        iterations_mean=3.0,
        iterations_max=9,
        contacts_max=0,
        max_displacement=0.2 * (count - 1),
        penetration_max=0.0,
        collapse_time=None,
        first_to_move=[],
        time={},
    )
    arrays = dict(
        centroid=centroid,
        mass=np.full(count, 2000.0),
        times=t,
        position=position,
        orientation=np.stack([np.cos(half), zero, np.sin(half), zero], axis=2),
        velocity=np.zeros((frames, count, 6)),
        ground=ground,
        energies=np.outer(t, np.arange(6.0)),
        probe_block=[count - 1],
        probe_times=t,
        probe_displacement=position[:, -1:] - centroid[-1],
        probe_ground=ground,
        checkpoint=[],
    )
    return DynamicResult(dict(summary, **arrays), structure)
