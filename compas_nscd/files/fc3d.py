"""Published frictional contact problems: .npz files with W, q, mu (or M, H, f, w, mu).

Arrays of a file: ``mu`` (C,), then either ``W_data, W_indices, W_indptr`` and ``q`` (3C,), where u = W r + q, or
``M_*``, ``H_*``, ``f`` and ``w``, where M v = H r + f and u = H^T v + w. Per contact the components are normal first.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from compas_nscd.errors import FileError, InputError
from compas_nscd.files.npz import read_npz

#: Largest unpacked content of a file [bytes]; a dense W of 1,000 contacts has 108 MB. Larger: a small malicious archive
#: may exhaust the memory. Smaller: dense problems are refused.
MAX_CONTENT = 512 << 20

Arrays = dict[str, np.ndarray]


def read_problems(
    paths: Iterable[str | Path],
    solver: str | None = None,
    tolerance: float = 1e-8,
    repeat: int = 1,
    max_iterations: int = 20000,
) -> dict[str, Any]:
    """Read contact problems into the body of a request `fc3d`.

    Parameters
    ----------
    paths : list of path-like
        The .npz files.
    solver : {"newton", "nlgs"}, optional
        One solver instead of the sequence of both.
    tolerance : float, optional
        Natural-map residual over \\|q\\| at which a solver stops.
    repeat : int, optional
        Number of solves of every problem; the best time is reported.
    max_iterations : int, optional
        Sweeps and Newton steps after which a solver stops.
    """
    return {
        "problems": [read_problem(path) for path in paths],
        "solver": solver,
        "tolerance": float(tolerance),
        "repeat": int(repeat),
        "max_iterations": int(max_iterations),
    }


def read_problem(path: str | Path) -> dict[str, Any]:
    """Read one contact problem.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    dict
        ``name``, ``friction`` and either ``W``, ``q`` or ``M``, ``H``, ``f``, ``w``.

    Raises
    ------
    FileError
        If the file is not a contact problem.
    InputError
        If its arrays have wrong lengths or values.
    """
    path = Path(path)
    try:
        arrays = read_npz(path, MAX_CONTENT)
    except FileError as error:
        raise FileError("{} is not a contact problem: {}".format(path.name, error.message), remedy=error.remedy)
    return _problem(path.stem, arrays)


def _problem(name: str, arrays: Arrays) -> dict[str, Any]:
    friction = _numbers(name, arrays, "mu")
    size = 3 * len(friction)
    if not size:
        raise InputError("{}: there is no contact.".format(name))
    if (friction < 0.0).any():
        raise InputError("{}: a coefficient of friction is negative.".format(name))
    problem = {"name": name, "friction": friction}
    if "W_data" in arrays:
        return dict(problem, W=_matrix(name, arrays, "W", size, size), q=_numbers(name, arrays, "q", size))
    f, w = _numbers(name, arrays, "f"), _numbers(name, arrays, "w", size)
    mass, h = _matrix(name, arrays, "M", len(f), len(f)), _matrix(name, arrays, "H", len(f), size)
    return dict(problem, M=mass, H=h, f=f, w=w)


def _array(name: str, arrays: Arrays, key: str) -> np.ndarray:
    if key not in arrays:
        raise FileError("{} is not a contact problem: array {!r} is missing.".format(name, key))
    array = arrays[key]
    if array.ndim != 1 or array.dtype.kind not in "fiu":
        raise FileError("{}: array {!r} should be a row of numbers.".format(name, key))
    return array


def _numbers(name: str, arrays: Arrays, key: str, size: int | None = None) -> np.ndarray:
    array = _array(name, arrays, key).astype(np.float64)
    if size not in (None, len(array)):
        raise InputError("{}: array {!r} has {} numbers instead of {}.".format(name, key, len(array), size))
    if not np.isfinite(array).all():
        raise InputError("{}: array {!r} has a number that is not finite.".format(name, key))
    return array


def _matrix(name: str, arrays: Arrays, key: str, rows: int, columns: int) -> dict[str, np.ndarray]:
    """A matrix in compressed rows: {data, indices, start}."""
    data = _numbers(name, arrays, key + "_data")
    indices, start = _array(name, arrays, key + "_indices"), _array(name, arrays, key + "_indptr")
    ok = indices.dtype.kind != "f" and start.dtype.kind != "f" and len(start) == rows + 1
    ok = ok and len(indices) == len(data) and start[0] == 0 and start[-1] == len(data)
    ok = ok and bool((start[1:] >= start[:-1]).all())
    if not ok or (len(indices) and not 0 <= indices.min() <= indices.max() < columns):
        raise InputError("{}: matrix {!r} is not {} x {} by rows.".format(name, key, rows, columns))
    return {"data": data, "indices": indices.astype(np.int32), "start": start.astype(np.int32)}
