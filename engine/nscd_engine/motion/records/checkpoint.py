"""The checkpoint of a motion: one message from which it goes on bit by bit as if it had never stopped.

Only the layout is here. What belongs to a checkpoint is decided by the objects that own it: each has `snapshot` and
`restore`. What a file has in its place is checked by `gate.checkpoint`.
"""

from __future__ import annotations

import hashlib
from typing import Any, Dict

import numpy as np

from compas_nscd import wire
from compas_nscd.errors import InputError, NscdError
from nscd_engine.core.model import Model
from nscd_engine.gate.checkpoint import Owner, read_followed, read_snapshot
from nscd_engine.motion.simulation import Simulation

#: Layout of a checkpoint.
VERSION = 5
#: Length of the hash at its end, which shows damage [bytes].
SEAL = 16


def digest_of(model: Model) -> str:
    """Hash of blocks, laws and elasticity: a checkpoint can be restored for its own model only."""
    total = hashlib.sha256()
    blocks = model.polyhedra.vertices, model.polyhedra.face_vertices, model.bodies.mass, model.bodies.free
    laws = model.law, model.pair, model.material, model.material_law, model.interface_pair, model.interface_point
    for array in blocks + laws:
        total.update(np.ascontiguousarray(array).tobytes())
    if model.elastic is not None:
        total.update(repr(model.elastic).encode())
    return total.hexdigest()[:32]


def save(simulation: Simulation, extra: Dict[str, Any]) -> np.ndarray:
    """The checkpoint (n,) uint8 of a simulation; `extra` is stored with it."""
    body = {"version": VERSION, "model": digest_of(simulation.model)}
    body.update(_layout(simulation.snapshot()), extra=extra)
    message = wire.pack(body)
    return np.frombuffer(message + _seal(message), np.uint8)


def restore(simulation: Simulation, saved: Any) -> Dict[str, Any]:
    """Bring a new simulation of the same model to the state of a checkpoint; returns the `extra` stored with it.

    Raises
    ------
    InputError
        If the checkpoint is damaged, of another version or of another model.
    """
    try:
        body = wire.unpack(_intact(np.ascontiguousarray(saved, np.uint8).tobytes()))
        if body["version"] != VERSION or body["model"] != digest_of(simulation.model):
            raise InputError(
                "The motion to go on with is one of another structure, blocks or laws, or of another version.",
                remedy="Give the result of a motion of this structure.",
            )
        model, parts, joints = simulation.model, simulation.detector.parts, simulation.joints
        deformation = simulation.deformation
        owner = Owner(
            model.bodies.free,
            parts.block,
            None if joints is None else joints.snapshot(),
            None if deformation is None else deformation.snapshot(),
        )
        snapshot, extra = read_snapshot(body, owner), read_followed(body["extra"], owner.blocks)
        simulation.restore(snapshot)
        return extra
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, NscdError) as error:
        if isinstance(error, InputError) and error.remedy:
            raise
        raise InputError(
            "The motion to go on with cannot be read: {!s:.120}".format(error),
            remedy="Give the result of a motion of this structure, as it was saved.",
        )


def _layout(snapshot):
    """A snapshot under the names of the file."""
    last, detector, methods = snapshot.last, snapshot.detector, snapshot.methods
    return {
        "state": snapshot.state._asdict(),
        "pairs": detector.pairs._asdict(),
        "home": None if detector.home is None else detector.home._asdict(),
        "room": detector.room,
        "friction": detector.friction,
        "first": detector.first,
        "key": None if last is None else last.key,
        "impulses": None if last is None else last.impulses,
        "impulse_step": None if last is None else last.duration,
        "relative": None if last is None else last.relative,
        "earlier": None if last is None else last.earlier,
        "hard": [methods["method_hold_steps"], methods["method_hold_length"]],
        "bonded": methods["bonded"],
        "joints": snapshot.joints,
        "deformation": snapshot.deformation,
    }


def _seal(message):
    """Hash of a message (16 bytes)."""
    return hashlib.sha256(message).digest()[:SEAL]


def _intact(saved):
    """The message of a checkpoint."""
    if _seal(saved[:-SEAL]) != saved[-SEAL:]:
        raise InputError(
            "The motion to go on with is damaged, or of another version.",
            remedy="Give the result of a motion of this version, as it was saved.",
        )
    return saved[:-SEAL]
