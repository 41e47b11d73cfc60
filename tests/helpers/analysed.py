"""Static results for tests, from the engine in this process but through the bytes of the wire."""

import numpy as np

from compas_nscd import Block, ContactLaw, LoadCase, StaticResult, Structure, wire
from compas_nscd.client.requests import case_of, scene
from nscd_engine.core.monitor import Monitor
from nscd_engine.statics.run import run
from solids import BOX_FACES
from solids import box as box_of_size


def box(lower, upper, **attributes):
    """Block between two corners."""
    vertices, faces = box_of_size(lower, np.subtract(upper, lower))
    return Block(vertices, faces, **attributes)


def analyse(structure, case=None, settings=None):
    case = case_of(structure, case)
    request = wire.unpack(wire.pack(scene(structure, case, settings)))
    reply = wire.unpack(wire.pack(run(request, Monitor())))
    return StaticResult.from_reply(reply, structure, case)


def tilted(size=(0.6, 1.0, 0.5), slope=0.2, friction=0.6):
    """A block (x, y, z) on a support; gravity leans towards +x by a slope, so that the joint carries it off centre."""
    x, y, z = size
    support = box((-2.0, -2.0, -1.0), (2.0, 2.0, 0.0), density=2000.0, name="ground", support=True)
    block = box((-x / 2, -y / 2, 0.0), (x / 2, y / 2, z), density=2000.0, name="block")
    gravity = 9.81 * np.array([slope, 0.0, -1.0]) / np.hypot(1.0, slope)
    return Structure([support, block], ContactLaw(friction)), LoadCase(gravity)


def stack(count=3, side=0.5, height=0.4, density=2000.0):
    """Equal blocks above each other on a support."""
    support = box((-1.0, -1.0, -0.5), (1.0, 1.0, 0.0), density=density, name="ground", support=True)
    half = side / 2
    blocks = [
        box((-half, -half, k * height), (half, half, (k + 1) * height), density=density, name="s{}".format(k))
        for k in range(count)
    ]
    return Structure([support] + blocks, ContactLaw(0.6), name="stack")


def moved(structure, rotation):
    """The same structure turned about the origin."""
    blocks = [
        Block(block.vertices @ rotation.T, block.faces, block.density, block._name, block.support)
        for block in structure.blocks
    ]
    return Structure(blocks, structure.law, name=structure.name)


def cra_arch(fixed=True):
    """V27: intrados of radius 5, thickness and depth 0.5, 20 voussoirs, friction 0.7, weight per volume 1."""
    angles = np.linspace(0.0, np.pi, 21)

    def joint(angle):
        c, s = np.cos(angle), np.sin(angle)
        return [(r * c, y, r * s) for r, y in ((5.0, 0.0), (5.5, 0.0), (5.5, 0.5), (5.0, 0.5))]

    blocks = [
        Block(joint(a) + joint(b), BOX_FACES, 1.0, support=fixed and i in (0, 19))
        for i, (a, b) in enumerate(zip(angles, angles[1:]))
    ]
    return Structure(blocks, ContactLaw(0.7), case=LoadCase((0.0, 0.0, -1.0)))
