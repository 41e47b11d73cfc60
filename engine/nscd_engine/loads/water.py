"""Forces of water on blocks: buoyancy, drag of a current, pressure of a higher level on one side.

Buoyancy acts at the centroid of the submerged part of a block, exactly in any pose: that part is the signed sum of the
tetrahedra between the wetted triangles of the faces and a point of the surface. The cut is in the surface and spans no
volume. Water enters all joints.

A current exerts drag / 2 rho v^2 per area normal to it, in its direction, on the wetted part of the faces that face it
and that no neighbour covers in the initial geometry. v is its velocity relative to the block.

Where water is higher in front than behind, the whole surface of a block, joints included, is under the pressure of the
lower level: this is the buoyancy. The front, faces against `towards` that no neighbour covers, is under the pressure of
the higher level, so it bears the difference in addition. A current, or water that a block moves through, acts on the
front up to the higher level and on all other faces up to the lower.
"""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

from nscd_engine.core.loads import WaterProperties, value_at
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Interfaces
from nscd_engine.geometry.mass_properties import fan_triangles

#: Least component of the normal of a face of the front against `towards` [-], the sine of a degree. Larger: battered
#: faces are missed. Smaller: tops and undersides that are not quite level count as front.
STEEP = 0.0175


class WettedFaces(NamedTuple):
    """Triangles of faces, moving with their blocks."""

    triangle: np.ndarray  # [m] (T, 3, 3): corners from the centroid of the block, in the axes it was given in
    normal: np.ndarray  # (T, 3): of the face that the triangle is of, of any length
    block: np.ndarray  # (T,)
    sign: float  # 1 for faces, -1 for the parts of them that a neighbour covers


class Water:
    """The water of a load case around the blocks of a model.

    Parameters
    ----------
    model : Model
    water : WaterProperties
    interfaces : Interfaces
        Where neighbours cover each other.
    """

    def __init__(self, model: Model, water: WaterProperties, interfaces: Interfaces):
        self.level, self.flow, self.density, self.drag, self.behind, self.towards = water
        self.faces = _of_free(model, _faces(model))
        self.covers = _of_free(model, _covers(model, interfaces))
        if self.behind is not None:
            self.front, self.rest = zip(*(_sides(faces, self.towards) for faces in (self.faces, self.covers)))
        surfaces = self.level.values.tolist() + ([] if self.behind is None else [self.behind])
        self.warnings = _out_of_reach(model, surfaces)

    def load(
        self, position: np.ndarray, rotation: np.ndarray, velocity: np.ndarray, gravity: np.ndarray, t: float
    ) -> np.ndarray:
        """Forces and moments about the centroids [N, N m] (B, 6) at time t [s]; zero for supports.

        Parameters
        ----------
        position : array (B, 3)
            Of the centroids [m].
        rotation : array (B, 3, 3)
        velocity : array (B, 6)
            [m/s, rad/s]
        gravity : array (3,)
            [m/s2]
        t : float
        """
        level, weight = float(value_at(self.level, t)), -self.density * gravity[2]
        height = position[:, 2] - level  # of the centroids above the surface
        total = np.zeros((len(position), 6))
        if self.behind is None or self.behind == level:
            self._lift(total, rotation, height, weight)
            met = [(faces, height) for faces in (self.faces, self.covers)]
        else:
            lower = position[:, 2] - self.behind
            self._lift(total, rotation, lower, weight)
            for faces in self.front:
                self._press(total, faces, rotation, height, weight)
                self._press(total, faces, rotation, lower, -weight)
            met = [(faces, height) for faces in self.front] + [(faces, lower) for faces in self.rest]
        if self.drag > 0.0:
            for faces, above in met:
                self._push(total, faces, rotation, above, self.flow - velocity[:, :3])
        return total

    def _lift(self, total, rotation, height, weight):
        """Add the buoyancy in water of a specific weight [N/m3]; centroids at a height [m] (B,) above the surface."""
        block = self.faces.block
        wet, source = below(_turned(self.faces.triangle, rotation[block]), -height[block])
        block = block[source]
        wet[:, :, 2] += height[block][:, None]  # from the point of the surface above or below the centroid
        six = np.einsum("ti,ti->t", wet[:, 0], np.cross(wet[:, 1], wet[:, 2]))
        total[:, 2] += weight * np.bincount(block, six / 6.0, len(total))
        x, y = (np.bincount(block, six * wet[:, :, k].sum(axis=1) / 24.0, len(total)) for k in (0, 1))
        total[:, 3] += weight * y
        total[:, 4] -= weight * x

    def _press(self, total, faces, rotation, height, weight):
        """Add the pressure of standing water of a specific weight [N/m3] on faces still turned to the front."""
        block = faces.block
        still = np.einsum("tij,tj,i->t", rotation[block], faces.normal, self.towards) < 0.0
        block = block[still]
        wet, source = below(_turned(faces.triangle[still], rotation[block]), -height[block])
        block = block[source]
        area = 0.5 * np.cross(wet[:, 1] - wet[:, 0], wet[:, 2] - wet[:, 0])
        pressure = -faces.sign * weight * (wet[:, :, 2] + height[block][:, None])  # at the corners
        # Integrals over a triangle of a linear function, and of its product with the position.
        force = -pressure.mean(axis=1)[:, None] * area
        place = (pressure.sum(axis=1)[:, None] * wet.sum(axis=1) + np.einsum("tk,tki->ti", pressure, wet)) / 12.0
        np.add.at(total, block, np.hstack([force, -np.cross(place, area)]))

    def _push(self, total, faces, rotation, height, against):
        """Add the drag of a current with velocities `against` relative to the blocks [m/s] (B, 3)."""
        block = faces.block
        normal = np.einsum("tij,tj->ti", rotation[block], faces.normal)
        meets = np.einsum("ti,ti->t", normal, against[block]) < 0.0
        block = block[meets]
        wet, source = below(_turned(faces.triangle[meets], rotation[block]), -height[block])
        block = block[source]
        area = 0.5 * np.cross(wet[:, 1] - wet[:, 0], wet[:, 2] - wet[:, 0])
        through = np.einsum("ti,ti->t", area, against[block])  # [m3/s], negative: into the block
        force = (-0.5 * faces.sign * self.drag * self.density * through)[:, None] * against[block]
        np.add.at(total, block, np.hstack([force, np.cross(wet.mean(axis=1), force)]))


def below(triangle: np.ndarray, level: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The parts of triangles (T, 3, 3) below heights (T,): triangles (U, 3, 3) and which they are parts of (U,)."""
    under = triangle[:, :, 2] < level[:, None]
    count = under.sum(axis=1)
    parts, source = [triangle[count == 3]], [np.flatnonzero(count == 3)]
    for alone, odd in ((1, under), (2, ~under)):
        which = np.flatnonzero(count == alone)
        first = np.argmax(odd[which], axis=1)  # the corner that is alone on its side of the surface
        p, q, r = (triangle[which, (first + k) % 3] for k in range(3))
        on_q, on_r = _cut(p, q, level[which]), _cut(p, r, level[which])
        if alone == 1:
            parts.append(np.stack([p, on_q, on_r], axis=1))
            source.append(which)
        else:
            parts += [np.stack([on_q, q, r], axis=1), np.stack([on_q, r, on_r], axis=1)]
            source += [which, which]
    return np.concatenate(parts), np.concatenate(source)


def _cut(p, q, level):
    """Where segments from p to q (n, 3), one end on either side, meet heights (n,)."""
    share = (level - p[:, 2]) / (q[:, 2] - p[:, 2])
    return p + share[:, None] * (q - p)


def _turned(triangle, rotation):
    return np.einsum("tij,tkj->tki", rotation, triangle)


def _faces(model):
    poly = model.polyhedra
    corner, block = fan_triangles(poly)
    first = poly.vertices[poly.vertex_start[:-1]] - model.bodies.centroid
    triangle = corner.transpose(2, 0, 1) + first[block][:, None]
    area = np.cross(triangle[:, 1] - triangle[:, 0], triangle[:, 2] - triangle[:, 0])
    size = np.diff(poly.face_start)
    return WettedFaces(triangle, np.repeat(np.add.reduceat(area, poly.face_start[:-1]), size, axis=0), block, 1.0)


def _covers(model, interfaces):
    """The interfaces as parts of the faces of both blocks."""
    start, outline = interfaces.polygon_start, interfaces.polygon
    which = np.repeat(np.arange(len(start) - 1), np.diff(start))
    following = np.arange(1, len(outline) + 1)
    following[start[1:] - 1] = start[:-1]
    fan = np.stack([interfaces.centroid[which], outline, outline[following]], axis=1)
    normal, body = interfaces.normal[which], interfaces.body[which]
    block = np.concatenate([body[:, 0], body[:, 1]])
    triangle = np.concatenate([fan, fan[:, ::-1]]) - model.bodies.centroid[block][:, None]
    return WettedFaces(triangle, np.concatenate([normal, -normal]), block, -1.0)


def _of_free(model, faces):
    return _those(faces, model.bodies.free[faces.block] >= 0)


def _sides(faces, towards):
    """Faces that are turned against a direction in the initial geometry, and the others."""
    front = -faces.normal @ towards > STEEP * np.linalg.norm(faces.normal, axis=1)
    return _those(faces, front), _those(faces, ~front)


def _those(faces, own):
    return faces._replace(triangle=faces.triangle[own], normal=faces.normal[own], block=faces.block[own])


def _out_of_reach(model, surfaces):
    """A warning, in a list, if the highest level [m] is below all free blocks."""
    corner = np.repeat(model.bodies.free >= 0, np.diff(model.polyhedra.vertex_start))
    lowest = model.polyhedra.vertices[corner, 2].min(initial=np.inf)
    if max(surfaces) > lowest or not corner.any():
        return []
    text = "The water reaches nothing: its level of {:g} m is below all free blocks, which begin at {:g} m."
    return [{"code": "water_reaches_nothing", "message": text.format(max(surfaces), lowest), "blocks": []}]


def with_water(model: Model, water: Optional[WaterProperties], interfaces: Interfaces) -> tuple[Model, list]:
    """The model with the forces of water on its blocks at rest added to its loads; and warnings."""
    if water is None:
        return model, []
    count = len(model.names)
    upright, still = np.broadcast_to(np.eye(3), (count, 3, 3)), np.zeros((count, 6))
    acting = Water(model, water, interfaces)
    load = acting.load(model.bodies.centroid, upright, still, model.gravity, 0.0)
    return model._replace(load=model.load + load), acting.warnings
