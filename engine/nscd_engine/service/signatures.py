"""Types of the arguments of kernels in words, so that a kernel can be compiled before anything calls it.

A number is the name of its type; an array of `n` dimensions, whose rows follow each other, is the type of its entries
and `n`: "float64 2". A tuple is a list: its class, or "tuple", and the types of its fields. A constant that a kernel
passes to another is the list "constant" and its value.
"""

from __future__ import annotations

import importlib
from typing import Any, List, Union

#: A type in words.
Words = Union[str, List[Any]]
#: Tuples without names of fields.
PLAIN = "tuple"
CONSTANT = "constant"


def words(kind: Any) -> Words:
    """A type of numba in words; ValueError if there are none for it."""
    from numba import types
    from numba.np.numpy_support import as_dtype

    if isinstance(kind, types.Literal):
        return [CONSTANT, kind.literal_value]
    if isinstance(kind, types.BaseTuple):
        own = getattr(kind, "instance_class", tuple)
        name = PLAIN if own is tuple else "{}:{}".format(own.__module__, own.__qualname__)
        fields: Any = kind.types  # type: ignore[attr-defined]  # which every kind of tuple has
        return [name, *map(words, fields)]
    if isinstance(kind, (types.Number, types.Boolean)):
        return str(as_dtype(kind).name)
    if kind == types.Array(getattr(kind, "dtype", types.float64), getattr(kind, "ndim", 1), "C"):
        return "{} {}".format(words(kind.dtype), kind.ndim)
    raise ValueError("no words for {}".format(kind))


def type_of(described: Words) -> Any:
    """The type of numba that words describe."""
    from numba import types
    from numba.np.numpy_support import from_dtype
    from numpy import dtype

    if isinstance(described, str):
        entries, _, dimensions = described.partition(" ")
        number = from_dtype(dtype(entries))
        return types.Array(number, int(dimensions), "C") if dimensions else number
    if described[0] == CONSTANT:
        return types.literal(described[1])
    fields = [type_of(field) for field in described[1:]]
    if described[0] == PLAIN:
        return types.Tuple(fields)
    module, _, name = described[0].partition(":")
    return types.BaseTuple.from_types(fields, getattr(importlib.import_module(module), name))
