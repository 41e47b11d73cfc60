"""The commands of `nscd`, one module each."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(__name__, {"main": "entry"})
