"""Blocks, contact laws, and the library of materials."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "Block": "block",
        "ContactBond": "contact_stiffness",
        "ContactLaw": "contact_law",
        "ContactStiffness": "contact_stiffness",
        "Elastic": "elastic",
        "InterfaceLaw": "interface_law",
        "Joint": "materials",
        "Material": "materials",
    },
)
