"""Static analyses of scenes with known limits, in this process; the scenes are those of the book of validation."""

import numpy as np

from compas_nscd.validation.scenes import (
    BOX,
    GRAVITY,
    arch,
    box,
    circular_arch,
    elliptical_arch,
    ferris_tin_loi,
    fixed_end_arch,
    leaning_rods,
    leaning_rods_need,
    lunes,
    prism,
    wall,
)
from nscd_engine.core.monitor import Monitor
from nscd_engine.statics.run import run
from scene_requests import request_from_scene

__all__ = [
    "BOX",
    "GRAVITY",
    "arch",
    "box",
    "circular_arch",
    "elliptical_arch",
    "ferris_tin_loi",
    "fixed_end_arch",
    "leaning_rods",
    "leaning_rods_need",
    "lunes",
    "prism",
    "pushed",
    "static",
    "tilted",
    "verdict",
    "wall",
]


def static(scene, **settings):
    """Reply of the verb `static`, at the tolerance the client asks for."""
    chosen = dict({"tolerance": 1e-10, "friction": "associated", "max_iterations": 400}, **settings)
    return run(request_from_scene(scene, chosen), Monitor())


def verdict(scene, **settings):
    """Verdict of a converged analysis."""
    reply = static(scene, **settings)
    assert reply["status"] == "converged", (reply["status"], reply["residual"])
    return reply["verdict"]


def pushed(scene, share):
    """The same scene with a horizontal body force, `share` of the weight, along x."""
    return dict(scene, gravity=[share * GRAVITY, 0.0, -GRAVITY])


def tilted(scene, angle):
    """The same scene on a table tilted about y."""
    return dict(scene, gravity=[GRAVITY * np.sin(angle), 0.0, -GRAVITY * np.cos(angle)])
