"""Wall in running bond on a fixed base."""

import math

from compas_nscd.structure import ContactLaw, Structure
from compas_nscd.templates.shapes import box, require, require_count


def wall(columns=10, courses=10, length=0.5, height=0.25, depth=0.25, density=2400.0, friction=0.6):
    """A wall in the xz plane; odd courses are shifted by half a block and closed with half blocks.

    Parameters
    ----------
    columns, courses : int
        Blocks along a course, and courses.
    length, height, depth : float
        Of one block, along x, z, y [m].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        The support ``base``, then blocks ``c0b0`` ... course by course.
    """
    require_count("columns", columns, 1)
    require_count("courses", courses, 1)
    for name, value in (("length", length), ("height", height), ("depth", depth)):
        require(name, value, 0.0, math.inf)

    margin, right = depth / 2, columns * length
    lower, upper = (-margin, -margin, -height), (right + margin, depth + margin, 0.0)
    base = box(lower, upper, density=density, name="base", support=True)
    pieces = [base]
    for course in range(courses):
        ends = [float(i) for i in range(columns + 1)]
        if course % 2:
            ends = [0.0] + [i + 0.5 for i in range(columns)] + [float(columns)]
        for i, (x0, x1) in enumerate(zip(ends, ends[1:])):
            lower, upper = (x0 * length, 0.0, course * height), (x1 * length, depth, (course + 1) * height)
            pieces.append(box(lower, upper, density=density, name="c{}b{}".format(course, i)))
    return Structure(pieces, law=ContactLaw(friction=friction), name="wall")
