"""Interfaces as arrays of a reply."""


def interfaces(found):
    """Arrays of the interfaces; `check` answers with the same."""
    return {
        "interface_body": found.body,
        "interface_normal": found.normal,
        "interface_area": found.area,
        "interface_centroid": found.centroid,
        "interface_gap": found.gap,
        "polygon": found.polygon,
        "polygon_start": found.polygon_start,
        "contact_start": found.contact_start,
    }
