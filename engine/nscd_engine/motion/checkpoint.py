"""Everything a motion needs to go on bit by bit as if it had never stopped, as one message."""

import hashlib

import numpy as np

from compas_nscd import wire
from compas_nscd.errors import InputError, NscdError
from nscd_engine.core.state import State
from nscd_engine.kernels.contacts.persistent_pairs import Pairs, Poses
from nscd_engine.kernels.motion.moreau_jean import world_inertia

#: Layout of a checkpoint.
VERSION = 5
#: Length of its last part, from which damage is seen [bytes].
SEAL = 16


def digest_of(model):
    """Text that tells models apart: a checkpoint goes on only with its own blocks and laws."""
    total = hashlib.sha256()
    blocks = model.polyhedra.vertices, model.polyhedra.face_vertices, model.bodies.mass, model.bodies.free
    laws = model.law, model.pair, model.material, model.material_law, model.interface_pair, model.interface_point
    for array in blocks + laws:
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:32]


def save(simulation, extra):
    """The checkpoint (n,) uint8 of a simulation; `extra` is kept beside it."""
    detector = simulation.detector
    home, methods = detector.home, simulation.workspace.snapshot()
    body = {
        "version": VERSION,
        "model": digest_of(simulation.model),
        "state": simulation.state._asdict(),
        "pairs": detector.pairs._asdict(),
        "home": None if home is None else home._asdict(),
        "room": detector.room,
        "friction": detector.friction,
        "first": detector.first,
        "key": simulation.key,
        "impulses": simulation.impulses,
        "impulse_step": simulation.impulse_step,
        "relative": simulation.relative,
        "earlier": simulation.earlier,
        "hard": [methods["method_hold_steps"], methods["method_hold_length"]],
        "bonded": methods["bonded"],
        "joints": None if simulation.joints is None else simulation.joints.snapshot(),
        "extra": extra,
    }
    message = wire.pack(body)
    return np.frombuffer(message + _seal(message), np.uint8)


def _seal(message):
    """What tells whether a checkpoint is as it was written (16 bytes)."""
    return hashlib.sha256(message).digest()[:SEAL]


def restore(simulation, saved):
    """Bring a new simulation of the same model to where the saved one was; returns what was kept beside it."""
    try:
        body = wire.unpack(_intact(np.ascontiguousarray(saved, np.uint8).tobytes()))
        if body["version"] != VERSION or body["model"] != digest_of(simulation.model):
            raise InputError(
                "The motion to go on with is one of another structure, blocks or laws, or of another version.",
                remedy="Give the result of a motion of this structure.",
            )
        detector = simulation.detector
        simulation.state = State(**_own(body["state"]))
        detector.pairs = Pairs(**_own(body["pairs"]))
        detector.home = None if body["home"] is None else Poses(**_own(body["home"]))
        detector.room, detector.friction = np.array(body["room"]), np.array(body["friction"])
        detector.first = body["first"]
        simulation.key = None if body["key"] is None else np.array(body["key"])
        simulation.impulses = None if body["impulses"] is None else np.array(body["impulses"])
        simulation.impulse_step = body["impulse_step"]
        simulation.relative = None if body["relative"] is None else np.array(body["relative"])
        simulation.earlier = None if body["earlier"] is None else np.array(body["earlier"])
        bodies = simulation.model.bodies
        simulation.inertia = world_inertia(simulation.state.orientation, bodies.inertia, bodies.free)
        steps, length = body["hard"]
        methods = {"method_hold_steps": steps, "method_hold_length": length, "bonded": body["bonded"]}
        simulation.workspace.restore(methods)
        if simulation.joints is not None:
            simulation.joints.restore(body["joints"])
        return body["extra"]
    except (KeyError, TypeError, ValueError, OverflowError, NscdError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("The motion to go on with cannot be read: {!r:.80}.".format(error))


def _intact(saved):
    """The message of a checkpoint."""
    if _seal(saved[:-SEAL]) != saved[-SEAL:]:
        raise InputError(
            "The motion to go on with is damaged, or of another version.",
            remedy="Give the result of a motion of this version, as it was saved.",
        )
    return saved[:-SEAL]


def _own(arrays):
    """Arrays of a message are read-only views; the engine writes into its own."""
    return {key: np.array(value) if isinstance(value, np.ndarray) else value for key, value in arrays.items()}
