"""What every result of the engine has in common: its data, and how it is kept."""

import numpy as np
from compas.data import Data

from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure


class Result(Data):
    """A reply of the engine with the structure and the case it belongs to.

    A kind of result names in `arrays` the arrays of its reply, which are its attributes, and in `numbers` those that
    are in its `summary`.
    """

    arrays = ()
    numbers = ()

    @property
    def warnings(self):
        """What deserves a look, from the geometry and from the engine: list of ``{"code", "message", "blocks"}``."""
        return self.structure.warnings + self._engine_warnings

    @property
    def __data__(self):
        reply = {key: getattr(self, key).tolist() for key in self.arrays}
        reply.update((key, self.summary[key]) for key in self.numbers + ("time",))
        reply["warnings"] = self._engine_warnings
        return {
            "reply": reply,
            "structure": self.structure.__data__,
            "case": self.case.__data__ if self.case is not None else None,
        }

    @classmethod
    def __from_data__(cls, data):
        case = LoadCase.__from_data__(data["case"]) if data["case"] is not None else None
        return cls(data["reply"], Structure.__from_data__(data["structure"]), case)

    def save(self, path):
        """Write the result to one file: .npz, compressed, or .json, COMPAS data; see `storage`."""
        from compas_nscd.files.result_archive import save

        save(self, path)

    @classmethod
    def load(cls, path):
        """Read a result that `save` wrote; it comes back equal."""
        from compas_nscd.files.result_archive import load

        return load(cls, path)

    def __eq__(self, other):
        if type(other) is not type(self) or set(other.arrays) != set(self.arrays):
            return False
        arrays = ((getattr(self, key), getattr(other, key)) for key in self.arrays)
        if not all(np.array_equal(mine, its, equal_nan=True) for mine, its in arrays):
            return False
        return _without_arrays(self) == _without_arrays(other)

    __hash__ = None


def _without_arrays(result):
    """Data of a result but its arrays, in which nan is not equal to itself."""
    data = result.__data__
    return dict(data, reply={key: value for key, value in data["reply"].items() if key not in result.arrays})
