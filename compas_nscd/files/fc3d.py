"""Published frictional contact problems: .npz files with W, q, mu (or M, H, f, w, mu) into one request.

Arrays of a file: ``mu`` (C,), then either ``W_data, W_indices, W_indptr`` and ``q`` (3C,), where u = W r + q, or
``M_*``, ``H_*``, ``f`` and ``w``, where M v = H r + f and u = H^T v + w. Per contact the components are normal first.
"""

import zipfile
import zlib
from pathlib import Path

import numpy as np

from compas_nscd.errors import FileError, InputError

#: Largest content of a file [bytes], unpacked. A dense W of 1,000 contacts has 108 MB.
MAX_CONTENT = 512 << 20

#: What numpy and zipfile raise of files that are not theirs, or damaged.
_UNREADABLE = (OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)


def read_problems(paths, solver=None, tolerance=1e-8, repeat=1, max_iterations=20000):
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
        Times every problem is solved; the best time is reported.
    max_iterations : int, optional
        Sweeps and Newton corrections after which a problem is given up.

    Returns
    -------
    dict
    """
    return {
        "problems": [read_problem(path) for path in paths],
        "solver": solver,
        "tolerance": float(tolerance),
        "repeat": int(repeat),
        "max_iterations": int(max_iterations),
    }


def read_problem(path):
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
        If its numbers cannot be used.
    """
    path = Path(path)
    try:
        with open(path, "rb") as file:
            if file.read(2) != b"PK":  # numpy would offer to unpickle it
                raise FileError("{} is not a contact problem: it is no .npz file.".format(path.name))
        with np.load(path, allow_pickle=False) as arrays:
            if sum(info.file_size for info in arrays.zip.infolist()) > MAX_CONTENT:
                raise FileError("{} unpacks to more than {} MB.".format(path.name, MAX_CONTENT >> 20))
            return _problem(path.stem, arrays)
    except FileNotFoundError:
        raise FileError("There is no file {}.".format(path), remedy="Check the path.")
    except _UNREADABLE as error:
        raise FileError("{} is not a contact problem: {}.".format(path.name, str(error).rstrip(".")))


def _problem(name, arrays):
    friction = _numbers(name, arrays, "mu")
    size = 3 * len(friction)
    if not size:
        raise InputError("{}: there is no contact.".format(name))
    if (friction < 0.0).any():
        raise InputError("{}: a coefficient of friction is negative.".format(name))
    problem = {"name": name, "friction": friction}
    if "W_data" in arrays.files:
        return dict(problem, W=_matrix(name, arrays, "W", size, size), q=_numbers(name, arrays, "q", size))
    f, w = _numbers(name, arrays, "f"), _numbers(name, arrays, "w", size)
    mass, h = _matrix(name, arrays, "M", len(f), len(f)), _matrix(name, arrays, "H", len(f), size)
    return dict(problem, M=mass, H=h, f=f, w=w)


def _array(name, arrays, key):
    if key not in arrays.files:
        raise FileError("{} is not a contact problem: array {!r} is missing.".format(name, key))
    array = arrays[key]
    if array.ndim != 1 or array.dtype.kind not in "fiu":
        raise FileError("{}: array {!r} should be a row of numbers.".format(name, key))
    return array


def _numbers(name, arrays, key, size=None):
    array = _array(name, arrays, key).astype(np.float64)
    if size not in (None, len(array)):
        raise InputError("{}: array {!r} has {} numbers instead of {}.".format(name, key, len(array), size))
    if not np.isfinite(array).all():
        raise InputError("{}: array {!r} has a number that is not finite.".format(name, key))
    return array


def _matrix(name, arrays, key, rows, columns):
    """A matrix by rows: {data, indices, start}."""
    data = _numbers(name, arrays, key + "_data")
    indices, start = _array(name, arrays, key + "_indices"), _array(name, arrays, key + "_indptr")
    ok = indices.dtype.kind != "f" and start.dtype.kind != "f" and len(start) == rows + 1
    ok = ok and len(indices) == len(data) and start[0] == 0 and start[-1] == len(data) and (np.diff(start) >= 0).all()
    if not ok or (len(indices) and not 0 <= indices.min() <= indices.max() < columns):
        raise InputError("{}: matrix {!r} is not {} x {} by rows.".format(name, key, rows, columns))
    return {"data": data, "indices": indices.astype(np.int32), "start": start.astype(np.int32)}
