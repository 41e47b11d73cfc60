"""Modules by the names they had in version 0.1.0.

COMPAS writes the first two levels of a module's name into its files (``compas_nscd.structure/Structure``), and the
scripts of users import some of these modules. `install` makes each name an alias that looks its contents up in the
present modules when they are asked for.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

TYPE_CHECKING = False  # `typing` would double the time in which compas_nscd is imported
if TYPE_CHECKING:
    from typing import Any, Optional

#: Old name below compas_nscd -> present modules, in the order in which they are searched.
OLD_NAMES = {
    "block": ("blocks.block", "blocks.contact_law"),
    "blockmodel": ("results.blockmodel.compas_dem",),
    "cable": ("loads.cable",),
    "contact_law": ("blocks.contact_law",),
    "distribution": ("results.shear_distribution",),
    "dynamic_request": ("client.dynamic_request",),
    "dynamic_result": ("results.dynamic",),
    "force_range": ("results.force_range",),
    "funicular": ("results.funicular",),
    "gh_law": ("ghpython.components.laws",),
    "ground_motion": ("loads.records",),
    "history_plot": ("drawing.history_plot",),
    "interface": ("results.interface",),
    "interface_law": ("blocks.interface_law",),
    "joints": ("results.joint_table", "results.cracks"),
    "limit_parameter": ("client.limit_parameter",),
    "limit_request": ("client.limit_request",),
    "limit_result": ("results.limit",),
    "loadcase": ("loads", "loads.case"),
    "materials": ("blocks.materials",),
    "motion_forces": ("results.pair_forces",),
    "picture": ("drawing.picture",),
    "polar_plot": ("drawing.polar_plot",),
    "scene": ("drawing.scene_objects", "rhino.scene_objects"),
    "settings": ("model.settings",),
    "shaking": ("loads.ground_motion",),
    "stages": ("client.stages",),
    "strength": ("results.strength",),
    "stress": ("results.stress",),
    "structure": ("model.structure",),
    "templates.limits": ("templates.parts.limits",),
    "templates.shapes": ("templates.parts.shapes",),
    "threedm": ("drawing.threedm",),
    "thrust": ("results.thrust",),
}


class _Aliases:
    """Finder and loader of the old names; the base classes in `importlib.abc` would take 8 ms to import."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        root, _, name = fullname.partition(".")
        if root != "compas_nscd" or name not in OLD_NAMES:
            return None
        return ModuleSpec(fullname, self)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        return None  # the default one

    def exec_module(self, module: Any) -> None:
        homes = OLD_NAMES[module.__name__.partition(".")[2]]

        def look_up(name: str) -> Any:
            for home in homes:
                present = import_module("compas_nscd." + home)
                if hasattr(present, name):
                    return getattr(present, name)
            raise AttributeError("module {!r} has no attribute {!r}".format(module.__name__, name))

        module.__doc__ = "Alias of {}.".format(", ".join(homes))
        module.__getattr__ = look_up


def install() -> None:
    """Make the old names importable; they are searched after all that exists."""
    if not any(isinstance(finder, _Aliases) for finder in sys.meta_path):
        sys.meta_path.append(_Aliases())
