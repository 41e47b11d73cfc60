"""What water does to blocks: the weight of what they displace, the push of a current, and that of a higher level.

Buoyancy acts at the centroid of the part below the surface, exactly, whatever the pose: that part is the signed sum of
the tetrahedra that the wetted triangles of the faces span with a point of the surface; the cut lies in the surface and
spans nothing. Water reaches into all joints.

The current pushes with drag / 2 rho v^2 per area square to it, along it, on the wetted part of the faces that look
against it and that no neighbour covers, as the structure was given. v is its velocity relative to the block.

Where water stands higher in front than behind, all of the surface of a block is under the pressure of the lower level,
joints included, which is the buoyancy; the front alone, faces that look against `towards` and that no neighbour covers,
is under that of the higher level. So the front bears the difference of the two pressures on top of the buoyancy. A
current, or water that a block moves through, meets the front up to the higher level and all else up to the lower.
"""

from typing import NamedTuple

import numpy as np

from nscd_engine.core.loads import value_at
from nscd_engine.gate.water import read_sides, read_water
from nscd_engine.geometry.mass_properties import fan_triangles

#: Of a face of the front, the least component of its normal against `towards` [-]: flatter faces (by a degree) are
#: tops and undersides.
STEEP = 0.0175


class Patches(NamedTuple):
    """Triangles that move with their blocks."""

    triangle: np.ndarray  # [m] (T, 3, 3): corners from the centroid of the block, in the axes it was given in
    normal: np.ndarray  # (T, 3): of the face that the triangle is of, of any length
    block: np.ndarray  # (T,)
    sign: float  # 1 for what the current meets, -1 for what a neighbour covers


class Water:
    """The water of a load case around the blocks of a model.

    Parameters
    ----------
    model : Model
    given : dict
        level, flow, density, drag; optional: times, levels, behind with towards.
    interfaces : Interfaces
        Where neighbours cover each other.
    """

    def __init__(self, model, given, interfaces):
        self.level, self.flow, self.density, self.drag = read_water(model, given)
        self.behind, self.towards = read_sides(given)
        self.faces = _of_free(model, _faces(model))
        self.covers = _of_free(model, _covers(model, interfaces))
        if self.behind is not None:
            self.front, self.rest = zip(*(_sides(patches, self.towards) for patches in (self.faces, self.covers)))
        surfaces = self.level.values.tolist() + ([] if self.behind is None else [self.behind])
        self.warnings = _out_of_reach(model, surfaces)

    def load(self, position, rotation, velocity, gravity, t):
        """Forces and moments about the centroids [N, N m] (B, 6) at time t [s]; zero for supports.

        Parameters
        ----------
        position : array (B, 3)
        rotation : array (B, 3, 3)
        velocity : array (B, 6)
        gravity : array (3,)
        """
        level, weight = float(value_at(self.level, t)), -self.density * gravity[2]
        height = position[:, 2] - level  # of the centroids above the surface
        total = np.zeros((len(position), 6))
        if self.behind is None or self.behind == level:
            self._lift(total, rotation, height, weight)
            met = [(patches, height) for patches in (self.faces, self.covers)]
        else:
            lower = position[:, 2] - self.behind
            self._lift(total, rotation, lower, weight)
            for patches in self.front:
                self._press(total, patches, rotation, height, weight)
                self._press(total, patches, rotation, lower, -weight)
            met = [(patches, height) for patches in self.front] + [(patches, lower) for patches in self.rest]
        if self.drag > 0.0:
            for patches, above in met:
                self._push(total, patches, rotation, above, self.flow - velocity[:, :3])
        return total

    def _lift(self, total, rotation, height, weight):
        """Add the buoyancy, with water of a weight [N/m3]."""
        block = self.faces.block
        wet, source = below(_turned(self.faces.triangle, rotation[block]), -height[block])
        block = block[source]
        wet[:, :, 2] += height[block][:, None]  # from the point of the surface above or below the centroid
        six = np.einsum("ti,ti->t", wet[:, 0], np.cross(wet[:, 1], wet[:, 2]))
        total[:, 2] += weight * np.bincount(block, six / 6.0, len(total))
        x, y = (np.bincount(block, six * wet[:, :, k].sum(axis=1) / 24.0, len(total)) for k in (0, 1))
        total[:, 3] += weight * y
        total[:, 4] -= weight * x

    def _press(self, total, patches, rotation, height, weight):
        """Add the pressure of standing water of a weight [N/m3] on those of the front that still are."""
        block = patches.block
        still = np.einsum("tij,tj,i->t", rotation[block], patches.normal, self.towards) < 0.0
        block = block[still]
        wet, source = below(_turned(patches.triangle[still], rotation[block]), -height[block])
        block = block[source]
        area = 0.5 * np.cross(wet[:, 1] - wet[:, 0], wet[:, 2] - wet[:, 0])
        pressure = -patches.sign * weight * (wet[:, :, 2] + height[block][:, None])  # at the corners
        # Integrals over a triangle of what is linear on it, and of its product with the place.
        force = -pressure.mean(axis=1)[:, None] * area
        place = (pressure.sum(axis=1)[:, None] * wet.sum(axis=1) + np.einsum("tk,tki->ti", pressure, wet)) / 12.0
        np.add.at(total, block, np.hstack([force, -np.cross(place, area)]))

    def _push(self, total, patches, rotation, height, against):
        """Add the push of a current that comes `against` the blocks with these velocities [m/s] (B, 3)."""
        block = patches.block
        normal = np.einsum("tij,tj->ti", rotation[block], patches.normal)
        meets = np.einsum("ti,ti->t", normal, against[block]) < 0.0
        block = block[meets]
        wet, source = below(_turned(patches.triangle[meets], rotation[block]), -height[block])
        block = block[source]
        area = 0.5 * np.cross(wet[:, 1] - wet[:, 0], wet[:, 2] - wet[:, 0])
        through = np.einsum("ti,ti->t", area, against[block])  # [m3/s], negative: into the block
        force = (-0.5 * patches.sign * self.drag * self.density * through)[:, None] * against[block]
        np.add.at(total, block, np.hstack([force, np.cross(wet.mean(axis=1), force)]))


def below(triangle, level):
    """The parts of triangles (T, 3, 3) below heights (T,): triangles (U, 3, 3) and which they are parts of (U,)."""
    under = triangle[:, :, 2] < level[:, None]
    count = under.sum(axis=1)
    parts, source = [triangle[count == 3]], [np.flatnonzero(count == 3)]
    for alone, odd in ((1, under), (2, ~under)):
        which = np.flatnonzero(count == alone)
        first = np.argmax(odd[which], axis=1)  # the one corner that is on its own side
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
    return Patches(triangle, np.repeat(np.add.reduceat(area, poly.face_start[:-1]), size, axis=0), block, 1.0)


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
    return Patches(triangle, np.concatenate([normal, -normal]), block, -1.0)


def _of_free(model, patches):
    return _those(patches, model.bodies.free[patches.block] >= 0)


def _sides(patches, towards):
    """Those of the patches that look against a direction, as the structure was given, and the others."""
    front = -patches.normal @ towards > STEEP * np.linalg.norm(patches.normal, axis=1)
    return _those(patches, front), _those(patches, ~front)


def _those(patches, own):
    return patches._replace(triangle=patches.triangle[own], normal=patches.normal[own], block=patches.block[own])


def _out_of_reach(model, surfaces):
    """A warning, in a list, if water is below all blocks that could be lifted or pushed, even at its highest."""
    corner = np.repeat(model.bodies.free >= 0, np.diff(model.polyhedra.vertex_start))
    lowest = model.polyhedra.vertices[corner, 2].min(initial=np.inf)
    if max(surfaces) > lowest or not corner.any():
        return []
    text = "The water reaches nothing: its level of {:g} m is below all free blocks, which begin at {:g} m."
    return [{"code": "water_reaches_nothing", "message": text.format(max(surfaces), lowest), "blocks": []}]


def with_water(model, case, interfaces):
    """The model under the water of a case as well, as its blocks were given and at rest; and warnings."""
    if case.get("water") is None:
        return model, []
    count = len(model.names)
    upright, still = np.broadcast_to(np.eye(3), (count, 3, 3)), np.zeros((count, 6))
    water = Water(model, case["water"], interfaces)
    load = water.load(model.bodies.centroid, upright, still, model.gravity, 0.0)
    return model._replace(load=model.load + load), water.warnings
