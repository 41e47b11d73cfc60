"""Random packings of discs and spheres in a box: radii grow, and overlaps are pushed apart, until nothing can move.

The frictionless overlap energy is minimised by FIRE (Bitzek and others 2006) while the radii grow by halved steps
(O'Hern and others 2003).
"""

from __future__ import annotations

import itertools

import numpy as np

#: Share of the box that is filled at first, by dimensions: too little for contacts.
LOOSE = {2: 0.6, 3: 0.4}
#: First growth of the radii [-], and the least.
GROWTH, LEAST = 0.02, 1e-4
#: Overlap of an element over the mean radius [-]: at most this of a packing that is ready, and that of one without
#: contacts. Larger: overlaps are told as errors of the drawing. Smaller: few neighbours touch.
TIGHT, FREE = 2e-3, 1e-5
#: Most iterations of one minimisation. More: slow. Fewer: loose packings count as jammed.
ITERATIONS = 3000
#: Greatest force over the mean overlap at which a minimisation ends [-].
SETTLED = 1e-3
#: Distance of surfaces over the greatest radius up to which pairs are watched [-].
SKIN = 0.5
#: Gap over the radius up to which elements touch [-]: half of the tolerance of contact detection.
TOUCH = 1e-3


def jammed(radius: np.ndarray, sides: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Centres (n, d) and radii (n,) of elements that fill a box from 0 to `sides` (d,), without rattlers [m].

    Parameters
    ----------
    radius : array (n,)
        Relative sizes.
    sides : array (d,)
        Of the box, 2 or 3 [m].
    rng : Generator
        Of the first positions.
    """
    dimensions = len(sides)
    volume = (np.pi * radius**2 if dimensions == 2 else 4.0 / 3.0 * np.pi * radius**3).sum()
    radius = radius * (LOOSE[dimensions] * np.prod(sides) / volume) ** (1.0 / dimensions)
    centre = rng.uniform(radius[:, None], sides - radius[:, None])
    growth = GROWTH
    while growth > LEAST:
        larger = radius * (1.0 + growth)
        moved, overlap = _pushed_apart(centre, larger, sides)
        if overlap < TIGHT:
            centre, radius = moved, larger
        else:
            growth *= 0.5
    kept = without_rattlers(centre, radius, sides)
    return centre[kept], radius[kept]


def without_rattlers(centre: np.ndarray, radius: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Rows of the elements that at least d + 1 others or walls hold."""
    kept = np.arange(len(centre))
    while True:
        pairs = near(centre[kept], radius[kept], 2.0 * TOUCH * radius.max())
        apart = np.linalg.norm(centre[kept][pairs[:, 1]] - centre[kept][pairs[:, 0]], axis=1)
        touching = apart <= (1.0 + TOUCH) * radius[kept][pairs].sum(axis=1)
        held = np.bincount(pairs[touching].ravel(), minlength=len(kept))
        gap = np.minimum(centre[kept], sides - centre[kept]) - radius[kept, None]
        held += (gap <= TOUCH * radius[kept, None]).sum(axis=1)
        if (held > len(sides)).all():
            return kept
        kept = kept[held > len(sides)]


def near(centre: np.ndarray, radius: np.ndarray, skin: float) -> np.ndarray:
    """Pairs (K, 2) whose surfaces are closer than `skin` [m]."""
    size = 2.0 * radius.max() + skin
    cell = np.floor((centre - centre.min(axis=0)) / size).astype(np.int64) + 1
    count = cell.max(axis=0) + 2
    key = np.ravel_multi_index(cell.T, count)
    order = np.argsort(key, kind="stable")
    found = []
    for offset in itertools.product((-1, 0, 1), repeat=centre.shape[1]):
        other = np.ravel_multi_index((cell + offset).T, count)
        first, last = np.searchsorted(key[order], other), np.searchsorted(key[order], other, side="right")
        a = np.repeat(np.arange(len(centre)), last - first)
        within = np.arange(len(a)) - np.repeat(np.cumsum(last - first) - (last - first), last - first)
        b = order[np.repeat(first, last - first) + within]
        found.append(np.column_stack([a, b])[a < b])
    pairs = np.concatenate(found)
    apart = np.linalg.norm(centre[pairs[:, 1]] - centre[pairs[:, 0]], axis=1)
    return pairs[apart < radius[pairs].sum(axis=1) + skin]


def _pushed_apart(centre: np.ndarray, radius: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, float]:
    """Centres of least overlap energy, and the overlap of an element over the mean radius [-]."""
    x, v = centre.copy(), np.zeros_like(centre)
    unit = radius.mean()
    skin = SKIN * radius.max()
    pairs, start = near(x, radius, skin), x.copy()
    step, mixing, good = 0.1, 0.1, 0
    for _ in range(ITERATIONS):
        if np.abs(x - start).max() > 0.25 * skin:
            pairs, start = near(x, radius, skin), x.copy()
        force, overlap = _forces(x, radius, sides, pairs)
        if overlap < FREE * unit or np.abs(force).max() < SETTLED * overlap:
            break
        power = (force * v).sum()
        if power > 0.0:
            v = (1.0 - mixing) * v + mixing * force * (np.linalg.norm(v) / np.linalg.norm(force))
            good += 1
            if good > 5:
                step, mixing = min(1.1 * step, 0.5), 0.99 * mixing
        else:
            v[:], step, mixing, good = 0.0, 0.5 * step, 0.1, 0
        v += step * force
        x += step * v
    return x, overlap / unit


def _forces(x: np.ndarray, radius: np.ndarray, sides: np.ndarray, pairs: np.ndarray) -> tuple[np.ndarray, float]:
    """Forces (n, d) of unit springs, and the overlap of an element [m]: all overlaps over the number of elements."""
    a, b = pairs.T
    between = x[b] - x[a]
    length = np.linalg.norm(between, axis=1)
    deep = np.maximum(radius[a] + radius[b] - length, 0.0)
    push = (deep / np.maximum(length, 1e-12))[:, None] * between
    force = np.stack(
        [np.bincount(b, push[:, k], len(x)) - np.bincount(a, push[:, k], len(x)) for k in range(x.shape[1])], axis=1
    )
    low, high = np.maximum(radius[:, None] - x, 0.0), np.maximum(x + radius[:, None] - sides, 0.0)
    return force + low - high, (deep.sum() + low.sum() + high.sum()) / len(x)
