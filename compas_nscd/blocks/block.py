"""A block. SI units: metres, kilograms per cubic metre."""

import math
import operator
import uuid

import numpy as np
from compas.data import Data

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import GeometryError, InputError, MaterialError
from compas_nscd.geometry.round_shapes import disc_surface, sphere_surface
from compas_nscd.geometry.vectors import direction

__all__ = ["Block", "ContactLaw"]


class Block(Data):
    """A rigid block. Its geometry does not change; the structure keeps what it found out about it.

    Parameters
    ----------
    vertices : (n, 3) array-like
        [m]
    faces : list of list of int
        Indices into the vertices, from 0. Closed and outward; `Structure` checks this and turns faces if it must.
    density : float
        [kg/m3]
    name : str, optional
        A block without a name is called by its index.
    support : bool, optional
        Whether it stays where it is.
    guid : str or UUID, optional
        Of the object in CAD it came from.
    called : str, optional
        What to call the block in errors before it has a place in a structure.
    material : str, optional
        Name of what it is made of, for the laws of pairs of materials (`Structure.material_laws`).
    radius, depth, axis : optional
        Of a sphere or a disc, which is one vertex, the centre, without faces: see `Block.sphere` and `Block.disc`.
    """

    def __init__(
        self,
        vertices,
        faces,
        density,
        name=None,
        support=False,
        guid=None,
        called=None,
        radius=None,
        depth=None,
        axis=None,
        material=None,
    ):
        super().__init__(name=None if name is None else str(name))
        called = called or ("a block" if name is None else "block {!s:.40}".format(name))
        self._vertices = _coordinates(vertices, called)
        self._faces = _indices(faces, called)
        self.density = _density(density, called)
        self.support = bool(support)
        self.material = None if material is None else str(material)
        self._given_guid = guid is not None
        if guid is not None:
            self._guid = _uuid(guid, called)
        self._mesh = None
        self._radius = None if radius is None else _length(radius, "radius", called)
        self._depth = None if depth is None else _length(depth, "depth", called)
        self._axis = None if depth is None else direction(axis, "The axis of {}".format(called))
        if self.is_round and (len(self._vertices) != 1 or self._faces):
            raise GeometryError("A radius goes with one vertex, the centre, and no faces: {}.".format(called))

    @classmethod
    def sphere(cls, centre, radius, density, name=None, support=False, guid=None, called=None):
        """Make a spherical block.

        Parameters
        ----------
        centre : (3,) array-like
            [m]
        radius : float
            [m]
        density, name, support, guid, called
            As of any block.
        """
        return cls([centre], [], density, name, support, guid, called, _given(radius))

    @classmethod
    def disc(cls, centre, radius, depth, density, axis="y", name=None, support=False, guid=None, called=None):
        """Make a disc, a cylinder about the axis of a planar structure.

        Parameters
        ----------
        centre : (3,) array-like
            [m]
        radius, depth : float
            [m]; its mass is density * pi * radius^2 * depth.
        axis : {"x", "y", "z"} or (3,) array-like
            That of the structure.
        density, name, support, guid, called
            As of any block.
        """
        return cls([centre], [], density, name, support, guid, called, _given(radius), _given(depth), axis)

    def scaled(self, factor):
        """The same block with all lengths multiplied."""
        copy = Block([], [], self.density, self._name, self.support, self._guid if self._given_guid else None)
        copy._vertices, copy._faces = self._vertices * factor, self._faces
        copy._vertices.flags.writeable = False
        copy._radius = None if self._radius is None else factor * self._radius
        copy._depth = None if self._depth is None else factor * self._depth
        copy._axis = self._axis
        copy.material = self.material
        return copy

    @property
    def is_round(self):
        """Whether it is a sphere or a disc."""
        return self._radius is not None

    @property
    def radius(self):
        """Of a sphere or disc; None for a polyhedron. [m]"""
        return self._radius

    @property
    def depth(self):
        """Of a disc; None for others. [m]"""
        return self._depth

    @property
    def axis(self):
        """Unit vector along which a disc is deep; None for others."""
        return self._axis

    def surface(self):
        """What to draw: vertices (n, 3) [m] and faces, of the block itself or of a polyhedron in a sphere or disc."""
        if self._depth is not None:
            return disc_surface(self._vertices[0], self._radius, self._depth, self._axis)
        if self._radius is not None:
            return sphere_surface(self._vertices[0], self._radius)
        return self._vertices, self._faces

    @property
    def vertices(self):
        """(n, 3) array, read-only; the centre of a sphere or disc. [m]"""
        return self._vertices

    @property
    def faces(self):
        """List of lists of int; not to be changed, because structures remember what they found out about it."""
        return self._faces

    @property
    def mesh(self):
        """The block as a COMPAS mesh, made when first asked for."""
        if self._mesh is None:
            from compas.datastructures import Mesh  # takes a second, and scipy; nothing else here needs it

            vertices, faces = self.surface()
            self._mesh = Mesh.from_vertices_and_faces(vertices.tolist(), [list(f) for f in faces])
            self._mesh.name = self._name
        return self._mesh

    @property
    def __data__(self):
        data = {
            "vertices": self._vertices.tolist(),
            "faces": [list(face) for face in self._faces],
            "density": self.density,
            "name": self._name,
            "support": self.support,
            "guid": str(self._guid) if self._given_guid else None,
        }
        if self.material is not None:
            data["material"] = self.material
        if self._radius is not None:
            data["radius"] = self._radius
        if self._depth is not None:
            data.update(depth=self._depth, axis=list(self._axis))
        return data

    def __eq__(self, other):
        return type(other) is type(self) and other.__data__ == self.__data__

    __hash__ = None

    def __repr__(self):
        kind = "support" if self.support else "free"
        shape = "disc" if self._depth is not None else "sphere" if self.is_round else None
        return "<Block {}: {}, {}>".format(self._name or "", shape or "{} vertices".format(len(self._vertices)), kind)


def _coordinates(vertices, called):
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


def _given(length):
    """What is missing is not a polyhedron's None but a length that `Structure.validate` refuses."""
    return math.nan if length is None else length


def _length(value, what, called):
    """A number; whether it is above zero is for `Structure.validate`, which names all blocks at once."""
    try:
        if not isinstance(value, (bool, str)):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise GeometryError("The {} of {} is not a number: {!r:.40}.".format(what, called, value))


def _indices(faces, called):
    try:
        return [list(map(operator.index, face)) for face in faces]
    except TypeError:
        raise GeometryError("Each face of {} must be a list of whole numbers.".format(called))


def _density(density, called):
    """A number; whether it is a density is for `Structure.validate`, which names all blocks at once."""
    if density is None:
        return math.nan
    if isinstance(density, (bool, str)):
        raise MaterialError("The density of {} is not a number: {!r:.40}.".format(called, density))
    try:
        return float(density)
    except (TypeError, ValueError, OverflowError):
        raise MaterialError("The density of {} is not a number: {!r:.40}.".format(called, density))


def _uuid(guid, called):
    try:
        return guid if isinstance(guid, uuid.UUID) else uuid.UUID(str(guid))
    except ValueError:
        raise InputError("{!r:.60} is not a guid, of {}.".format(guid, called))
