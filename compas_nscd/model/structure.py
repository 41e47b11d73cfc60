"""A structure: blocks, the laws of their joints, and the arrays of a request; `inspection` checks it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from compas.data import Data

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.elastic import Elastic
from compas_nscd.blocks.interface_law import InterfaceLaw
from compas_nscd.blocks.naming import BlockNames
from compas_nscd.errors import FileError, GeometryError, InputError, MaterialError, NscdError, SupportError
from compas_nscd.geometry.checks import PLANARITY
from compas_nscd.geometry.findings import CheckReport, Finding
from compas_nscd.geometry.polyhedra import Polyhedra, bounding_diagonals, flatten, polyhedron
from compas_nscd.geometry.vectors import direction
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.inspection import Inspection
from compas_nscd.model.law_table import LawTable
from compas_nscd.model.law_table import from_data as laws_of_data


class Structure(Data):
    """Blocks and the laws of their joints.

    Parameters
    ----------
    blocks : list of Block
        At least one is free, and at least one a support (unless the setting `unsupported` is True).
    law : ContactLaw
        Of all joints without a more specific law.
    name : str, optional
    pair_laws : dict, optional
        ``{(block, block): ContactLaw}``; blocks by index, name or guid.
    case : LoadCase, optional
        Loads that came with the structure, for example from a file.
    expected : str, optional
        Known verdict: "stable" or "collapse".
    note : str, optional
    planarity : float, optional
        Greatest distance of a vertex from the plane of its face [diagonal of the block].
    planar : {"x", "y", "z"} or (3,) array-like, optional
        Axis of a planar structure: blocks neither move along it nor rotate about other axes.
    material_laws : dict, optional
        ``{(material, material): ContactLaw}`` of blocks by their `Block.material`; `pair_laws` take precedence.
    interface_laws : list, optional
        ``((block, block), point, ContactLaw)``: law of the interface of two blocks that contains the point [m]; takes
        precedence over all others.

    Notes
    -----
    Blocks of the same name are numbered in `names`, with a warning; `Block.name` does not change.
    """

    def __init__(
        self,
        blocks: Iterable[Block],
        law: ContactLaw,
        name: str | None = None,
        pair_laws: Mapping[Any, ContactLaw] | None = None,
        case: LoadCase | None = None,
        expected: str | None = None,
        note: str | None = None,
        planarity: float = PLANARITY,
        planar: Any = None,
        material_laws: Mapping[Any, ContactLaw] | None = None,
        interface_laws: Iterable[Any] = (),
    ) -> None:
        super().__init__(name=name)
        self.blocks = tuple(blocks)
        if not all(isinstance(block, Block) for block in self.blocks):
            raise InputError("A structure is made of Block objects.", remedy="Use Structure.from_meshes for meshes.")
        self._naming = BlockNames(self.blocks)
        self._laws = LawTable(self.blocks, self._naming, law, pair_laws, material_laws, interface_laws)
        self.case = case
        self.expected = expected
        self.note = note
        self._planarity = float(planarity)
        self.planar = None if planar is None else direction(planar, "The axis of a planar structure")
        self._inspection = Inspection()
        #: Objects of the file that are not blocks: name, layer, reason.
        self.left_out: list[Any] = []
        self._doubts: list[Finding] = []  # about the file

    # -- laws ------------------------------------------------------------------------------------------------------

    @property
    def laws(self) -> LawTable:
        """Laws of all joints."""
        return self._laws

    @property
    def law(self) -> ContactLaw:
        """Law of all joints without a more specific one."""
        return self._laws.law

    @law.setter
    def law(self, law: ContactLaw) -> None:
        self._laws.law = law

    @property
    def pair_laws(self) -> dict[tuple[int, int], ContactLaw]:
        """Laws of the joints of two blocks, by their indices, ascending; may be changed."""
        return self._laws.pairs

    @property
    def material_laws(self) -> dict[tuple[str, ...], ContactLaw]:
        """Laws of the joints of two materials, by their names, ascending; may be changed."""
        return self._laws.materials

    @property
    def interface_laws(self) -> list[InterfaceLaw]:
        """Laws of single interfaces."""
        return self._laws.interfaces

    def law_between(self, i: int, j: int) -> ContactLaw:
        """Law of the joints of two blocks, by their indices, without `interface_laws`."""
        return self._laws.between(i, j)

    def set_law(self, blocks: Sequence[Any], law: ContactLaw, point: Any = None) -> None:
        """Set the law of the joints of two blocks, or of one of their interfaces.

        Parameters
        ----------
        blocks : (block, block)
            By index, name or guid.
        law : ContactLaw
        point : (3,) array-like, optional
            On the interface [m].
        """
        self._laws.put(blocks, law, point)

    # -- deformable blocks -----------------------------------------------------------------------------------------

    def deform(self, elastic: Elastic | Mapping[str, Any] | None, blocks: Iterable[Any] | None = None) -> None:
        """Make blocks deformable, or rigid again.

        Parameters
        ----------
        elastic : Elastic or None
            None: rigid. Supports are rigid in any case.
        blocks : list, optional
            By index, name or guid. Default: all.
        """
        chosen = range(len(self.blocks)) if blocks is None else self.indices(blocks)
        elastic = Elastic.of(elastic, "the structure")
        for i in chosen:
            self.blocks[i].elastic = elastic

    # -- construction ----------------------------------------------------------------------------------------------

    @classmethod
    def from_meshes(
        cls,
        meshes: Iterable[Any],
        supports: Any,
        density: float | Sequence[float],
        law: ContactLaw,
        names: Sequence[str] | None = None,
        guids: Sequence[Any] | None = None,
        name: str | None = None,
        planarity: float = PLANARITY,
    ) -> Structure:
        """Make a structure of COMPAS meshes, and validate it.

        Parameters
        ----------
        meshes : list of compas.datastructures.Mesh
        supports : list of int or str, list of bool, or str
            Supports by index, name or guid; or one bool per mesh; or a rule: "lowest", "z<0.05" [m], "name:REGEX".
        density : float or list of float
            [kg/m3]
        law : ContactLaw
        names, guids : list of str, optional
            Default: the names of the meshes, if they have any.
        """
        from compas_nscd.files.meshes import mesh_blocks

        blocks = mesh_blocks(meshes, supports, density, names, guids)
        structure = cls(blocks, law, name=name, planarity=planarity)
        structure.validate()
        return structure

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        supports: Any = None,
        density: float | Sequence[float] | None = None,
        law: ContactLaw | None = None,
        units: str | None = None,
        strict: bool = True,
        planarity: float | None = None,
        **more: Any,
    ) -> Structure:
        """Read a scene or COMPAS data (.json), a Rhino file (.3dm), meshes (.obj, .ply, .stl, a folder) or a .dxf file.

        Parameters
        ----------
        path : str or Path
        supports : optional
            As in `from_meshes`, or a rule: "lowest", "z<0.05" [m], "layer:NAME", "name:REGEX".
        density, law : optional
            As in `from_meshes`. Needed where the file does not say them, like `supports`; an error names all that is
            missing. Refused for scenes and structures, which say them.
        units : {"m", "cm", "mm", "ft", "in"}, optional
            Of a file that does not say its unit; default metres.
        strict : bool, optional
            Validate. If False, defects are only listed in `report`, and nothing is needed: joints of a file without a
            law have no friction.
        planarity : float, optional
            Default: that of the structure in the file if it contains one, else as for any structure.
        **more
            layers : names of the layers that are read, as a list or separated by commas; default: the visible ones.
            up : "x", "y", "z", "-y", ... or a vector: against gravity.
            gravity : (3,) [m/s2], instead of `up`.

        Notes
        -----
        Objects of the file that are not blocks are in `left_out`.
        """
        from compas_nscd.files.given import Given
        from compas_nscd.files.read import read

        unknown = sorted(set(more) - {"layers", "up", "gravity"})
        if unknown:
            raise TypeError("from_file() has no argument {}.".format(", ".join(map(repr, unknown))))
        found = read(Path(path), Given(supports, density, law, units, strict=strict, **more))
        left_out, doubts = found.pop("left_out", []), found.pop("findings", [])
        structure = cls._of_file(found["data"], Path(path).name) if "data" in found else cls(**found)
        structure.left_out, structure._doubts = left_out, doubts
        if planarity is not None:
            structure.planarity = planarity
        if strict:
            structure.validate()
        return structure

    @classmethod
    def _of_file(cls, data: dict[str, Any], filename: str) -> Structure:
        """Structure of the data in a file of COMPAS."""
        try:
            return cls.__from_data__(data)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise FileError("{}: the COMPAS data cannot be read: {!r:.120}.".format(filename, error))

    @classmethod
    def from_blockmodel(cls, model: Any, law: ContactLaw, density: float | None = None) -> Structure:
        """Make a structure of a `compas_dem.models.BlockModel`, and validate it.

        Parameters
        ----------
        model : BlockModel
        law : ContactLaw
        density : float, optional
            Of blocks without a material [kg/m3]; without it such blocks are refused.
        """
        from compas_nscd.files.compas.blockmodel import from_blockmodel

        structure = cls(law=law, **from_blockmodel(model, density))
        structure.validate()
        return structure

    def to_scene(self, path: str | Path | None = None) -> dict[str, Any]:
        """Write the structure as a scene, the interchange format of this project, with repaired geometry in metres.

        Parameters
        ----------
        path : str or Path, optional
            Also write it to this file.

        Returns
        -------
        dict

        Warns
        -----
        LeftOutWarning
            If the load case has loads that a scene has no key for: motions of supports and of the ground, body
            accelerations, initial velocities, a gravity ramp. Results (`save`) and COMPAS JSON contain them.
        """
        from compas_nscd.files.scene_file import write_scene

        return write_scene(self, path)

    # -- names -----------------------------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """One name per block, no two the same."""
        return self._naming.names

    @property
    def supports(self) -> list[int]:
        """Indices of the supports."""
        return [i for i, block in enumerate(self.blocks) if block.support]

    def index(self, block: Any) -> int:
        """Index of a block given by index, name or guid.

        Raises
        ------
        InputError
            If there is no such block, or several.
        """
        return self.indices([block])[0]

    def indices(self, blocks: Iterable[Any], error: type[NscdError] = InputError) -> list[int]:
        """Indices of blocks given by index, name or guid; raises `error` naming those that do not exist."""
        return self._naming.indices(blocks, error)

    # -- checks ----------------------------------------------------------------------------------------------------

    @property
    def planarity(self) -> float:
        """Greatest distance of a vertex from the plane of its face [diagonal of the block]."""
        return self._planarity

    @planarity.setter
    def planarity(self, value: float) -> None:
        self._planarity = float(value)
        self._inspection.forget()

    @property
    def report(self) -> CheckReport:
        """Defects and repairs."""
        return self._inspection.geometry(self).extended(
            self._doubts + self._naming.findings() + self._inspection.findings(self)
        )

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """Repairs and doubtful geometry: list of ``{"code", "message", "blocks"}``."""
        return [finding.to_data(self.names) for finding in self.report.of("warning")]

    def bad_blocks(self) -> list[str]:
        """Names of the blocks that cannot be analysed."""
        return [self.names[i] for i in self.report.bad_blocks()]

    def sound_part(self) -> Structure:
        """The structure without its bad blocks, to check the joints of the others; itself if all are sound.

        Joints do not depend on densities: blocks without one get 1 kg/m3.
        """
        errors = self.report.of("error")
        bad = {i for finding in errors if finding.code != "density" for i in finding.blocks}
        light = {i for finding in errors if finding.code == "density" for i in finding.blocks}
        if not bad and not light:
            return self
        kept = [i for i in range(len(self.blocks)) if i not in bad]
        blocks = [self.blocks[i].with_density(1.0) if i in light else self.blocks[i] for i in kept]
        part = Structure(blocks, self.law, self.name, **self.options_of(kept))
        part._naming = self._naming.kept(kept)
        return part

    def options_of(self, kept: Sequence[int]) -> dict[str, Any]:
        """Constructor arguments, laws and options, of a structure made of some of the blocks; without `law`."""
        return dict(self._laws.arguments(kept), planarity=self._planarity, planar=self.planar)

    def validate(self, unsupported: bool = False) -> None:
        """Raise an error if the structure cannot be analysed.

        Parameters
        ----------
        unsupported : bool, optional
            Accept a structure without supports.

        Raises
        ------
        GeometryError, MaterialError, SupportError
            Naming every bad block in `blocks`, and the first few in the message.
        """
        errors = self.report.of("error")
        errors = [f for f in errors if not (unsupported and f.code == "no-support")]
        kinds: dict[str, type[NscdError]] = dict.fromkeys(("density", "friction"), MaterialError)
        kinds.update(dict.fromkeys(("supports", "no-support"), SupportError))
        for kind in (GeometryError, MaterialError, SupportError):
            mine = [f for f in errors if kinds.get(f.code, GeometryError) is kind]
            if mine:
                blocks = sorted({i for f in mine for i in f.blocks})
                raise kind(
                    " ".join(f.message(self.names) for f in mine),
                    remedy=" ".join(sorted({f.remedy for f in mine})),
                    blocks=[self.names[i] for i in blocks],
                    codes=[f.code for f in mine],
                )

    @property
    def polyhedra(self) -> Polyhedra:
        """The repaired blocks in flat arrays, faces outward; raises an error if the geometry is not valid.

        A sphere or disc is one vertex, its centre, without faces.
        """
        geometry = self._inspection.geometry(self)
        if geometry.polyhedra is None or not geometry.ok:
            self.validate(unsupported=True)
        assert geometry.polyhedra is not None  # validate raises an error otherwise
        return geometry.polyhedra

    @property
    def surfaces(self) -> Polyhedra:
        """`polyhedra` for drawing, with spheres and discs approximated by polyhedra."""
        poly = self.polyhedra
        if not any(block.is_round for block in self.blocks):
            return poly
        shapes = [block.surface() if block.is_round else polyhedron(poly, i) for i, block in enumerate(self.blocks)]
        return flatten([vertices for vertices, _ in shapes], [faces for _, faces in shapes])

    @property
    def block_size(self) -> float:
        """Median diagonal of the blocks [m]."""
        return float(np.median(bounding_diagonals(self.surfaces)))

    # -- data ------------------------------------------------------------------------------------------------------

    def to_wire(self, unsupported: bool = False) -> dict[str, Any]:
        """The structure in a request; validates first.

        Parameters
        ----------
        unsupported : bool, optional
            Accept a structure without supports.
        """
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
            "names": list(self.names),
            **self._laws.to_wire(),
        }
        if any(block.is_round for block in self.blocks):
            arrays["radius"] = np.array([block.radius or 0.0 for block in self.blocks])
            arrays["disc_depth"] = np.array([block.depth or 0.0 for block in self.blocks])
        if self.planar is not None:
            arrays["planar"] = np.array(self.planar)
        if any(block.elastic is not None for block in self.blocks):
            arrays["elastics"], arrays["elastic_of"] = _elastic_table(self.blocks)
        return arrays

    @property
    def __data__(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "blocks": [block.__data__ for block in self.blocks],
            "name": self._name,
            "case": self.case.__data__ if self.case is not None else None,
            "expected": self.expected,
            "note": self.note,
            "planarity": self._planarity,
        }
        if self.planar is not None:
            data["planar"] = list(self.planar)
        return dict(data, **self._laws.to_data())

    @classmethod
    def __from_data__(cls, data: dict[str, Any]) -> Structure:
        return cls(
            [Block(**block) for block in data["blocks"]],
            name=data["name"],
            case=LoadCase.__from_data__(data["case"]) if data["case"] is not None else None,
            expected=data["expected"],
            note=data["note"],
            planarity=data["planarity"],
            planar=data.get("planar"),
            **laws_of_data(data),
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__data__ == self.__data__

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.blocks)

    def __repr__(self) -> str:
        return "<Structure {}: {} blocks, {} supports>".format(self.name, len(self.blocks), len(self.supports))


def _elastic_table(blocks: Sequence[Block]) -> tuple[list[dict[str, Any]], np.ndarray]:
    """The elasticities that occur, each once, and the row of each block (B,) int32, -1 for rigid ones."""
    rows: dict[str, int] = {}
    table: list[dict[str, Any]] = []
    row = np.full(len(blocks), -1, np.int32)
    for i, block in enumerate(blocks):
        if block.elastic is not None:
            data = block.elastic.__data__
            row[i] = rows.setdefault(repr(data), len(rows))
            if len(table) < len(rows):
                table.append(data)
    return table, row
