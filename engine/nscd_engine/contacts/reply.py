"""Interfaces and contact points as arrays of a reply. No other module writes these arrays."""

from __future__ import annotations

from typing import Dict, Optional

import numpy as np

from nscd_engine.core.structs import Contacts, Interfaces


def interfaces(found: Interfaces, contacts: Optional[Contacts] = None) -> Dict[str, np.ndarray]:
    """Arrays of the interfaces and, if contacts are given, of the contact points and their gaps.

    The verb `check` replies with all of them. Analyses reply with forces in place of gaps: they leave out the contacts.
    """
    points = {} if contacts is None else {"contact_point": contacts.point, "contact_gap": contacts.gap}
    return {
        **points,
        "interface_body": found.body,
        "interface_normal": found.normal,
        "interface_area": found.area,
        "interface_centroid": found.centroid,
        "interface_gap": found.gap,
        "polygon": found.polygon,
        "polygon_start": found.polygon_start,
        "contact_start": found.contact_start,
    }
