"""Settings of a request.

The bounds below are those of the engine; `compas_nscd.model.settings` refuses the same values before they are sent, and
tests/nscd_engine/gate/test_client_bounds.py compares the two.
"""

from __future__ import annotations

from typing import Callable, Dict

from compas_nscd.errors import SettingsError
from nscd_engine.core.settings import Settings
from nscd_engine.gate.fields import choice, falling, flag, integer, number, optional, part

#: Gaps in metres, and as a share of the smaller block, which half its thickness bounds in any case.
_METRES, _SHARE = number(0.0, 1000.0), number(0.0, 0.5)

_CHECKS: Dict[str, Callable] = {
    "solver": choice("newton", "admm", "nlgs", "spg"),
    "friction": choice("associated", "coulomb"),
    "torsion": choice("auto", "section", "corners"),
    # The verdict compares the last two; a regularisation of 1 is as soft as the contact itself.
    "eps": falling,
    # Larger: the speed of an unbalanced block hides the verdict.
    "tolerance": number(0.0, 1e-3),
    "max_iterations": optional(integer(1, 10**7)),
    "seed": optional(integer(0, 2**63 - 1)),
    "threads": integer(0, 1024),
    "repeat": integer(1, 10**4),
    "warm_start": flag,
    # Larger: opposite faces of flat blocks touch each other's neighbours.
    "gap_tolerance": number(0.0, 0.05),
    "gap": optional(lambda key, value: _gap(key, value)),
    # From 45 degrees on a face may be parallel to two faces that are normal to each other.
    "angle_tolerance": number(0.0, 44.0),
    "unsupported": flag,
    "time_step": number(0.0, 1.0),
}


def read_settings(request: dict) -> Settings:
    """The checked settings of a request; missing ones have their defaults."""
    given = part(request, "settings") if "settings" in request else {}
    unknown = sorted(set(map(str, given)) - set(Settings._fields))
    if unknown:
        raise SettingsError(
            "Unknown setting {}.".format(", ".join(map(repr, unknown))),
            remedy="The settings are {}.".format(", ".join(Settings._fields)),
        )
    return Settings(**{key: _CHECKS[key](key, value) for key, value in given.items()})


def _gap(key, value):
    """A gap {"metres": g} of a number, or {"share": s of the smaller block} of a text such as "2%"."""
    if not isinstance(value, str):
        return {"metres": _METRES(key, value)}
    try:
        share = float(value[:-1]) / 100.0 if value.endswith("%") else None
    except ValueError:
        share = None
    return {"share": _SHARE(key, share)}
