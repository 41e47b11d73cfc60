"""A heap of elements: the one with the greatest error is at its top, and one that changes is moved to its place."""

from typing import NamedTuple

import numpy as np

from nscd_engine.kernels.jit import inner


class Heap(NamedTuple):
    """Elements by falling error. N elements in the heap, B in all."""

    size: np.ndarray  # [N] (B,): error of every element
    item: np.ndarray  # (N,) int64: elements; those at 2 k + 1 and 2 k + 2 are not larger than that at k
    place: np.ndarray  # (B,) int64: place of every element in `item`, -1 for those that are held


@inner
def swap(heap, i, j):
    """Exchange two places."""
    a, b = heap.item[i], heap.item[j]
    heap.item[i], heap.item[j] = b, a
    heap.place[a], heap.place[b] = j, i


@inner
def move(heap, element):
    """Restore the order of the heap after the error of an element has changed."""
    size, item = heap.size, heap.item
    k = heap.place[element]
    while k > 0 and size[item[k]] > size[item[(k - 1) // 2]]:
        swap(heap, k, (k - 1) // 2)
        k = (k - 1) // 2
    while True:
        largest = k
        for child in (2 * k + 1, 2 * k + 2):
            if child < item.shape[0] and size[item[child]] > size[item[largest]]:
                largest = child
        if largest == k:
            return
        swap(heap, k, largest)
        k = largest
