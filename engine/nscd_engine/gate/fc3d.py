"""Problems of a request `fc3d`: arrays of a published contact problem become a ContactProblem."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from compas_nscd.errors import InputError
from nscd_engine.kernels.fc3d.contact_problem import ContactProblem

#: Greatest |W - W^T| / |W| [-]. Smaller: published matrices printed with few digits, up to 2e-3, are refused. Larger:
#: matrices pass that are no Delassus matrices.
MAX_ASYMMETRY = 1e-2
#: Most entries of a matrix [-]; a dense W of 1,000 contacts has 9 million. More: blocks of 3 x 3 around single entries
#: take gigabytes. Fewer: dense problems are refused.
MAX_ENTRIES = 1 << 24
#: Most numbers of the columns that are solved for at once [-]: 32 MB. More: more memory. Fewer: slower.
COLUMNS_AT_ONCE = 1 << 22


def read_problem(given: dict) -> tuple:
    """(name, ContactProblem) of one entry of `problems`; W is made symmetric."""
    name = given.get("name") if isinstance(given, dict) else None
    if not isinstance(name, str):
        raise InputError("A contact problem without a name.")
    try:
        friction = _vector(given, "friction")
        if (friction < 0.0).any() or not len(friction):
            raise InputError("there is no contact, or a coefficient of friction is negative.")
        w, q = _local(given, 3 * len(friction)) if "W" in given else _condensed(given, 3 * len(friction))
        return name, _blocks(w, q, friction)
    except InputError as error:
        raise InputError("Contact problem {!r}: {}".format(name, error.message))


def _vector(given, key, size=None):
    vector = np.asarray(given.get(key))
    if vector.dtype.kind != "f" or vector.ndim != 1 or size not in (None, len(vector)):
        raise InputError("{!r} should be {} numbers.".format(key, "some" if size is None else size))
    if not np.isfinite(vector).all():
        raise InputError("{!r} has a number that is not finite.".format(key))
    return vector.astype(np.float64)


def _matrix(given, key, rows, columns):
    """The CSR matrix {data, indices, start} of the request."""
    parts = given.get(key)
    if not isinstance(parts, dict):
        raise InputError("matrix {!r} is missing.".format(key))
    data = _vector(parts, "data")
    _require_entries(key, len(data))
    indices, start = np.asarray(parts.get("indices")), np.asarray(parts.get("start"))
    ok = indices.dtype.kind in "iu" and start.dtype.kind in "iu" and indices.ndim == start.ndim == 1
    ok = ok and len(start) == rows + 1 and len(indices) == len(data) and start[0] == 0 and start[-1] == len(data)
    ok = ok and (start[1:] >= start[:-1]).all() and (not len(indices) or 0 <= indices.min() <= indices.max() < columns)
    if not ok:
        raise InputError("matrix {!r} should be {} x {} by rows.".format(key, rows, columns))
    return sparse.csr_matrix((data, indices.astype(np.int32), start.astype(np.int32)), shape=(rows, columns))


def _local(given, size):
    return _matrix(given, "W", size, size), _vector(given, "q", size)


def _condensed(given, size):
    """M v = H r + f, u = H^T v + w: W = H^T M^-1 H and q = H^T M^-1 f + w."""
    f, w = _vector(given, "f"), _vector(given, "w", size)
    h = _matrix(given, "H", len(f), size)
    try:
        mass = splu(_matrix(given, "M", len(f), len(f)).tocsc())
    except RuntimeError:
        raise InputError("matrix 'M' is singular.")
    return _delassus(h, mass), h.T @ mass.solve(f) + w


def _delassus(h, mass):
    """W = H^T M^-1 H, a few columns at a time: neither H nor M^-1 H is ever dense as a whole."""
    turned, columns = sparse.csr_matrix(h.T), h.tocsc()
    at_once = max(COLUMNS_AT_ONCE // max(h.shape), 1)
    parts, entries = [], 0
    for first in range(0, h.shape[1], at_once):
        solved = mass.solve(columns[:, first : first + at_once].toarray())
        parts.append(sparse.csc_matrix(turned @ solved))
        entries += parts[-1].nnz
        _require_entries("W", entries)
    return sparse.csr_matrix(sparse.hstack(parts))


def _require_entries(key, count):
    if count > MAX_ENTRIES:
        raise InputError("matrix {!r} has more than {} entries.".format(key, MAX_ENTRIES))


def _blocks(w, q, friction):
    count = len(friction)
    even = (w + w.T) * 0.5
    norm, asymmetry = np.abs(w.data).max(initial=0.0), 2.0 * np.abs((w - even).data).max(initial=0.0)
    if asymmetry > MAX_ASYMMETRY * norm:
        raise InputError("W is not symmetric: |W - W^T| is {:.1e} of |W|.".format(asymmetry / norm))
    if not (even.diagonal() > 0.0).all():
        raise InputError("W has a diagonal entry that is not positive: a contact of two bodies that cannot move.")
    rows = even.tobsr((3, 3))
    rows.sort_indices()
    own = np.repeat(np.arange(count), np.diff(rows.indptr)) == rows.indices
    start, column = rows.indptr.astype(np.int32), rows.indices.astype(np.int32)
    return ContactProblem(start, column, rows.data, rows.data[own], q.reshape(-1, 3), friction)
