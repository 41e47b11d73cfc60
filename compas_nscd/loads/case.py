"""Load cases: gravity, point loads, cables, water, motions of supports and of the ground. SI units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.geometry.findings import name_blocks
from compas_nscd.loads import cable
from compas_nscd.loads.body_acceleration import BodyAcceleration, sampled
from compas_nscd.loads.cable import Cable
from compas_nscd.loads.checks import LoadData, all_of, number, vector
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.loads.water import Water
from compas_nscd.loads.waveforms import Knots, evaluate, settlement

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


class LoadCase(LoadData):
    """Loads on a structure.

    Parameters
    ----------
    gravity : sequence of 3 floats, optional
        [m/s2]
    loads : list of PointLoad, optional
    support_motions : list of SupportMotion, optional
    ground : list of GroundMotion, optional
    accelerations : list of BodyAcceleration, optional
    velocities : dict, optional
        Initial velocities in a motion: block -> velocity of the centroid [m/s] and angular velocity [rad/s].
    gravity_ramp : float, optional
        Time over which gravity increases from zero, in a motion [s].
    water : Water, optional
    name : str, optional
    cables : list of Cable, optional

    Notes
    -----
    A static analysis uses gravity, the forces of the point loads, cables and the water; the others act in motions.
    """

    def __init__(
        self,
        gravity: Any = (0.0, 0.0, -9.81),
        loads: Sequence[PointLoad] = (),
        support_motions: Sequence[SupportMotion] = (),
        ground: Sequence[GroundMotion] = (),
        accelerations: Sequence[BodyAcceleration] = (),
        velocities: Mapping[Any, Any] | None = None,
        gravity_ramp: float = 0.0,
        water: Water | None = None,
        name: str | None = None,
        cables: Sequence[Cable] = (),
    ) -> None:
        super().__init__(name=name)
        self.gravity = vector(gravity, "gravity")
        self.loads: Any = loads
        self.support_motions: Any = support_motions
        self.ground: Any = ground
        self.accelerations: Any = accelerations
        self.gravity_ramp = number(gravity_ramp, "gravity ramp", least=0.0)
        self.water = water
        self.cables: Any = cables
        self._carried: Any = None
        self._check_kinds()
        self.velocities: dict[Any, tuple[tuple[float, float, float], tuple[float, float, float]]] = {}
        for block, (linear, angular) in dict(velocities or {}).items():
            self.set_velocity(block, linear, angular)

    def _check_kinds(self) -> None:
        """Check the classes of all loads; also before a request, because the lists may have been changed."""
        kinds = (PointLoad, SupportMotion, GroundMotion, BodyAcceleration, Cable)
        for key, kind in zip(("loads", "support_motions", "ground", "accelerations", "cables"), kinds):
            setattr(self, key, all_of(kind, getattr(self, key), "`{}`".format(key)))
        if self.water is not None and not isinstance(self.water, Water):
            raise LoadError("`water` must be a Water, not {!r:.60}.".format(self.water), remedy="Give Water(level).")

    @property
    def __data__(self) -> dict[str, Any]:
        data: dict[str, Any] = {
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
    def __from_data__(cls, data: dict[str, Any]) -> LoadCase:
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

    def with_carried(self, forces: dict[str, Any] | None) -> LoadCase:
        """A copy that begins with the contact forces of the previous construction stage; see `client.stages`."""
        copy = LoadCase.__from_data__(self.__data__)
        copy._carried = forces
        return copy

    def add_point_load(self, block: Any, point: Any, force: Any, history: Any = None) -> PointLoad:
        """Add a force [N] at a point [m] of a block, given by index, name or guid; see `PointLoad`."""
        load = PointLoad(block, point, force, history)
        self.loads.append(load)
        return load

    def set_velocity(self, block: Any, linear: Any, angular: Any = (0.0, 0.0, 0.0)) -> None:
        """Set the initial velocity of the centroid [m/s] and angular velocity [rad/s] of a block in a motion."""
        what = "velocity of block {}".format(block)
        self.velocities[block] = (vector(linear, what), vector(angular, "angular " + what))

    def to_wire(self, structure: Any) -> dict[str, Any]:
        """The loads in the request of a static analysis.

        Parameters
        ----------
        structure : Structure

        Raises
        ------
        LoadError
            If a load is on a block that the structure does not have.
        """
        self._check_kinds()
        loads = self.loads
        more: dict[str, Any] = {} if self.water is None else {"water": self.water.to_wire()}
        if self.cables:
            more["cables"] = cable.to_wire(self.cables, structure)
        if self._carried is not None:
            more["carried"] = self._carried
        return {
            "gravity": np.array(self.gravity),
            "load_block": np.array(structure.indices([load.block for load in loads], LoadError), np.int32),
            "load_point": np.array([load.point for load in loads], float).reshape(-1, 3),
            "load_force": np.array([load.force for load in loads], float).reshape(-1, 3),
            **more,
        }

    def motion_to_wire(self, structure: Any, duration: float) -> dict[str, Any]:
        """The loads in the request of a motion of `duration` [s]; see docs/dynamics.md."""
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

    def _acceleration_table(self) -> tuple[np.ndarray, np.ndarray]:
        """Sum of gravity with its ramp and of body accelerations: times [s] (T,), accelerations [m/s2] (T, 3)."""
        ramp = [0.0, self.gravity_ramp] if self.gravity_ramp else [0.0]
        times = np.unique(np.concatenate([ramp] + [each.times for each in self.accelerations]))
        share = np.interp(times, ramp, [0.0, 1.0]) if self.gravity_ramp else np.ones_like(times)
        values = share[:, None] * np.array(self.gravity)
        for each in self.accelerations:
            along = np.interp(times, each.times, each.values)
            values += along[:, None] * np.array(each.direction)
        return times, values

    def _settling(self, structure: Any, motion: SupportMotion) -> dict[str, Any]:
        i = supports_named(structure, [motion.block])
        knots = settlement(motion.duration)
        return _motion(
            i,
            np.zeros(1),
            knots._replace(times=knots.times + motion.start),
            motion.displacement + motion.rotation,
            False,
        )

    def _shaking(self, structure: Any, motion: GroundMotion, duration: float) -> dict[str, Any]:
        chosen = structure.supports if motion.supports is None else supports_named(structure, motion.supports)
        delay = np.zeros(len(chosen))
        if motion.speed is not None and motion.travel is not None:
            place = np.array([structure.blocks[i].vertices.mean(axis=0) for i in chosen]) @ np.array(motion.travel)
            delay = (place - place.min()) / motion.speed
        common = motion.supports is None and motion.speed is None
        return _motion(chosen, delay, motion.knots(duration), motion.direction + (0.0, 0.0, 0.0), common)

    def ground_displacement(self, times: Any) -> np.ndarray:
        """Displacement [m] (n, 3) of the ground that all supports share, at times [s] (n,)."""
        times = np.asarray(times, float)
        total = np.zeros((len(times), 3))
        for motion in self.ground:
            if motion.supports is None and motion.speed is None:
                along = evaluate(motion.knots(float(times.max(initial=0.0))), times)[0]
                total += along[:, None] * np.array(motion.direction)
        return total


def supports_named(structure: Any, blocks: Sequence[Any]) -> list[int]:
    """Indices of supports; a LoadError if a block is not a support."""
    found = structure.indices(blocks, LoadError)
    free = [structure.names[i] for i in found if not structure.blocks[i].support]
    if free:
        raise LoadError(
            "Only supports can have a prescribed motion, which {} is not.".format(name_blocks(free)),
            remedy="Make the block a support, or load it.",
            blocks=free,
        )
    return found


def _motion(blocks: list[int], delay: np.ndarray, knots: Knots, axis: Any, common: bool) -> dict[str, Any]:
    """A prescribed motion in a request; `common`: it is the motion of the ground."""
    direction = np.array(axis)
    return {
        "block": np.array(blocks, np.int32),
        "delay": delay,
        "times": knots.times,
        "displacement": knots.displacement[:, None] * direction,
        "velocity": knots.velocity[:, None] * direction,
        "common": common,
    }
