"""What acts on a structure: gravity, point loads, moving supports, moving ground, water. SI units."""

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.geometry.findings import name_blocks
from compas_nscd.loads import cable
from compas_nscd.loads.body_acceleration import BodyAcceleration, sampled
from compas_nscd.loads.cable import Cable
from compas_nscd.loads.checks import Record, all_of, number, vector
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.loads.water import Water
from compas_nscd.loads.waveforms import evaluate, settlement

__all__ = [
    "BodyAcceleration",
    "Cable",
    "GroundMotion",
    "LoadCase",
    "PointLoad",
    "SupportMotion",
    "Water",
    "sampled",
]


class LoadCase(Record):
    """What acts on a structure.

    Parameters
    ----------
    gravity : sequence of 3 floats, optional
        [m/s2]
    loads : list of PointLoad, optional
    support_motions : list of SupportMotion, optional
    ground : list of GroundMotion, optional
    accelerations : list of BodyAcceleration, optional
    velocities : dict, optional
        Of blocks at the beginning of a motion: block -> velocity of the centroid [m/s] and angular velocity [rad/s].
    gravity_ramp : float, optional
        Time over which gravity grows from nothing, in a motion [s].
    water : Water, optional
    name : str, optional
    cables : list of Cable, optional

    Notes
    -----
    A static analysis sees gravity, the forces of the point loads, cables and the water; all else is for motions.
    """

    #: Forces of the stage before (`stages`).
    carried = None

    def __init__(
        self,
        gravity=(0.0, 0.0, -9.81),
        loads=(),
        support_motions=(),
        ground=(),
        accelerations=(),
        velocities=None,
        gravity_ramp=0.0,
        water=None,
        name=None,
        cables=(),
    ):
        super().__init__(name=name)
        self.gravity = vector(gravity, "gravity")
        self.loads = loads
        self.support_motions = support_motions
        self.ground = ground
        self.accelerations = accelerations
        self.gravity_ramp = number(gravity_ramp, "gravity ramp", least=0.0)
        self.water = water
        self.cables = cables
        self._check_kinds()
        self.velocities = {}
        for block, (linear, angular) in dict(velocities or {}).items():
            self.set_velocity(block, linear, angular)

    def _check_kinds(self):
        """Lists of what they should be of; they may have been changed since the case was made."""
        kinds = (PointLoad, SupportMotion, GroundMotion, BodyAcceleration, Cable)
        for key, kind in zip(("loads", "support_motions", "ground", "accelerations", "cables"), kinds):
            setattr(self, key, all_of(kind, getattr(self, key), "`{}`".format(key)))
        if self.water is not None and not isinstance(self.water, Water):
            raise LoadError("`water` must be a Water, not {!r:.60}.".format(self.water), remedy="Give Water(level).")

    @property
    def __data__(self):
        data = {
            "gravity": list(self.gravity),
            "loads": [load.__data__ for load in self.loads],
            "support_motions": [motion.__data__ for motion in self.support_motions],
            "ground": [motion.__data__ for motion in self.ground],
        }
        if self.accelerations:
            data["accelerations"] = [each.__data__ for each in self.accelerations]
        if self.velocities:
            data["velocities"] = [[block, list(v), list(w)] for block, (v, w) in self.velocities.items()]
        if self.gravity_ramp:
            data["gravity_ramp"] = self.gravity_ramp
        if self.water is not None:
            data["water"] = self.water.__data__
        if self.cables:
            data["cables"] = [each.__data__ for each in self.cables]
        return data

    @classmethod
    def __from_data__(cls, data):
        return cls(
            data["gravity"],
            [PointLoad(**load) for load in data["loads"]],
            [SupportMotion(**motion) for motion in data["support_motions"]],
            [GroundMotion(**motion) for motion in data["ground"]],
            [BodyAcceleration(**each) for each in data.get("accelerations", [])],
            {block: (v, w) for block, v, w in data.get("velocities", [])},
            data.get("gravity_ramp", 0.0),
            Water(**data["water"]) if "water" in data else None,
            cables=[Cable(**each) for each in data.get("cables", [])],
        )

    def add_point_load(self, block, point, force, history=None):
        """Add a force [N] at a point [m] of a block, named by index, name or guid.

        Returns
        -------
        PointLoad
        """
        load = PointLoad(block, point, force, history)
        self.loads.append(load)
        return load

    def set_velocity(self, block, linear, angular=(0.0, 0.0, 0.0)):
        """Velocity of the centroid [m/s] and angular velocity [rad/s] with which a block begins a motion."""
        what = "velocity of block {}".format(block)
        self.velocities[block] = (vector(linear, what), vector(angular, "angular " + what))

    def to_wire(self, structure):
        """The arrays the engine takes for a static analysis.

        Raises
        ------
        LoadError
            If a load is on a block that the structure does not have.
        """
        self._check_kinds()
        loads = self.loads
        more = {} if self.water is None else {"water": self.water.to_wire()}
        if self.cables:
            more["cables"] = cable.to_wire(self.cables, structure)
        if self.carried is not None:
            more["carried"] = self.carried
        return {
            "gravity": np.array(self.gravity),
            "load_block": np.array(structure.indices([load.block for load in loads], LoadError), np.int32),
            "load_point": np.array([load.point for load in loads], float).reshape(-1, 3),
            "load_force": np.array([load.force for load in loads], float).reshape(-1, 3),
            **more,
        }

    def motion_to_wire(self, structure, duration):
        """The same with what varies in time, for a motion of `duration` [s]; see docs/dynamics.md."""
        velocity = np.zeros((len(structure.blocks), 6))
        for i, (v, w) in zip(structure.indices(list(self.velocities), LoadError), self.velocities.values()):
            velocity[i] = v + w
            if structure.blocks[i].support:
                raise LoadError(
                    "Block {} is a support and begins at rest.".format(structure.names[i]),
                    remedy="Move it by a SupportMotion or a GroundMotion.",
                    blocks=[structure.names[i]],
                )
        times, values = self._acceleration_table()
        return dict(
            self.to_wire(structure),
            velocity=velocity,
            gravity_times=times,
            gravity_values=values,
            load_histories=[
                {"times": np.array(load.history[0]), "factors": np.array(load.history[1])} if load.history else None
                for load in self.loads
            ],
            motions=[self._settling(structure, motion) for motion in self.support_motions]
            + [self._shaking(structure, motion, duration) for motion in self.ground],
            water=None if self.water is None else self.water.to_wire(varies=True),
        )

    def _acceleration_table(self):
        """Gravity, its ramp and body accelerations together: times (T,), accelerations (T, 3)."""
        ramp = [0.0, self.gravity_ramp] if self.gravity_ramp else [0.0]
        times = np.unique(np.concatenate([ramp] + [each.times for each in self.accelerations]))
        share = np.interp(times, ramp, [0.0, 1.0]) if self.gravity_ramp else np.ones_like(times)
        values = share[:, None] * np.array(self.gravity)
        for each in self.accelerations:
            along = np.interp(times, each.times, each.values)
            values += along[:, None] * np.array(each.direction)
        return times, values

    def _settling(self, structure, motion):
        i = supports_named(structure, [motion.block])
        knots = settlement(motion.duration)
        return _motion(
            i,
            np.zeros(1),
            knots._replace(times=knots.times + motion.start),
            motion.displacement + motion.rotation,
            False,
        )

    def _shaking(self, structure, motion, duration):
        chosen = structure.supports if motion.supports is None else supports_named(structure, motion.supports)
        delay = np.zeros(len(chosen))
        if motion.speed is not None:
            place = np.array([structure.blocks[i].vertices.mean(axis=0) for i in chosen]) @ np.array(motion.travel)
            delay = (place - place.min()) / motion.speed
        common = motion.supports is None and motion.speed is None
        return _motion(chosen, delay, motion.knots(duration), motion.direction + (0.0, 0.0, 0.0), common)

    def ground_displacement(self, times):
        """Displacement [m] (n, 3) of the ground that all supports share, at times [s] (n,)."""
        times = np.asarray(times, float)
        total = np.zeros((len(times), 3))
        for motion in self.ground:
            if motion.supports is None and motion.speed is None:
                along = evaluate(motion.knots(float(times.max(initial=0.0))), times)[0]
                total += along[:, None] * np.array(motion.direction)
        return total


def supports_named(structure, blocks):
    """Indices of supports; LoadError if a block is none."""
    found = structure.indices(blocks, LoadError)
    free = [structure.names[i] for i in found if not structure.blocks[i].support]
    if free:
        raise LoadError(
            "Only supports can be moved by themselves, which {} is not.".format(name_blocks(free)),
            remedy="Make the block a support, or load it.",
            blocks=free,
        )
    return found


def _motion(blocks, delay, knots, direction, common):
    direction = np.array(direction)
    return {
        "block": np.array(blocks, np.int32),
        "delay": delay,
        "times": knots.times,
        "displacement": knots.displacement[:, None] * direction,
        "velocity": knots.velocity[:, None] * direction,
        "common": common,
    }
