"""Forces and utilisations of all joints of a result in arrays, for tables, colours and labels.

Signs: the normal points from block a to block b, forces are those on b, compression is positive.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from compas_nscd.geometry.vectors import cross
from compas_nscd.results.cracks import motion
from compas_nscd.results.section import WHOLE, eccentricity, friction_use, pressure, sections
from compas_nscd.results.strength import cohesion, of_laws

#: Compression above which a joint is loaded [greatest compression in the structure]. Larger: thrust lines end early.
#: Smaller: residuals of the solver count as forces.
LOADED = 1e-6
#: Distance of the centre of pressure from the edge below which a joint is a hinge [half width]. Larger: eccentric
#: joints are labelled as hinges. Smaller: hinges are missed.
HINGE = 0.02


class Joints(NamedTuple):
    """One row per interface."""

    resultant: np.ndarray  # [N] (I, 3): on block b
    normal_force: np.ndarray  # [N] (I,): compression
    shear_force: np.ndarray  # [N] (I,)
    moment: np.ndarray  # [N m] (I, 3): on block b about the centroid of the joint
    centre: np.ndarray  # [m] (I, 3): centre of pressure; nan where the joint carries no force
    friction_utilisation: np.ndarray  # [-] (I,): |T| / (mu N + c A); nan where the joint carries no force
    section_utilisation: np.ndarray  # [-] (I,): 0 centre of pressure at the centroid, 1 on the edge; nan likewise
    edge_distance: np.ndarray  # [m] (I,): of the centre of pressure to the nearest edge; nan likewise
    mean_pressure: np.ndarray  # [Pa] (I,): N / area
    peak_pressure: np.ndarray  # [Pa] (I,): at the edge, linear without tension; inf at a hinge, 0 without a force
    compressed: np.ndarray  # [-] (I,): share of the area under compression; 1 inside the kern, 0 at a hinge or unloaded
    status: np.ndarray  # (I,): 0 open, 1 stick, 2 slide
    opening: np.ndarray  # [-] (I,): greatest opening in the mechanism, relative to the fastest vertex; 0 if stable
    slip: np.ndarray  # [-] (I,): greatest sliding, likewise

    @property
    def loaded(self) -> np.ndarray:
        """Which joints carry a force. (I,) bool"""
        return np.isfinite(self.centre[:, 0])

    @property
    def hinge(self) -> np.ndarray:
        """Which joints carry their force at the edge. (I,) bool"""
        return np.nan_to_num(self.section_utilisation) > 1.0 - HINGE

    @property
    def in_kern(self) -> np.ndarray:
        """Which joints carry a force and are compressed over the whole area. (I,) bool"""
        return self.loaded & (self.compressed > 1.0 - WHOLE)

    @property
    def sliding(self) -> np.ndarray:
        """Which joints carry a force and slide at all loaded points. (I,) bool"""
        return self.loaded & (self.status == 2)


def joints(result: Any) -> Joints:
    """Evaluate all joints of a StaticResult."""
    of = np.repeat(np.arange(len(result.interface_body)), np.diff(result.contact_start))
    normal = result.interface_normal
    resultant = result.interface_resultants
    compression = np.einsum("ij,ij->i", resultant, normal)
    shear = np.linalg.norm(resultant - compression[:, None] * normal, axis=1)
    arm = result.contact_point - result.interface_centroid[of]
    moment = sums(cross(arm, result.contact_force), of, len(normal))
    loaded = compression > LOADED * compression.max(initial=0.0)
    centre = _centres(result, of, compression, loaded)
    section = sections(
        result.polygon, result.polygon_start, normal, result.interface_centroid, result.interface_area, centre
    )
    use, distance = eccentricity(section)
    share = pressure(section)
    area = result.interface_area
    mean = np.where(area > 0.0, compression / np.where(area > 0.0, area, 1.0), np.where(loaded, np.inf, 0.0))
    opening, slip = motion(result)
    return Joints(
        resultant,
        compression,
        shear,
        moment,
        centre,
        friction_use(shear, np.where(loaded, compression, np.nan), friction(result), cohesion(result)),
        np.where(loaded, use, np.nan),
        np.where(loaded, distance, np.nan),
        mean,
        np.where(loaded, mean * share.peak, 0.0),
        np.where(loaded, share.compressed, 0.0),
        _status(result.contact_status, of, len(normal)),
        opening,
        slip,
    )


def sums(values: np.ndarray, of: np.ndarray, count: int) -> np.ndarray:
    """Sum the rows of `values` (n, k) by group `of` (n,): (count, k). Faster than np.add.at."""
    return np.stack([np.bincount(of, column, count) for column in values.T], axis=1)


def _centres(result: Any, of: np.ndarray, compression: np.ndarray, loaded: np.ndarray) -> np.ndarray:
    """Mean of the contact points weighted by their normal forces, projected onto the plane of the joint."""
    normal = result.interface_normal
    arm = result.contact_point - result.interface_centroid[of]
    weight = np.einsum("ij,ij->i", result.contact_force, normal[of])
    mean = sums(weight[:, None] * arm, of, len(normal)) / np.where(loaded, compression, np.nan)[:, None]
    mean -= np.einsum("ij,ij->i", mean, normal)[:, None] * normal
    return result.interface_centroid + mean


def _status(contact_status: np.ndarray, of: np.ndarray, count: int) -> np.ndarray:
    """Status by interface: slide if all loaded points slide, stick if some do not, open if none is loaded. (I,)"""
    stuck = np.bincount(of[contact_status == 1], minlength=count) > 0
    slides = np.bincount(of[contact_status == 2], minlength=count) > 0
    return np.where(stuck, 1, np.where(slides, 2, 0)).astype(np.uint8)


def friction(result: Any) -> np.ndarray:
    """Coefficient of friction of every interface. (I,)"""
    return of_laws(result, lambda law: law.friction)
