"""Arrays of .NET filled and read in one copy: a call for every number would take longer than the analysis."""

import ctypes
from typing import Any, Callable

import numpy as np


def net_array(kind: Any, values: np.ndarray) -> Any:
    """Array of a .NET structure, one element for each row.

    Parameters
    ----------
    kind : type
        Structure of .NET that consists of the numbers of a row, e.g. Point3f of three singles.
    values : array
        (n, ...) of the type and in the order of its fields.
    """
    import System

    values = np.ascontiguousarray(values)
    array = System.Array[kind](len(values))
    if values.size:
        _pinned(array, lambda address: ctypes.memmove(address, values.ctypes.data, values.nbytes))
    return array


def numbers(array: Any, dtype: Any, columns: int) -> np.ndarray:
    """Numbers of an array of .NET numbers, as a view. (n, columns)"""
    return np.frombuffer(array, dtype).reshape(-1, columns) if array.Length else np.empty((0, columns), dtype)


def coordinates(points: Any) -> np.ndarray:
    """Coordinates of an array of Point3d. (n, 3)"""
    values = np.empty((points.Length, 3))
    if values.size:
        _pinned(points, lambda address: ctypes.memmove(values.ctypes.data, address, values.nbytes))
    return values


def _pinned(array: Any, action: Callable[[int], Any]) -> None:
    """Call a function with the address of an array, which is not moved meanwhile."""
    from System.Runtime.InteropServices import GCHandle, GCHandleType

    handle = GCHandle.Alloc(array, GCHandleType.Pinned)
    try:
        action(handle.AddrOfPinnedObject().ToInt64())
    finally:
        handle.Free()
