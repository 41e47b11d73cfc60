"""A force at a point of a block."""

from compas_nscd.loads.checks import Record, block_key, listed, vector


class PointLoad(Record):
    """A force on a block.

    Parameters
    ----------
    block : int or str
        Index, name or guid.
    point : sequence of 3 floats
        Where it acts [m], world axes; in motion it moves with the block, and the force keeps its direction.
    force : sequence of 3 floats
        [N], world axes.
    history : (times, factors), optional
        What the force is multiplied with over time, in motion; `sampled` makes it of a function.
    """

    def __init__(self, block, point, force, history=None, name=None):
        super().__init__(name=name)
        self.block = block_key(block)
        self.point = vector(point, "point of the load on block {}".format(block))
        self.force = vector(force, "force on block {}".format(block))
        self.history = None if history is None else listed(history, "the history of the load on {}".format(block))

    @property
    def __data__(self):
        data = {"block": self.block, "point": list(self.point), "force": list(self.force)}
        return data if self.history is None else dict(data, history=[list(column) for column in self.history])
