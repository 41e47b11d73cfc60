"""A bay of a Roman arena: two walls with arcades, a vaulted gallery on every storey, an attic."""

from __future__ import annotations

from compas_nscd.model.structure import Structure
from compas_nscd.templates.arcade import Tier, opening_ring
from compas_nscd.templates.parts.coursework import Arched, Coursework, beds, bonded_leaves, joined, lay_ring, ring_beds
from compas_nscd.templates.parts.limits import pieces
from compas_nscd.templates.parts.parameters import require, require_count, require_positive
from compas_nscd.templates.parts.rings import Ring
from compas_nscd.templates.parts.shapes import Masonry, Polygon, Solid, prism, turned


def arena_bay(
    storeys: int = 2,
    width: float = 6.6,
    opening: float = 3.0,
    pier_height: float = 3.0,
    ring: float = 0.5,
    voussoirs: int = 15,
    wall: float = 1.8,
    gallery: float = 2.8,
    vault: float = 0.4,
    vault_courses: int = 17,
    attic: float = 2.4,
    course: float = 0.3,
    length: float = 0.6,
    density: float = 2400.0,
    friction: float = 0.6,
) -> Structure:
    """A straight bay of an arena; the thrust of its gallery vaults pushes the front wall outwards.

    Parameters
    ----------
    storeys : int
        Each with an arch in both walls and a gallery between them.
    width : float
        Of the bay, along x [m].
    opening, pier_height : float
        Clear span of the arches in the walls, and the height up to their springing [m].
    ring : float
        Thickness of these arches [m].
    voussoirs : int
        In each of these arches.
    wall : float
        Thickness of the front and of the back wall, along y [m].
    gallery, vault : float
        Clear span of the vaults, along y, and their thickness [m].
    vault_courses : int
        From springing to springing.
    attic : float
        Height of the front wall above the uppermost vault [m].
    course, length : float
        About the height and the length of a block [m].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Supports ``front-base0`` ... and ``back-base0`` ...; per storey ``s0-front-`` and ``s0-back-`` with voussoirs
        ``v0y0`` ... and courses ``c0b0y0`` ..., the vault ``s0-vault-v0y0`` ... and its ``s0-fill-c0b0y0`` ...; the
        ``attic-c0b0`` ...
    """
    require_count("storeys", storeys, 1)
    require_count("vault_courses", vault_courses, 3)
    require_positive(pier_height=pier_height, attic=attic, course=course, length=length, density=density)
    require_positive(opening=opening, gallery=gallery, vault=vault)
    arch = opening_ring("semicircular", opening, None, ring, voussoirs)
    require("width", width, opening + 2 * ring)
    barrel = opening_ring("semicircular", gallery, None, vault, vault_courses)
    ledge = vault + 0.3  # [m] bears the vault and the fill behind it
    require("wall", wall, ledge)

    masonry = Masonry(density)
    bay = _Bay(masonry, width, wall, gallery, ledge, course, length)
    floor = 0.0
    for storey in range(storeys):
        tier = Tier(arch, [width / 2], opening, floor, floor + pier_height)
        if storey == 0:
            for name, (y0, y1) in bay.walls().items():
                tier.lay_bases(masonry, 0.0, width, course, y0, y1, name + "-")
        prefix = "s{}-".format(storey)
        springing = tier.crown + course
        bay.lay_walls(prefix, tier, springing)
        floor = bay.lay_gallery(prefix, barrel, springing)
    bay.work.lay("attic-", beds(floor, floor + attic, course), bonded_leaves(0.0, wall - ledge, 1))
    return masonry.structure("arena_bay", friction)


class _Bay:
    """Two walls along x; their thickness is `wall` below the vaults, and less by `ledge` beside them."""

    def __init__(
        self,
        masonry: Masonry,
        width: float,
        wall: float,
        gallery: float,
        ledge: float,
        course: float,
        length: float,
    ) -> None:
        self.masonry, self.width, self.wall, self.gallery, self.ledge = masonry, width, wall, gallery, ledge
        self.course, self.length = course, length
        self.work = Coursework(masonry, 0.0, width, length)
        self.depth = 2 * wall + gallery

    def walls(self, less: float = 0.0) -> dict[str, tuple[float, float]]:
        """Faces of the walls along y [m], thinner by `less` towards the gallery."""
        return {"front": (0.0, self.wall - less), "back": (self.depth - self.wall + less, self.depth)}

    def leaves(self, y0: float, y1: float) -> list[list[float]]:
        return bonded_leaves(y0, y1, pieces("length", y1 - y0, 1.3 * self.length))

    def lay_walls(self, prefix: str, tier: Tier, springing: float) -> None:
        """Lay both walls of a storey up to the springing of its vault."""
        levels = joined(tier.beds(self.course), [tier.crown, springing])
        for name, (y0, y1) in self.walls().items():
            leaves = self.leaves(y0, y1)
            tier.lay_rings(self.masonry, "{}{}-".format(prefix, name), leaves)
            self.work.lay("{}{}-".format(prefix, name), levels, leaves, tier.voids)

    def lay_gallery(self, prefix: str, barrel: Ring, springing: float) -> float:
        """Lay the vault, the fill above it and the walls beside it; returns z of the floor [m]."""
        low, high = self.wall - self.ledge, self.depth - self.wall + self.ledge
        void = Arched(self.depth / 2, self.gallery / 2, springing, springing, barrel.extrados)
        crown = springing + barrel.extrados[-1][1]
        floor = crown + self.course
        along = bonded_leaves(0.0, self.width, pieces("length", self.width, self.length))
        lay_ring(self.masonry, prefix + "vault-", barrel, self.depth / 2, springing, along, _across)
        levels = joined(ring_beds(springing, barrel.extrados, self.course), [crown, floor])
        fill = Coursework(self.masonry, low, high, self.length)
        fill.lay(prefix + "fill-", levels, along, [void], solid=_across)
        for name, (y0, y1) in self.walls(self.ledge).items():
            levels = beds(springing, floor, self.course)
            self.work.lay("{}upper-{}-".format(prefix, name), levels, self.leaves(y0, y1))
        return floor


def _across(polygon: Polygon, x0: float, x1: float) -> Solid:
    """Prism over a polygon of (y, z) between x0 < x1."""
    return turned(prism(polygon, -x1, -x0), 1)
