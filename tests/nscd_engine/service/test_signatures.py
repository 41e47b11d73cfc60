"""Types of arguments in words, and back."""

import json

import pytest
from numba import types

from nscd_engine.core.structs import Contacts
from nscd_engine.service import signatures

MATRIX = types.Array(types.float64, 2, "C")
FIELDS = [types.Array(types.int32, 2, "C"), MATRIX, MATRIX, types.float64, types.boolean, types.int64]


@pytest.mark.parametrize(
    "kind",
    [
        types.float32,
        types.boolean,
        MATRIX,
        types.Array(types.boolean, 1, "C"),
        types.Tuple([MATRIX, types.int64]),
        types.UniTuple(MATRIX, 2),
        types.NamedTuple(FIELDS, Contacts),
        types.literal(3),
        types.literal(False),
    ],
)
def test_a_type_is_told_in_words_and_back(kind):
    words = json.loads(json.dumps(signatures.words(kind)))
    assert signatures.type_of(words) == kind


@pytest.mark.parametrize("kind", [types.Array(types.float64, 2, "F"), types.Array(types.float64, 1, "C", True)])
def test_a_type_without_words_is_refused(kind):
    with pytest.raises(ValueError, match="no words"):
        signatures.words(kind)
