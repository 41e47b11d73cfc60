"""The structure that blocks make: what they are called, whether they can be analysed, what is sent to the engine."""

import numpy as np
from compas.data import Data

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import GeometryError, InputError, MaterialError, SupportError
from compas_nscd.geometry.checks import PLANARITY, check
from compas_nscd.geometry.findings import Finding, name_blocks, unique_names
from compas_nscd.geometry.polyhedra import bounding_diagonals, flatten, polyhedron
from compas_nscd.geometry.round_shapes import findings as round_findings
from compas_nscd.geometry.vectors import direction
from compas_nscd.loads.case import LoadCase
from compas_nscd.model import law_table


class Structure(Data):
    """Blocks and the law of their joints.

    Parameters
    ----------
    blocks : list of Block
        At least one is free, and at least one a support (unless the settings say `unsupported`).
    law : ContactLaw
        Of all joints but those in `pair_laws`.
    name : str, optional
    pair_laws : dict, optional
        ``{(block, block): ContactLaw}``; blocks by index, name or guid.
    case : LoadCase, optional
        What acts on it, if the file it came from said so.
    expected : str, optional
        Verdict that is known beforehand: "stable" or "collapse".
    note : str, optional
    planarity : float, optional
        How far a vertex may lie out of the plane of its face [diagonal of the block].
    planar : {"x", "y", "z"} or (3,) array-like, optional
        Axis of a planar structure: nothing moves along it or turns but about it.
    material_laws : dict, optional
        ``{(material, material): ContactLaw}`` of blocks by their `Block.material`; laws of pairs of blocks go first.
    interface_laws : list, optional
        ``((block, block), point, ContactLaw)``: of the interface of two blocks that the point [m] is on; goes first.

    Notes
    -----
    Blocks of the same name are told apart by a number in `names`, with a warning; `Block.name` stays as given.
    """

    def __init__(
        self,
        blocks,
        law,
        name=None,
        pair_laws=None,
        case=None,
        expected=None,
        note=None,
        planarity=PLANARITY,
        planar=None,
        material_laws=None,
        interface_laws=(),
    ):
        super().__init__(name=name)
        self.blocks = tuple(blocks)
        if not all(isinstance(block, Block) for block in self.blocks):
            raise InputError("A structure is made of Block objects.", remedy="Use Structure.from_meshes for meshes.")
        if not isinstance(law, ContactLaw):
            raise MaterialError("The law of the joints is missing.", remedy="Give law=ContactLaw(friction=0.6).")
        self.law = law
        self.case = case
        self.expected = expected
        self.note = note
        self._names, self._renamed = unique_names([block._name for block in self.blocks])
        self._planarity = float(planarity)
        self.planar = None if planar is None else direction(planar, "The axis of a planar structure")
        self._polyhedra = None
        self._geometry = None
        law_table.set_laws(self, pair_laws, material_laws, interface_laws)

    def law_between(self, i, j):
        """Law of the joints of two blocks, by their indices; `interface_laws` aside."""
        return law_table.between(self, i, j)

    # -- making one ------------------------------------------------------------------------------------------------

    @classmethod
    def from_meshes(cls, meshes, supports, density, law, names=None, guids=None, name=None, planarity=PLANARITY):
        """Make a structure of COMPAS meshes, and validate it.

        Parameters
        ----------
        meshes : list of compas.datastructures.Mesh
        supports : list of int or str, or list of bool
            Supports by index, name or guid; or one bool per mesh.
        density : float or list of float
            [kg/m3]
        law : ContactLaw
        names, guids : list of str, optional
            Default: the names of the meshes, if they have any.
        """
        from compas_nscd.files.meshes import from_meshes

        structure = from_meshes(cls, meshes, supports, density, law, names, guids, name, planarity)
        structure.validate()
        return structure

    @classmethod
    def from_file(cls, path, supports=None, density=None, law=None, units=None, strict=True, planarity=None):
        """Read a scene (.json), COMPAS data (.json: a structure or meshes), a Rhino file (.3dm) or an .obj file.

        Parameters
        ----------
        path : str or Path
        supports, density, law
            As in `from_meshes`; needed for meshes and .obj, which do not carry them. A .3dm may carry them as user
            text; there `supports` may be the name of a layer. Refused otherwise.
        units : {"m", "cm", "mm", "ft", "in"}, optional
            Of meshes and .obj files; default metres. A scene names its own.
        strict : bool, optional
            Validate. Otherwise defects are only listed, in `report`.
        planarity : float, optional
            Default: that of the structure in the file, if it holds one, else as for any structure.
        """
        from compas_nscd.files.read import read

        structure = read(cls, path, supports, density, law, units, planarity)
        if strict:
            structure.validate()
        return structure

    @classmethod
    def from_blockmodel(cls, model, law, density=None):
        """Make a structure of a `compas_dem.models.BlockModel`, and validate it.

        Parameters
        ----------
        model : BlockModel
        law : ContactLaw
        density : float, optional
            Of blocks without a material [kg/m3]; without it such blocks are refused.
        """
        from compas_nscd.files.compas_dem import from_blockmodel

        structure = from_blockmodel(cls, model, law, density)
        structure.validate()
        return structure

    def to_scene(self, path=None):
        """The structure as a scene, the interchange format of this project, with repaired geometry in metres.

        Returns
        -------
        dict
            Also written to `path`, if there is one.
        """
        from compas_nscd.files.scene_file import write_scene

        return write_scene(self, path)

    # -- naming ----------------------------------------------------------------------------------------------------

    @property
    def names(self):
        """One name per block, no two the same."""
        return self._names

    @property
    def supports(self):
        """Indices of the supports."""
        return [i for i, block in enumerate(self.blocks) if block.support]

    def index(self, block):
        """Index of a block given by index, name or guid.

        Raises
        ------
        InputError
            If there is no such block, or several.
        """
        return self.indices([block])[0]

    def indices(self, blocks, error=InputError):
        """Indices of blocks given by index, name or guid; raises `error` naming those that are not there."""
        blocks = [block if isinstance(block, (int, np.integer)) else str(block) for block in blocks]
        ambiguous = sorted({b for b in blocks if isinstance(b, str) and b in self._renamed})
        if ambiguous:
            raise error(
                "More than one block is called {}.".format(", ".join(ambiguous)),
                remedy="Use the index, the guid, or the names in `structure.names`.",
                blocks=ambiguous,
            )
        if all(isinstance(block, (int, np.integer)) for block in blocks):
            table = {}
        else:
            table = {str(b._guid): i for i, b in enumerate(self.blocks) if b._given_guid}
            table.update({name: i for i, name in enumerate(self._names)})
        count = len(self.blocks)
        found = [table.get(b) if isinstance(b, str) else int(b) if 0 <= b < count else None for b in blocks]
        missing = sorted({str(b) for b, i in zip(blocks, found) if i is None})
        if missing:
            known = "blocks 0 to {}".format(count - 1) if count else "no blocks"
            raise error(
                "There is no {}.".format(name_blocks(missing)),
                remedy="The structure has {}; give an index, a name or a guid.".format(known),
                blocks=missing,
            )
        return found

    # -- checking --------------------------------------------------------------------------------------------------

    @property
    def planarity(self):
        return self._planarity

    @planarity.setter
    def planarity(self, value):
        self._planarity = float(value)
        self._geometry = None

    @property
    def report(self):
        """What is wrong with the structure, and what was repaired: a `findings.Report`."""
        if self._geometry is None:
            given = flatten([block.vertices for block in self.blocks], [block.faces for block in self.blocks])
            self._geometry = check(given, self._names, self._planarity, [block.radius for block in self.blocks])
        return self._geometry.extended(self._other_findings())

    def _other_findings(self):
        """Names, densities, radii and supports; cheap, and not kept because they may be changed."""
        out = []
        if self._renamed:
            same = tuple(i for i, block in enumerate(self.blocks) if block._name in self._renamed)
            out.append(Finding("names", "warning", "Blocks of the same name were given numbers", same, ""))
        density = np.array([block.density for block in self.blocks])
        bad = tuple(np.flatnonzero(~((density > 0.0) & np.isfinite(density))).tolist())
        if bad:
            remedy = "Give each block a density in kg/m3; 2400 is usual for stone."
            out.append(Finding("density", "error", "The density is missing or not a positive number", bad, remedy))
        out += round_findings(self.blocks, self.planar)
        pairs = dict(self.pair_laws)
        pairs[()] = self.law
        for pair, law in pairs.items():
            if not 0.0 <= law.friction < float("inf"):
                remedy = "Give a coefficient of friction of 0 or more."
                out.append(Finding("friction", "error", "The friction cannot be {}".format(law.friction), pair, remedy))
        support = [block.support for block in self.blocks]
        if support and all(support):
            out.append(Finding("supports", "error", "Every block is a support", (), "Leave some blocks free to move."))
        if not any(support):
            remedy = "Mark the blocks on the ground as supports."
            out.append(Finding("no-support", "error", "No block is a support", (), remedy))
        if not support:
            out.append(Finding("no-blocks", "error", "There are no blocks", (), "Select at least two."))
        return out

    @property
    def warnings(self):
        """What was repaired or deserves a look: list of ``{"code", "message", "blocks"}``."""
        return [finding.to_data(self._names) for finding in self.report.of("warning")]

    def bad_blocks(self):
        """Names of the blocks that cannot be analysed, to be shown in CAD."""
        return [self._names[i] for i in self.report.bad_blocks()]

    def sound_part(self):
        """The structure without its bad blocks, to look at the joints of the others; itself if all are sound."""
        bad = set(self.report.bad_blocks())
        if not bad:
            return self
        kept = [i for i in range(len(self.blocks)) if i not in bad]
        part = Structure([self.blocks[i] for i in kept], self.law, self.name, **self.options_of(kept))
        part._names = [self._names[i] for i in kept]
        return part

    def options_of(self, kept):
        """Laws and options of the structure that some of its blocks make, for its constructor."""
        return dict(law_table.among(self, kept), planarity=self._planarity, planar=self.planar)

    def validate(self, unsupported=False):
        """Raise an error if the structure cannot be analysed.

        Parameters
        ----------
        unsupported : bool, optional
            Accept a structure that nothing holds.

        Raises
        ------
        GeometryError, MaterialError, SupportError
            Naming every bad block in `blocks`, and the first few in the message.
        """
        errors = self.report.of("error")
        errors = [f for f in errors if not (unsupported and f.code == "no-support")]
        kinds = dict.fromkeys(("density", "friction"), MaterialError)
        kinds.update(dict.fromkeys(("supports", "no-support"), SupportError))
        for kind in (GeometryError, MaterialError, SupportError):
            mine = [f for f in errors if kinds.get(f.code, GeometryError) is kind]
            if mine:
                blocks = sorted({i for f in mine for i in f.blocks})
                raise kind(
                    " ".join(f.message(self._names) for f in mine),
                    remedy=" ".join(sorted({f.remedy for f in mine})),
                    blocks=[self._names[i] for i in blocks],
                    codes=[f.code for f in mine],
                )

    @property
    def polyhedra(self):
        """The repaired blocks in flat arrays, faces outward; validates first what concerns geometry.

        A sphere or disc is one vertex, its centre, without faces.
        """
        report = self.report
        if report.polyhedra is None or not self._geometry.ok:
            self.validate(unsupported=True)
        return report.polyhedra

    @property
    def surfaces(self):
        """What to draw of all blocks: `polyhedra`, with spheres and discs as polyhedra too."""
        poly = self.polyhedra
        if not any(block.is_round for block in self.blocks):
            return poly
        shapes = [block.surface() if block.is_round else polyhedron(poly, i) for i, block in enumerate(self.blocks)]
        return flatten([vertices for vertices, _ in shapes], [faces for _, faces in shapes])

    @property
    def block_size(self):
        """Median diagonal of the blocks [m]."""
        return float(np.median(bounding_diagonals(self.surfaces)))

    # -- data ------------------------------------------------------------------------------------------------------

    def to_wire(self, unsupported=False):
        """The arrays the engine takes; validates first."""
        self.validate(unsupported)
        poly = self.polyhedra
        arrays = {
            "vertices": poly.vertices,
            "vertex_start": poly.vertex_start.astype(np.int32),
            "face_vertices": poly.face_vertices.astype(np.int32),
            "face_start": poly.face_start.astype(np.int32),
            "block_face_start": poly.block_face_start.astype(np.int32),
            "support": np.array([block.support for block in self.blocks], np.uint8),
            "density": np.array([block.density for block in self.blocks], np.float64),
            "names": list(self._names),
        }
        arrays.update(law_table.to_wire(self))
        if any(block.is_round for block in self.blocks):
            arrays["radius"] = np.array([block.radius or 0.0 for block in self.blocks])
            arrays["disc_depth"] = np.array([block.depth or 0.0 for block in self.blocks])
        if self.planar is not None:
            arrays["planar"] = np.array(self.planar)
        return arrays

    @property
    def __data__(self):
        data = {
            "blocks": [block.__data__ for block in self.blocks],
            "name": self._name,
            "case": self.case.__data__ if self.case is not None else None,
            "expected": self.expected,
            "note": self.note,
            "planarity": self._planarity,
        }
        if self.planar is not None:
            data["planar"] = list(self.planar)
        return dict(data, **law_table.to_data(self))

    @classmethod
    def __from_data__(cls, data):
        return cls(
            [Block(**block) for block in data["blocks"]],
            name=data["name"],
            case=LoadCase.__from_data__(data["case"]) if data["case"] is not None else None,
            expected=data["expected"],
            note=data["note"],
            planarity=data["planarity"],
            planar=data.get("planar"),
            **law_table.from_data(data),
        )

    def __eq__(self, other):
        return type(other) is type(self) and other.__data__ == self.__data__

    __hash__ = None

    def __len__(self):
        return len(self.blocks)

    def __repr__(self):
        return "<Structure {}: {} blocks, {} supports>".format(self.name, len(self.blocks), len(self.supports))
