"""Where numba keeps a compiled kernel: under the name of its module, whatever the path of the source.

numba's own place has a hash of that path in its name, and a stamp of the file. Neither is needed here: the folder of
all kernels is named by a hash of their sources (`kernel_cache`). Without them the folder can be made on one machine and
used on another, and numba neither reads the sources nor tries to write a file for every kernel that is imported.
"""

from __future__ import annotations

import os
from typing import Any, Optional

from numba import config
from numba.core import caching

#: Kernels of other packages, and of tests, stay where numba keeps them.
PACKAGE = "nscd_engine.kernels."


class Place(caching._CacheLocator):
    """Folder and names of the files of one kernel."""

    def __init__(self, function: Any) -> None:
        self._line = function.__code__.co_firstlineno
        self._folder = os.path.join(config.CACHE_DIR, *function.__module__.split(".")[2:-1])

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Optional[Place]:
        """Place of a kernel, or None if numba has to find one itself."""
        if not config.CACHE_DIR or not py_func.__module__.startswith(PACKAGE):
            return None
        try:
            place = cls(py_func)
            os.makedirs(place._folder, exist_ok=True)
        except OSError:
            return None
        return place

    def get_cache_path(self) -> str:
        """Folder."""
        return self._folder

    def get_source_stamp(self) -> str:
        """The same for all: another state of the sources has another folder."""
        return PACKAGE

    def get_disambiguator(self) -> str:
        """Part of the names of the files, beside those of module and function."""
        return str(self._line)


def announce() -> None:
    """Make numba ask `Place` first."""
    if Place not in caching.CacheImpl._locator_classes:
        caching.CacheImpl._locator_classes.insert(0, Place)
