"""Settings of a request."""

from compas_nscd.errors import SettingsError
from nscd_engine.core.settings import Settings
from nscd_engine.gate.fields import choice, falling, flag, integer, number, optional, part

_SETTINGS = {
    "solver": choice("newton", "nlgs", "spg"),
    "friction": choice("associated", "coulomb"),
    "eps": falling,
    "tolerance": number(0.0, 1e-2),
    "max_iterations": optional(integer(1, 10**7)),
    "seed": optional(integer(0, 2**63 - 1)),
    "threads": integer(0, 1024),
    "repeat": integer(1, 10**4),
    "gap_tolerance": number(0.0, 0.1),
    "angle_tolerance": number(0.0, 45.0),
    "unsupported": flag,
    "time_step": number(0.0, 1.0),
}


def read_settings(request):
    """The checked settings of a request; what is not said keeps its default."""
    given = part(request, "settings") if "settings" in request else {}
    unknown = sorted(set(map(str, given)) - set(Settings._fields))
    if unknown:
        raise SettingsError(
            "Unknown setting {}.".format(", ".join(map(repr, unknown))),
            remedy="The settings are {}.".format(", ".join(Settings._fields)),
        )
    return Settings(**{key: _SETTINGS[key](key, value) for key, value in given.items()})
