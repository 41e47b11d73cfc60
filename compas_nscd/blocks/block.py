"""A block. SI units: metres, kilograms per cubic metre."""

from __future__ import annotations

import math
import operator
import uuid
from collections.abc import Mapping
from typing import Any

import numpy as np
from compas.data import Data

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.elastic import Elastic
from compas_nscd.errors import GeometryError, InputError, MaterialError
from compas_nscd.geometry.round_shapes import disc_surface, sphere_surface
from compas_nscd.geometry.vectors import direction

__all__ = ["Block", "ContactLaw"]


class Block(Data):
    """A block, rigid unless it is given an `elastic`. Its geometry does not change.

    Parameters
    ----------
    vertices : (n, 3) array-like
        [m]
    faces : list of list of int
        Indices into the vertices, from 0. Closed and outward; `Structure` checks this and flips faces if necessary.
    density : float
        [kg/m3]
    name : str, optional
        A block without a name is called by its index.
    support : bool, optional
        Whether the block is fixed.
    guid : str or UUID, optional
        Of the CAD object.
    called : str, optional
        Name of the block in errors before it belongs to a structure.
    material : str, optional
        Selects the laws of pairs of materials (`Structure.material_laws`).
    radius, depth, axis : optional
        Of a sphere or a disc, which is one vertex, the centre, without faces: see `Block.sphere` and `Block.disc`.
    own_friction : float, optional
        Coefficient of friction that the CAD object carries [-]. A structure made of CAD objects turns it into laws of
        pairs; it is not part of the data of the block.
    elastic : Elastic, optional
        How the block deforms; None if it is rigid. A support is rigid in any case.
    """

    def __init__(
        self,
        vertices: Any,
        faces: Any,
        density: float | None,
        name: str | None = None,
        support: bool = False,
        guid: str | uuid.UUID | None = None,
        called: str | None = None,
        radius: float | None = None,
        depth: float | None = None,
        axis: Any = None,
        material: str | None = None,
        own_friction: float | None = None,
        elastic: Elastic | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(name=None if name is None else str(name))
        called = called or ("a block" if name is None else "block {!s:.40}".format(name))
        self._vertices = _coordinates(vertices, called)
        self._faces = _indices(faces, called)
        self.density = _density(density, called)
        self.support = bool(support)
        self.material = None if material is None else str(material)
        self.own_friction = own_friction
        self.elastic = Elastic.of(elastic, called)
        self._given_guid = guid is not None
        if guid is not None:
            self._guid = _uuid(guid, called)
        self._mesh: Any = None
        self._radius = None if radius is None else _length(radius, "radius", called)
        self._depth = None if depth is None else _length(depth, "depth", called)
        self._axis = None if depth is None else direction(axis, "The axis of {}".format(called))
        if self.is_round and (len(self._vertices) != 1 or self._faces):
            raise GeometryError("A radius goes with one vertex, the centre, and no faces: {}.".format(called))

    @classmethod
    def sphere(
        cls,
        centre: Any,
        radius: float,
        density: float | None,
        name: str | None = None,
        support: bool = False,
        guid: str | uuid.UUID | None = None,
        called: str | None = None,
        material: str | None = None,
    ) -> Block:
        """Make a spherical block.

        Parameters
        ----------
        centre : (3,) array-like
            [m]
        radius : float
            [m]
        density : float
            [kg/m3]
        name, support, guid, called, material
            As of any block.
        """
        return cls([centre], [], density, name, support, guid, called, _given(radius), material=material)

    @classmethod
    def disc(
        cls,
        centre: Any,
        radius: float,
        depth: float,
        density: float | None,
        axis: Any = "y",
        name: str | None = None,
        support: bool = False,
        guid: str | uuid.UUID | None = None,
        called: str | None = None,
        material: str | None = None,
    ) -> Block:
        """Make a disc, a cylinder about the axis of a planar structure.

        Parameters
        ----------
        centre : (3,) array-like
            [m]
        radius, depth : float
            [m]; the mass is density * pi * radius^2 * depth.
        density : float
            [kg/m3]
        axis : {"x", "y", "z"} or (3,) array-like
            That of the structure.
        name, support, guid, called, material
            As of any block.
        """
        shape = {"radius": _given(radius), "depth": _given(depth), "axis": axis}
        return cls([centre], [], density, name, support, guid, called, material=material, **shape)

    def scaled(self, factor: float) -> Block:
        """A copy with all lengths multiplied by `factor`."""
        guid = self._guid if self._given_guid else None
        copy = Block([], [], self.density, self._name, self.support, guid, material=self.material)
        copy._vertices, copy._faces = self._vertices * factor, self._faces
        copy._vertices.flags.writeable = False
        copy._radius = None if self._radius is None else factor * self._radius
        copy._depth = None if self._depth is None else factor * self._depth
        copy._axis = self._axis
        copy.own_friction, copy.elastic = self.own_friction, self.elastic
        return copy

    def with_density(self, density: float) -> Block:
        """A copy with another density [kg/m3]."""
        copy = self.scaled(1.0)
        copy.density = density
        return copy

    @property
    def given_name(self) -> str | None:
        """The name as it was given; None without one."""
        return self._name

    @property
    def given_guid(self) -> str | None:
        """The guid of the CAD object; None without one."""
        return str(self._guid) if self._given_guid else None

    @property
    def is_round(self) -> bool:
        """Whether it is a sphere or a disc."""
        return self._radius is not None

    @property
    def radius(self) -> float | None:
        """Of a sphere or disc; None for a polyhedron. [m]"""
        return self._radius

    @property
    def depth(self) -> float | None:
        """Of a disc; None for others. [m]"""
        return self._depth

    @property
    def axis(self) -> tuple[float, float, float] | None:
        """Unit vector along the depth of a disc; None for others."""
        return self._axis

    def surface(self) -> tuple[np.ndarray, list[list[int]]]:
        """Vertices (n, 3) [m] and faces for drawing: of the block, or of a polyhedron inside the sphere or disc."""
        if self._depth is not None and self._radius is not None:
            return disc_surface(self._vertices[0], self._radius, self._depth, self._axis)
        if self._radius is not None:
            return sphere_surface(self._vertices[0], self._radius)
        return self._vertices, self._faces

    @property
    def vertices(self) -> np.ndarray:
        """(n, 3) array, read-only; the centre of a sphere or disc. [m]"""
        return self._vertices

    @property
    def faces(self) -> list[list[int]]:
        """List of lists of int; not to be changed, because structures cache the results of their checks."""
        return self._faces

    @property
    def mesh(self) -> Any:
        """The block as a COMPAS mesh, made on first use."""
        if self._mesh is None:
            from compas.datastructures import Mesh  # the import takes a second and loads scipy

            vertices, faces = self.surface()
            self._mesh = Mesh.from_vertices_and_faces(vertices.tolist(), [list(f) for f in faces])
            self._mesh.name = self._name
        return self._mesh

    @property
    def __data__(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "vertices": self._vertices.tolist(),
            "faces": [list(face) for face in self._faces],
            "density": self.density,
            "name": self._name,
            "support": self.support,
            "guid": self.given_guid,
        }
        if self.material is not None:
            data["material"] = self.material
        if self.elastic is not None:
            data["elastic"] = self.elastic.__data__
        if self._radius is not None:
            data["radius"] = self._radius
        if self._depth is not None and self._axis is not None:
            data.update(depth=self._depth, axis=list(self._axis))
        return data

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__data__ == self.__data__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        kind = "support" if self.support else "free"
        shape = "disc" if self._depth is not None else "sphere" if self.is_round else None
        return "<Block {}: {}, {}>".format(self._name or "", shape or "{} vertices".format(len(self._vertices)), kind)


def _coordinates(vertices: Any, called: str) -> np.ndarray:
    try:
        xyz = np.array(vertices)
    except ValueError:  # rows of different lengths
        xyz = np.array(None)
    if xyz.shape == (0,):
        xyz = np.zeros((0, 3))
    if xyz.dtype.kind not in "iuf" or xyz.ndim != 2 or xyz.shape[1] != 3:
        raise GeometryError("Each vertex of {} must be three numbers.".format(called))
    xyz = np.ascontiguousarray(xyz, np.float64)
    xyz.flags.writeable = False
    return xyz


def _given(length: float | None) -> float:
    """A missing length as NaN, which `Structure.validate` refuses; None would mean a polyhedron."""
    return math.nan if length is None else length


def _length(value: Any, what: str, called: str) -> float:
    """A number; `Structure.validate` checks that it is positive, and names all bad blocks at once."""
    try:
        if not isinstance(value, (bool, str)):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise GeometryError("The {} of {} is not a number: {!r:.40}.".format(what, called, value))


def _indices(faces: Any, called: str) -> list[list[int]]:
    try:
        return [list(map(operator.index, face)) for face in faces]
    except TypeError:
        raise GeometryError("Each face of {} must be a list of whole numbers.".format(called))


def _density(density: Any, called: str) -> float:
    """A number; `Structure.validate` checks that it is positive, and names all bad blocks at once."""
    if density is None:
        return math.nan
    if isinstance(density, (bool, str)):
        raise MaterialError("The density of {} is not a number: {!r:.40}.".format(called, density))
    try:
        return float(density)
    except (TypeError, ValueError, OverflowError):
        raise MaterialError("The density of {} is not a number: {!r:.40}.".format(called, density))


def _uuid(guid: Any, called: str) -> uuid.UUID:
    try:
        return guid if isinstance(guid, uuid.UUID) else uuid.UUID(str(guid))
    except ValueError:
        raise InputError("{!r:.60} is not a guid, of {}.".format(guid, called))
