"""Thrust lines: where the forces run through a chain of blocks.

The effective thrust line of a chain passes through the centre of pressure of every joint. A chain begins at a support
and goes on as long as each block has exactly one other joint that carries a force: an arch has one, from springing to
springing; a stack has one, from its base to its top joint; a bonded wall has none.
"""

#: A joint carries a force when its normal force exceeds this fraction of the greatest one in the structure.
LOADED = 1e-6


def thrust_lines(interfaces, supports):
    """Find the chains and the lines through their centres of pressure.

    Parameters
    ----------
    interfaces : list of Interface
    supports : set of int
        Indices of the blocks that do not move.

    Returns
    -------
    list of list of point
        Each line as points [m], from its first support on; every chain once.
    """
    loaded = _loaded(interfaces)
    joints_of = {}
    for joint in loaded:
        for block in joint.indices:
            joints_of.setdefault(block, []).append(joint)
    lines, seen = [], set()
    for joint in loaded:
        start = next((block for block in joint.indices if block in supports), None)
        if start is None or id(joint) in seen:
            continue
        chain = _walk(joint, start, joints_of, supports)
        seen.update(id(link) for link in chain)
        if len(chain) > 1:
            lines.append([link.centre_of_pressure for link in chain])
    return lines


def _loaded(interfaces):
    normal = [float(i.resultant @ i.normal) for i in interfaces]
    least = LOADED * max(normal, default=0.0)
    return [i for i, n in zip(interfaces, normal) if n > least and i.centre_of_pressure is not None]


def _walk(joint, block, joints_of, supports):
    """Joints of the chain that leaves `block` through `joint`."""
    chain = [joint]
    while True:
        a, b = chain[-1].indices
        block = b if block == a else a
        onward = [other for other in joints_of[block] if other is not chain[-1]]
        if block in supports or len(onward) != 1 or onward[0] is joint:
            return chain
        chain.append(onward[0])
