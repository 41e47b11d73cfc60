"""How a motion is to be followed: the gate for the options of a request."""

import numpy as np

from compas_nscd.errors import InputError, SettingsError
from nscd_engine.gate.laws import is_number
from nscd_engine.gate.structure import array

#: Numbers, above the first and up to the second.
NUMBERS = {
    "duration": (0.0, 1e12),
    "time_step": (0.0, 10.0),
    "theta": (0.4999, 1.0),
    "restitution": (-1e-9, 1.0),
    "kinetic": (-1e-9, 1.0),
}
FLAGS = ("forces", "adaptive", "quiet")


def read_options(given):
    """The checked options of a motion."""
    if not isinstance(given, dict):
        raise SettingsError("The request does not say how to follow the motion.")
    for key, (low, high) in NUMBERS.items():
        value = given.get(key)
        if not is_number(value) or not low < value <= high:
            text = "{} = {!r:.40} should be a number from {:.1g} to {:g}."
            raise SettingsError(text.format(key, value, max(low, 0.0), high))
    for key in FLAGS:
        if not isinstance(given.get(key), bool):
            raise SettingsError("{} should be true or false.".format(key))
    if given.get("level") not in ("position", "velocity"):
        raise SettingsError("level should be position or velocity.")
    interval = given.get("interval")
    if interval is not None and not (is_number(interval) and interval > 0.0):
        raise SettingsError("interval = {!r:.40} should be a number above 0.".format(interval))
    return dict(given, restart=given.get("restart"))


def read_probes(given, count):
    """Blocks (p,), of so many, whose ways are recorded."""
    probes = array(given, "probes", np.int32, (-1,), InputError)
    if ((probes < 0) | (probes >= count)).any():
        raise InputError("A probe is a block that is not there.", remedy="Name a block of the structure.")
    return probes
