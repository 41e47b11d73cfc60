"""Names that a package offers and loads when they are first used.

The engine imports `compas_nscd.wire` and must not wait for COMPAS, and importing one module of a folder must not load
the whole folder.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # `typing` would double the time in which compas_nscd is imported
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Tuple


def exports(package: str, homes: Dict[str, str]) -> Tuple[Callable[[str], Any], Callable[[], List[str]], List[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : dict
        Exported name -> module below the package that defines it.
    """
    names = sorted(homes)

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError("module {!r} has no attribute {!r}".format(package, name))
        value = getattr(import_module("{}.{}".format(package, homes[name])), name)
        vars(import_module(package))[name] = value  # found at once from now on
        return value

    def listed() -> List[str]:
        return sorted(set(vars(import_module(package))) | set(names))

    return load, listed, names
