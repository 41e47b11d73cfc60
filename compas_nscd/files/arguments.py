"""Arguments of a structure, from the contents of a file and what the caller gives: layers, unit, supports, law."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.naming import BlockNames
from compas_nscd.errors import FileError, MaterialError, NscdError, SupportError
from compas_nscd.files.contents import Contents, LeftOut, Part
from compas_nscd.files.given import Given
from compas_nscd.files.limits import MAX_FACES, MAX_SOLIDS, require_count
from compas_nscd.files.own_friction import laws_of_pairs
from compas_nscd.files.support_rules import Ground, candidates, chosen, likely_up, on_layer
from compas_nscd.files.units import metres
from compas_nscd.geometry.findings import Finding
from compas_nscd.geometry.vectors import gravity_of
from compas_nscd.loads.case import LoadCase

#: Difference of coordinates, over the size of a block, within which two blocks are in the same place [-]. Larger: a
#: block and its displaced copy count as one. Smaller: copies that were saved with few digits stay double.
SAME_PLACE = 1e-6
#: Friction of the joints where it is not needed and the file does not say it [-].
UNKNOWN_FRICTION = 0.0
#: Reasons for which objects are left out without a warning: nobody would take them for blocks.
UNREMARKABLE = ("not a solid", "hidden", "on another layer")


def structure_arguments(contents: Contents, given: Given, path: Path) -> dict[str, Any]:
    """Keyword arguments of `Structure`, with `left_out` (list of LeftOut) in addition.

    Raises
    ------
    FileError
        If there are no solids on the chosen layers, or too many.
    InputError
        Naming everything that the file does not say and the caller has not given.
    """
    parts, left_out = _selected(contents, given.layers, path.name)
    require_count(len(parts), MAX_SOLIDS, "solids", path.name)
    require_count(sum(len(part.faces) for part in parts), MAX_FACES, "faces", path.name)
    parts, double = _without_doubles(parts)
    blocks = _blocks(parts, given.density, _factor(contents, given))
    case = case_with_gravity(contents.case, given)
    ground = Ground(blocks, BlockNames(blocks), [part.layers for part in parts], _down(case))
    law = _law(contents, parts, given)
    _require(_missing(parts, blocks, law, given), ground, given, path.name)
    if given.supports is not None:
        held = set(chosen(given.supports, ground))
        if given.strict:
            _require_free(held, ground)
        for i, block in enumerate(blocks):
            block.support = i in held
    law = law or ContactLaw(UNKNOWN_FRICTION)
    own = np.array([law.friction if part.friction is None else part.friction for part in parts])
    return {
        "blocks": blocks,
        "law": law,
        "name": path.stem,
        "note": contents.note,
        "pair_laws": laws_of_pairs(blocks, own, law.friction),
        "case": case,
        "planar": contents.planar,
        "left_out": [*left_out, *double],
        "findings": _findings(contents, given, [*left_out, *double], ground),
    }


def _findings(contents: Contents, given: Given, left_out: Sequence[LeftOut], ground: Ground) -> list[Finding]:
    """What is doubtful about the file: objects that are no blocks though they might have been, unit, upward axis."""
    out = []
    told = [each for each in left_out if not each.reason.endswith(UNREMARKABLE)]
    if told:
        names = "; ".join("{} ({}{})".format(x.name, x.layer + ": " if x.layer else "", x.reason) for x in told[:5])
        more = " and {} more".format(len(told) - 5) if len(told) > 5 else ""
        out.append(Finding("left_out", "warning", "Left out: {}{}".format(names, more), (), ""))
    if contents.metres is not None and given.units is not None and metres(given.units) != contents.metres:
        text = "The file says that its unit is {:g} m; it is read in {} as given".format(contents.metres, given.units)
        out.append(Finding("units", "warning", text, (), ""))
    if contents.meshed:
        names = ", ".join(contents.meshed[:5])
        text = "{} objects have curved faces, which were meshed: {}".format(len(contents.meshed), names)
        out.append(Finding("meshed", "warning", text, (), ""))
    axis = None if given.up or given.gravity or contents.case else likely_up(ground)
    if axis is not None:
        text = (
            'All blocks lie on the ground with z up, and only some with {0} up; if {0} is up, give up="{0}" (--up {0})'
        )
        out.append(Finding("up", "warning", text.format(axis), (), ""))
    return out


def _selected(contents: Contents, layers: Any, filename: str) -> tuple[list[Part], list[LeftOut]]:
    """Parts on the chosen layers, or the visible ones; and what is left out."""
    if layers is None:
        kept = [part for part in contents.parts if not part.hidden]
    else:
        wanted = layers.split(",") if isinstance(layers, str) else list(layers)
        kept = [part for part in contents.parts if _is_on(part, wanted)]
    if not kept:
        raise _nothing(contents, layers, filename)
    chosen_parts = set(map(id, kept))
    others = [part for part in contents.parts if id(part) not in chosen_parts]
    return kept, [*contents.left_out, *(_unchosen(part) for part in others)]


def _is_on(part: Part, wanted: Sequence[str]) -> bool:
    return any(on_layer(path, str(layer).strip()) for path in part.layers for layer in wanted)


def _unchosen(part: Part) -> LeftOut:
    reason = "hidden" if part.hidden else "on another layer"
    return LeftOut(str(part.name or part.guid or ""), part.layers[0] if part.layers else "", reason)


def _nothing(contents: Contents, layers: Any, filename: str) -> FileError:
    """Error of a file without solids: where there are some, or why the objects are none."""
    tally = Counter(part.layers[0] for part in contents.parts if part.layers)
    if tally:
        where = ", ".join("{} on {} {}".format(n, _kind(contents, layer), layer) for layer, n in tally.most_common(8))
        some = "no visible solids" if layers is None else "no solids on layers {!s:.80}".format(layers)
        name = tally.most_common(1)[0][0]
        remedy = 'Give layers="{}" (--layers "{}").'.format(name, name)
        text = "{} has {}; there are solids {}.".format(filename, some, where)
        return FileError(text, remedy=remedy, layers=list(tally))
    reasons = Counter(each.reason for each in contents.left_out)
    why = "; ".join("{} {}".format(n, reason) for reason, n in reasons.most_common(5))
    text = "{} has no solids{}.".format(filename, ": " + why if why else "")
    return FileError(text, remedy="Model each block as a closed solid.")


def _kind(contents: Contents, layer: str) -> str:
    hidden = all(part.hidden for part in contents.parts if part.layers and part.layers[0] == layer)
    return "hidden layer" if hidden else "layer"


def _without_doubles(parts: Sequence[Part]) -> tuple[list[Part], list[LeftOut]]:
    """Parts without those that are in the same place as an earlier one, and the latter."""
    seen: dict[Any, Part] = {}
    kept: list[Part] = []
    double: list[LeftOut] = []
    for part in parts:
        key = _place(part.vertices)
        if key is not None and key in seen:
            first = seen[key]
            reason = "in the same place as {}".format(first.name or first.guid or kept.index(first))
            name, layer = str(part.name or part.guid or ""), part.layers[0] if part.layers else ""
            double.append(LeftOut(name, layer, reason))
            continue
        if key is not None:
            seen[key] = part
        kept.append(part)
    return kept, double


def _place(vertices: Any) -> Any:
    """Corners of a solid, rounded and sorted, for comparison; None if they are not numbers."""
    try:
        xyz = np.array(vertices, float).reshape(-1, 3)
    except (TypeError, ValueError):
        return None
    if not len(xyz) or not np.isfinite(xyz).all():
        return None
    low, high = xyz.min(axis=0), xyz.max(axis=0)
    grid = SAME_PLACE * float(np.linalg.norm(high - low)) or 1.0
    return tuple(np.round(np.concatenate([low, high, xyz.mean(axis=0)]) / grid)), len(xyz)


def _factor(contents: Contents, given: Given) -> float:
    """Length of the unit of the file [m]; a given unit takes the place of that which the file says."""
    return metres(given.units or "m") if contents.metres is None or given.units is not None else contents.metres


def _blocks(parts: Sequence[Part], density: Any, factor: float) -> list[Block]:
    given = _per_block(density, len(parts), "densities")
    return [
        Block(
            part.vertices if factor == 1.0 else factor * np.array(part.vertices, float),
            part.faces,
            rho if part.density is None else part.density,
            part.name,
            bool(part.support),
            part.guid,
            material=part.material,
            elastic=part.elastic,
        )
        for part, rho in zip(parts, given)
    ]


def _require_free(held: set[int], ground: Ground) -> None:
    """Raise an error if every block is a support because another axis than z is up."""
    axis = likely_up(ground) if len(held) == len(ground.blocks) else None
    if axis is not None:
        text = "Every block is a support: with z up all of them lie on the ground, with {} up only some.".format(axis)
        raise SupportError(text, remedy='If {0} is up, give up="{0}" (--up {0}).'.format(axis))


def _per_block(value: Any, count: int, what: str) -> list[Any]:
    if value is None or np.ndim(value) == 0:
        return [value] * count
    if len(value) != count:
        raise MaterialError("There are {} {} for {} blocks.".format(len(value), what, count))
    return list(value)


def case_with_gravity(case: LoadCase | None, given: Given) -> LoadCase | None:
    """Load case of a file with the caller's gravity, or with that of the caller's upward axis."""
    gravity = gravity_of(given.up, given.gravity)
    if gravity is None:
        return case
    case = LoadCase() if case is None else case
    case.gravity = gravity
    return case


def _down(case: LoadCase | None) -> np.ndarray:
    gravity = np.array((case or LoadCase()).gravity, float)
    length = float(np.linalg.norm(gravity))
    return gravity / length if length > 0.0 else np.array([0.0, 0.0, -1.0])


def _law(contents: Contents, parts: Sequence[Part], given: Given) -> ContactLaw | None:
    """Law of the joints without one of their own: the given one, that of the file, or the most frequent friction."""
    own = [part.friction for part in parts if part.friction is not None]
    law = given.law or contents.law
    if law is None and own and len(own) == len(parts):
        law = ContactLaw(Counter(own).most_common(1)[0][0])
    return law


def _missing(parts: Sequence[Part], blocks: Sequence[Block], law: ContactLaw | None, given: Given) -> list[str]:
    """What neither the file nor the caller says."""
    missing = []
    if given.supports is None and not any(part.support for part in parts):
        missing.append("supports")
    if any(np.isnan(block.density) for block in blocks) and given.density is None:
        missing.append("density")
    if law is None:
        missing.append("law")
    return missing if given.strict else []


def _require(missing: list[str], ground: Ground, given: Given, filename: str) -> None:
    """Raise one error about everything that is missing."""
    if not missing:
        return
    words = {"supports": "which blocks are supports", "density": "the density of the blocks",
             "law": "the friction of the joints (law)"}  # fmt: skip
    kinds: dict[str, type[NscdError]] = {"supports": SupportError, "density": MaterialError, "law": MaterialError}
    text = "{} does not say {}.".format(filename, ", ".join(words[key] for key in missing))
    calls = {"supports": 'supports="lowest"', "density": "density=2400.0", "law": "law=ContactLaw(friction=0.6)"}
    call = "Structure.from_file(path, {})".format(", ".join(calls[key] for key in missing))
    lowest = candidates(ground) + " " if "supports" in missing else ""
    raise kinds[missing[0]](text, remedy="{}For example {}.".format(lowest, call), missing=missing)
