"""The joint between two blocks, and the force that passes through it."""

import numpy as np
from compas.data import Data

from compas_nscd.results.section import WHOLE, eccentricity, friction_use, pressure, sections

STATUS = ("open", "stick", "slide")


class Interface(Data):
    """A planar patch where two blocks meet, with the force at each of its contact points.

    Parameters
    ----------
    indices : (int, int)
        Blocks a < b.
    blocks : (str, str)
        Their names.
    outline : (n, 3) array
        Vertices of the patch [m], counter-clockwise about the normal.
    normal : (3,) array
        Unit vector from a to b.
    centroid : (3,) array
        Of the patch [m].
    area : float
        [m2]
    gap : float
        Mean distance of the two faces [m], negative where they overlap.
    points : (c, 3) array
        Contact points [m].
    forces : (c, 3) array
        Force on block b at each point [N], world axes; on a it is the opposite. Compression is along the normal.
    contact_status : (c,) array of int
        0 open, 1 stick, 2 slide.
    friction : float, optional
        Coefficient of the joint's law [-].
    cohesion : float, optional
        Shear that the joint carries without compression [N].
    opening : float, optional
        How far the joint opens as the structure falls [way of the fastest vertex]; 0 in one that stands.
    """

    def __init__(
        self,
        indices,
        blocks,
        outline,
        normal,
        centroid,
        area,
        gap,
        points,
        forces,
        contact_status,
        friction=None,
        opening=0.0,
        name=None,
        cohesion=0.0,
    ):
        super().__init__(name=name)
        self.indices = (int(indices[0]), int(indices[1]))
        self.blocks = (blocks[0], blocks[1])
        self.outline = np.asarray(outline, float).reshape(-1, 3)
        self.normal = np.asarray(normal, float)
        self.centroid = np.asarray(centroid, float)
        self.area = float(area)
        self.gap = float(gap)
        self.points = np.asarray(points, float).reshape(-1, 3)
        self.forces = np.asarray(forces, float).reshape(-1, 3)
        self.contact_status = np.asarray(contact_status, np.uint8)
        self.friction = None if friction is None else float(friction)
        self.opening = float(opening)
        self.cohesion = float(cohesion)

    @property
    def polygon(self):
        """The outline as a COMPAS polygon."""
        from compas.geometry import Polygon

        return Polygon(self.outline.tolist())

    @property
    def resultant(self):
        """Sum of the forces on block b [N]. (3,)"""
        return self.forces.sum(axis=0)

    @property
    def normal_force(self):
        """Compression [N]."""
        return float(self.resultant @ self.normal)

    @property
    def shear_force(self):
        """Size of the part of the resultant that lies in the plane of the joint [N]."""
        resultant = self.resultant
        return float(np.linalg.norm(resultant - (resultant @ self.normal) * self.normal))

    @property
    def moment(self):
        """Moment of the forces on block b about the centroid of the joint [N m]. (3,)"""
        return np.cross(self.points - self.centroid, self.forces).sum(axis=0)

    @property
    def centre_of_pressure(self):
        """Point of the joint's plane about which the forces have no moment but twisting [m]; None without compression.

        The mean of the contact points weighted by their normal forces, moved along the normal into the plane of the
        patch when the points do not lie in it.
        """
        weight = self.forces @ self.normal
        total = weight.sum()
        if not total > 0.0:
            return None
        point = weight @ self.points / total
        return point + ((self.centroid - point) @ self.normal) * self.normal

    @property
    def friction_utilisation(self):
        """Share that is used of friction and cohesion, |T| / (mu N + c A): 1 when the joint slides; None without
        compression."""
        if self.friction is None or self.centre_of_pressure is None:
            return None
        return float(friction_use(self.shear_force, self.normal_force, self.friction, self.cohesion))

    @property
    def section_utilisation(self):
        """How far out the centre of pressure stands: 0 at the centroid, 1 on the edge, where the joint is a hinge.

        Of a rectangle, 1 - distance to the edge / half the width; its kern ends at 1/3. None without compression.
        """
        section = self._section()
        return None if section is None else float(eccentricity(section)[0][0])

    @property
    def peak_pressure(self):
        """Pressure at the most compressed edge, distributed linearly without tension [Pa]; inf if all of the force is
        on the edge, 0 without compression."""
        section = self._section()
        return 0.0 if section is None else self.normal_force / self.area * float(pressure(section).peak[0])

    @property
    def compressed(self):
        """Share of the area under compression: 1 while the centre of pressure is in the kern, 0 on the edge."""
        section = self._section()
        return 0.0 if section is None else float(pressure(section).compressed[0])

    @property
    def in_kern(self):
        """Whether the whole joint is compressed."""
        return self.compressed > 1.0 - WHOLE

    def _section(self):
        centre = self.centre_of_pressure
        if centre is None:
            return None
        start, area = np.array([0, len(self.outline)]), np.array([self.area])
        return sections(self.outline, start, self.normal[None], self.centroid[None], area, centre[None])

    @property
    def status(self):
        """ "open" if no point carries a force, "slide" if all that do slide, else "stick"."""
        closed = self.contact_status[self.contact_status > 0]
        if not len(closed):
            return STATUS[0]
        return STATUS[2] if (closed == 2).all() else STATUS[1]

    @property
    def __data__(self):
        return {
            "indices": list(self.indices),
            "blocks": list(self.blocks),
            "outline": self.outline.tolist(),
            "normal": self.normal.tolist(),
            "centroid": self.centroid.tolist(),
            "area": self.area,
            "gap": self.gap,
            "points": self.points.tolist(),
            "forces": self.forces.tolist(),
            "contact_status": self.contact_status.tolist(),
            "friction": self.friction,
            "opening": self.opening,
            "cohesion": self.cohesion,
        }

    def __eq__(self, other):
        return type(other) is type(self) and other.__data__ == self.__data__

    __hash__ = None

    def __repr__(self):
        return "<Interface {} - {}: {:.3g} m2, {}>".format(self.blocks[0], self.blocks[1], self.area, self.status)
