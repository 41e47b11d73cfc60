"""Results with deformable blocks whose displacements and stresses are written by hand, as the engine sends them."""

import numpy as np

from analysed import analyse, stack
from compas_nscd import Elastic

#: Columns xx yy zz xy yz zx of the stress of the first block [Pa]: squeezed by 3 MPa, drawn out by 1 MPa.
STRESS = np.array([1e6, 0.0, -3e6, 0.0, 0.0, 0.0])


def squeezed(result, elements="h8", tension=0.5e6):
    """A rigid result as if its free blocks were elastic: one element each, shortened by 1e-4."""
    structure = result.structure
    structure.deform(Elastic(3e10, 0.2, elements, tension=tension))
    reply = dict(result.__data__["reply"])
    free = [i for i, block in enumerate(structure.blocks) if not block.support]
    count = np.array([0 if block.support else 1 for block in structure.blocks])
    node = np.concatenate([structure.blocks[i].vertices for i in free])
    faces = [[8 * k + corner for corner in face] for k, i in enumerate(free) for face in structure.blocks[i].faces]
    factor = 2.0 ** np.arange(len(free))
    reply.update(
        elastic=dict(
            elements=len(free), unknowns=3 * len(node), displacement_max=float(1e-4 * np.abs(node[:, 2]).max()),
            stress_max=float(1e6 * factor[-1]), stress_min=float(-3e6 * factor[-1]),
            cracked=[structure.names[i] for i in free], quality_min=1.0,
        ),
        node_start=np.cumsum(np.append(0, 8 * count)),
        node=node,
        node_displacement=-1e-4 * node * [0.0, 0.0, 1.0],
        cell_start=np.cumsum(np.append(0, count)),
        cell=np.arange(len(node)).reshape(-1, 8),
        cell_stress=factor[:, None] * STRESS,
        cell_volume=np.array([0.1 * (k + 1) for k in range(len(free))]),
        skin_start=np.cumsum(np.append(0, 6 * count)),
        skin=np.array(faces),
        skin_cell=np.repeat(np.arange(len(free)), 6),
    )  # fmt: skip
    return type(result).from_reply(reply, structure, result.case)


def squeezed_stack():
    """Three boxes on a support."""
    return squeezed(analyse(stack()))
