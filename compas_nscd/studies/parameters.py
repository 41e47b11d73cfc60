"""What a study can vary, and how a sample becomes a structure with its loads.

| name | what it is |
|---|---|
| a parameter of the template | as in `nscd make` |
| `friction` | of all joints [-] |
| `density` | of all blocks [kg/m3] |
| `young`, `poisson` | Young's modulus [Pa] and Poisson's ratio [-] of all deformable blocks |
| `elastic.KEY` | of the elasticity of the blocks, e.g. `elastic.elements`, `elastic.tension` [Pa] |
| `law.KEY` | of the contact law of the structure, e.g. `law.cohesion` [Pa] |
| `load`, `load.K` | factor of all point loads, or of the K-th [-] |
| `scale` | factor of all lengths [-] |
| `noise`, `noise_seed` | standard deviation of the joints [m], and its seed |
| `settlement.NAME` | of a support along gravity [m], in a motion |
| `cable.KEY` | prestress, strength or stiffness of all cables [N] |
| `option.KEY` | of the analysis, e.g. `option.restitution` |
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from typing import Any, Callable

import numpy as np

from compas_nscd import templates
from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.elastic import Elastic
from compas_nscd.errors import InputError
from compas_nscd.loads.cable import Cable
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.model.structure import Structure
from compas_nscd.studies.imperfections import imperfect

#: Parameters of the geometry and of the blocks, whatever makes the structure.
OF_BLOCKS = ("density", "scale", "noise", "noise_seed", "young", "poisson")
#: Families of parameters with a name after the dot.
FAMILIES = ("law", "load", "settlement", "cable", "option", "elastic")
#: Keys of cables that can vary.
CABLE_KEYS = ("prestress", "strength", "stiffness")
#: Time in which a settlement takes place unless the study says otherwise [s].
SETTLING_S = 1.0


class Source:
    """Where the structures of a study come from: a template, a function, or one structure.

    Parameters
    ----------
    made : Structure, str or callable
        A structure, the name of a template, or a function that returns a structure.
    parameters : dict, optional
        Of the template or function, those that do not vary.
    """

    def __init__(self, made: Any, parameters: Mapping[str, Any] | None = None) -> None:
        self.made, self.parameters = made, dict(parameters or {})
        if isinstance(made, str):
            self.build: Callable[..., Structure] | None = template(made)
        elif isinstance(made, Structure):
            self.build = None
        elif callable(made):
            self.build = made
        else:
            raise InputError("A study needs a Structure or a template, not {!r:.60}.".format(made))
        if self.build is None and self.parameters:
            raise InputError("A structure has no parameters.", remedy="Vary friction, density, law.KEY, load, ...")
        for name in self.parameters:
            if name not in self.own:
                raise self._unknown(name)

    @property
    def own(self) -> list[str]:
        """Names of the parameters of the template."""
        return [] if self.build is None else list(inspect.signature(self.build).parameters)

    def check(self, name: str) -> None:
        """Raise an InputError if nothing has this name."""
        family, dot, key = name.partition(".")
        known = name in self.own or name in OF_BLOCKS or name in ("friction", "load")
        if not known and not (dot and key and family in FAMILIES):
            raise self._unknown(name)
        if family == "law" and key not in ContactLaw.KEYS:
            raise InputError("A contact law has no {!r:.40}.".format(key), remedy="Keys: " + ", ".join(ContactLaw.KEYS))
        if family == "elastic" and key not in Elastic.KEYS:
            raise InputError("An elasticity has no {!r:.40}.".format(key), remedy="Keys: " + ", ".join(Elastic.KEYS))
        if family == "cable" and key not in CABLE_KEYS:
            raise InputError("A cable has no {!r:.40} to vary.".format(key), remedy="Keys: " + ", ".join(CABLE_KEYS))

    def _unknown(self, name: str) -> InputError:
        known = [*self.own, "friction", "load", *OF_BLOCKS, *("{}.KEY".format(family) for family in FAMILIES)]
        return InputError(
            "There is no parameter {!r:.40}.".format(name),
            remedy="Parameters: {}.".format(", ".join(dict.fromkeys(known))),
            parameter=name,
        )

    def structure(self, values: Mapping[str, Any]) -> Structure:
        """Structure of a sample: geometry, densities and laws."""
        if self.build is None:
            structure = self.made
        else:
            structure = self.build(**dict(self.parameters, **{k: v for k, v in values.items() if k in self.own}))
        return _with_laws(_with_blocks(structure, values, self.own), values, self.own)


def template(name: str) -> Callable[..., Structure]:
    """Template of a name; an InputError if there is none."""
    if name not in templates.__all__:
        remedy = "Templates: {}.".format(", ".join(templates.__all__))
        raise InputError("There is no template {!r:.40}.".format(name), remedy=remedy)
    return getattr(templates, name)


def _with_blocks(structure: Structure, values: Mapping[str, Any], own: list[str]) -> Structure:
    """The structure with other densities, lengths or imperfections; itself if none is given."""
    factor, density = values.get("scale"), values.get("density") if "density" not in own else None
    blocks = structure.blocks
    if factor is not None:
        blocks = tuple(block.scaled(_number("scale", factor, above=0.0)) for block in blocks)
    if density is not None:
        blocks = tuple(block.with_density(_number("density", density, above=0.0)) for block in blocks)
    blocks = _deforming(blocks, values)
    if blocks is not structure.blocks:
        options = structure.options_of(range(len(blocks)))
        structure = Structure(blocks, structure.law, structure.name, case=structure.case, **options)
    noise = _number("noise", values.get("noise", 0.0), least=0.0)
    return imperfect(structure, noise, int(values.get("noise_seed", 0))) if noise else structure


def _deforming(blocks: tuple[Block, ...], values: Mapping[str, Any]) -> tuple[Block, ...]:
    """Copies with other elasticities of deformable blocks, of all if all are rigid; the blocks if none is given."""
    given = {key: values[key] for key in ("young", "poisson") if key in values}
    given.update((name.partition(".")[2], value) for name, value in values.items() if name.startswith("elastic."))
    if not given:
        return blocks
    rigid = all(block.elastic is None for block in blocks)
    copies = tuple(block.scaled(1.0) for block in blocks)
    for block in copies:
        if rigid or block.elastic is not None:
            block.elastic = Elastic.of(dict(block.elastic.__data__ if block.elastic else {}, **given), "the study")
    return copies


def _with_laws(structure: Structure, values: Mapping[str, Any], own: list[str]) -> Structure:
    """The structure with other laws; a copy with the same checked blocks if it belongs to the study."""
    changed = {name.partition(".")[2]: value for name, value in values.items() if name.startswith("law.")}
    if "friction" in values and "friction" not in own:
        changed["friction"] = values["friction"]
    if changed:
        structure.law = ContactLaw(**dict(structure.law.__data__, **changed))
        if "friction" in changed:
            specific: tuple[dict[Any, ContactLaw], ...] = (structure.pair_laws, structure.material_laws)
            for laws in specific:
                for pair, law in laws.items():
                    laws[pair] = ContactLaw(**dict(law.__data__, friction=changed["friction"]))
    return structure


def load_case(structure: Structure, case: LoadCase | None, values: Mapping[str, Any]) -> LoadCase:
    """Loads of a sample: factors, settlements and cables applied to the case of the study or of the structure."""
    base = case or structure.case or LoadCase()
    if not any(name == "load" or name.partition(".")[0] in ("load", "settlement", "cable") for name in values):
        return LoadCase.__from_data__(base.__data__) if base.ground else base
    made = LoadCase.__from_data__(base.__data__)
    made.loads = [_loaded(load, k, values) for k, load in enumerate(base.loads)]
    made.support_motions = list(base.support_motions) + _settlements(base, values)
    made.cables = [_tied(cable, values) for cable in base.cables]
    _check_loads(made, values)
    return made


def _loaded(load: PointLoad, k: int, values: Mapping[str, Any]) -> PointLoad:
    factor = 1.0
    for name in ("load", "load.{}".format(k)):
        factor *= _number(name, values.get(name, 1.0))
    data = load.__data__
    return PointLoad(**dict(data, force=[factor * c for c in data["force"]]))


def _settlements(case: LoadCase, values: Mapping[str, Any]) -> list[SupportMotion]:
    down = np.array(case.gravity) / (np.linalg.norm(case.gravity) or 1.0)
    found = []
    for name, value in values.items():
        family, _, block = name.partition(".")
        if family == "settlement":
            key: Any = int(block) if block.isdigit() else block
            found.append(SupportMotion(key, (_number(name, value) * down).tolist(), SETTLING_S))
    return found


def _tied(cable: Cable, values: Mapping[str, Any]) -> Cable:
    changed = {key: values["cable." + key] for key in CABLE_KEYS if "cable." + key in values}
    return Cable(**dict(cable.__data__, **changed))


def _check_loads(case: LoadCase, values: Mapping[str, Any]) -> None:
    """An InputError for a factor of a load, or a number of cables, that there are none of."""
    for name in values:
        family, _, key = name.partition(".")
        if family == "load" and (not case.loads or (key and not (key.isdigit() and int(key) < len(case.loads)))):
            raise InputError("There is no point load for {}.".format(name), remedy="Give the structure loads.")
        if family == "cable" and not case.cables:
            raise InputError("There are no cables for {}.".format(name), remedy="Give the load case cables.")


def _number(name: str, value: Any, above: float = -math.inf, least: float = -math.inf) -> float:
    try:
        number = math.nan if isinstance(value, (bool, str)) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isfinite(number) and number > above and number >= least):
        raise InputError("The parameter {} cannot be {!r:.40}.".format(name, value), parameter=name)
    return number
