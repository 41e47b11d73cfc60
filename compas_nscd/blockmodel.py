"""Results into models of compas_dem, which is imported only when it is asked for.

A `FrictionContact` has a frame whose z axis is the normal, and per point the force {"c_np": compression, "c_nn":
tension, "c_u": along x, "c_v": along y}. The normal here points from block a to block b and the force is that on b, as
in `Interface`; what acts on a is the opposite.
"""

from compas.geometry import Frame

from compas_nscd.errors import InputError, NotAvailableError
from compas_nscd.section import tangents


def friction_contacts(result, contact_class=None):
    """The joints of a StaticResult as contacts of compas_dem.

    Parameters
    ----------
    result : StaticResult
    contact_class : type, optional
        Instead of `compas_dem.interactions.FrictionContact`.

    Returns
    -------
    list of ((int, int), FrictionContact)
        Blocks a < b, and the contact between them.
    """
    make = contact_class or _friction_contact()
    first, second = tangents(result.interface_normal)
    found = []
    for joint, x, y in zip(result.interfaces, first, second):
        normal, along, across = joint.forces @ joint.normal, joint.forces @ x, joint.forces @ y
        forces = [
            {"c_np": max(n, 0.0), "c_nn": max(-n, 0.0), "c_u": u, "c_v": v}
            for n, u, v in zip(normal.tolist(), along.tolist(), across.tolist())
        ]
        frame = Frame(joint.centroid.tolist(), x.tolist(), y.tolist())
        points = joint.points.tolist()
        found.append((joint.indices, make(points=points, frame=frame, size=joint.area, forces=forces)))
    return found


def to_blockmodel(result, model, contact_class=None):
    """Put the joints of a result on the edges of the `BlockModel` that its structure was made of.

    Parameters
    ----------
    result : StaticResult
    model : BlockModel
        The one given to `Structure.from_blockmodel`; contacts that its edges had are replaced.

    Returns
    -------
    BlockModel
        The same model.
    """
    nodes = [element.graphnode for element in model.elements()]
    if len(nodes) != len(result.structure.blocks):
        text = "The model has {} elements, the result {} blocks."
        raise InputError(text.format(len(nodes), len(result.structure.blocks)), remedy="Give the model it was made of.")
    contacts = {}
    for (a, b), contact in friction_contacts(result, contact_class):
        contacts.setdefault((nodes[a], nodes[b]), []).append(contact)
    graph = model.graph
    for edge in list(graph.edges()):
        graph.edge_attribute(edge, "contacts", [])
    for (u, v), found in contacts.items():
        if not graph.has_edge((u, v)) and not graph.has_edge((v, u)):
            graph.add_edge(u, v)
        graph.edge_attribute((u, v) if graph.has_edge((u, v)) else (v, u), "contacts", found)
    return model


def _friction_contact():
    try:
        from compas_dem.interactions import FrictionContact
    except ImportError:
        raise NotAvailableError("compas_dem is not installed.", remedy="Install it with: pip install compas_dem")
    return FrictionContact
