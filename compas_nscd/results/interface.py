"""The joint between two blocks, with its contact forces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from compas.data import Data

from compas_nscd.results.section import WHOLE, Sections, eccentricity, friction_use, pressure, sections

#: Status of a contact point by its number in `contact_status`.
STATUS = ("open", "stick", "slide")


class Interface(Data):
    """A planar contact patch of two blocks, with the force at each contact point.

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
        Mean distance of the two faces [m], negative if they overlap.
    points : (c, 3) array
        Contact points [m].
    forces : (c, 3) array
        Force on block b at each point [N], world axes; compression is along the normal.
    contact_status : (c,) array of int
        0 open, 1 stick, 2 slide.
    friction : float, optional
        Coefficient of the joint's law [-].
    cohesion : float, optional
        Cohesive force of the joint [N].
    opening : float, optional
        Opening in the mechanism [velocity of the fastest vertex]; 0 in a stable structure.
    """

    def __init__(
        self,
        indices: Sequence[int],
        blocks: Sequence[str],
        outline: Any,
        normal: Any,
        centroid: Any,
        area: float,
        gap: float,
        points: Any,
        forces: Any,
        contact_status: Any,
        friction: float | None = None,
        opening: float = 0.0,
        name: str | None = None,
        cohesion: float = 0.0,
    ) -> None:
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
    def polygon(self) -> Any:
        """The outline as a COMPAS polygon."""
        from compas.geometry import Polygon

        return Polygon(self.outline.tolist())

    @property
    def resultant(self) -> np.ndarray:
        """Sum of the forces on block b [N]. (3,)"""
        return self.forces.sum(axis=0)

    @property
    def normal_force(self) -> float:
        """Compression [N]."""
        return float(self.resultant @ self.normal)

    @property
    def shear_force(self) -> float:
        """Magnitude of the resultant in the plane of the joint [N]."""
        resultant = self.resultant
        return float(np.linalg.norm(resultant - (resultant @ self.normal) * self.normal))

    @property
    def moment(self) -> np.ndarray:
        """Moment of the forces on block b about the centroid of the joint [N m]. (3,)"""
        return np.cross(self.points - self.centroid, self.forces).sum(axis=0)

    @property
    def centre_of_pressure(self) -> np.ndarray | None:
        """Point of the plane of the joint about which the forces have no bending moment [m]; None without compression.

        Mean of the contact points weighted by their normal forces, projected onto the plane of the patch.
        """
        weight = self.forces @ self.normal
        total = weight.sum()
        if not total > 0.0:
            return None
        point = weight @ self.points / total
        return point + ((self.centroid - point) @ self.normal) * self.normal

    @property
    def friction_utilisation(self) -> float | None:
        """Utilisation of friction and cohesion, |T| / (mu N + c A): 1 if the joint slides; None without compression."""
        if self.friction is None or self.centre_of_pressure is None:
            return None
        return float(friction_use(self.shear_force, self.normal_force, self.friction, self.cohesion))

    @property
    def section_utilisation(self) -> float | None:
        """Relative eccentricity of the centre of pressure: 0 at the centroid, 1 on the edge (hinge).

        Of a rectangle, 1 - distance to the edge / half the width; its kern ends at 1/3. None without compression.
        """
        section = self._section()
        return None if section is None else float(eccentricity(section)[0][0])

    @property
    def peak_pressure(self) -> float:
        """Edge pressure of a linear distribution without tension [Pa]; inf if the force is on the edge, 0 without
        compression.
        """
        section = self._section()
        return 0.0 if section is None else self.normal_force / self.area * float(pressure(section).peak[0])

    @property
    def compressed(self) -> float:
        """Share of the area under compression: 1 while the centre of pressure is in the kern, 0 on the edge."""
        section = self._section()
        return 0.0 if section is None else float(pressure(section).compressed[0])

    @property
    def in_kern(self) -> bool:
        """Whether the whole joint is compressed."""
        return self.compressed > 1.0 - WHOLE

    def _section(self) -> Sections | None:
        centre = self.centre_of_pressure
        if centre is None:
            return None
        start, area = np.array([0, len(self.outline)]), np.array([self.area])
        return sections(self.outline, start, self.normal[None], self.centroid[None], area, centre[None])

    @property
    def status(self) -> str:
        """Status: "open" if no point carries a force, "slide" if all loaded points slide, else "stick"."""
        closed = self.contact_status[self.contact_status > 0]
        if not len(closed):
            return STATUS[0]
        return STATUS[2] if (closed == 2).all() else STATUS[1]

    @property
    def __data__(self) -> dict[str, Any]:
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

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__data__ == self.__data__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<Interface {} - {}: {:.3g} m2, {}>".format(self.blocks[0], self.blocks[1], self.area, self.status)
