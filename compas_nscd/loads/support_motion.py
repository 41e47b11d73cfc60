"""A prescribed motion of supports."""

from compas_nscd.loads.checks import Record, block_key, number, vector


class SupportMotion(Record):
    """A support that moves by itself: settlement or spreading. It goes from rest to rest.

    Parameters
    ----------
    block : int or str
        A support: index, name or guid.
    displacement : sequence of 3 floats
        Total displacement [m].
    duration : float
        Time it takes [s].
    rotation : sequence of 3 floats, optional
        Total rotation vector about the centroid [rad].
    start : float, optional
        When it begins [s].
    """

    def __init__(self, block, displacement, duration, rotation=(0.0, 0.0, 0.0), start=0.0, name=None):
        super().__init__(name=name)
        self.block = block_key(block)
        self.displacement = vector(displacement, "displacement of support {}".format(block))
        self.duration = number(duration, "duration of the motion of support {}".format(block), above=0.0)
        self.rotation = vector(rotation, "rotation of support {}".format(block))
        self.start = number(start, "start of the motion of support {}".format(block), least=0.0)

    @property
    def __data__(self):
        return {
            "block": self.block,
            "displacement": list(self.displacement),
            "duration": self.duration,
            "rotation": list(self.rotation),
            "start": self.start,
        }
