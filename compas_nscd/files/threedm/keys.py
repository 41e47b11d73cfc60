"""Names of layers and user text in .3dm files, shared by reader and writer."""

from compas_nscd.errors import NotAvailableError

#: Top layer of everything that is written, and key of the user text that marks results.
ROOT = "nscd"
#: Keys of the user text of objects; `friction` also of the file, which may have the others too.
DENSITY, FRICTION, SUPPORT, MATERIAL, PAIRS = "density", "friction", "support", "material", "nscd.pair_friction"
LAW, MATERIAL_LAWS = "nscd.law", "nscd.material_laws"
#: Laws of single interfaces, their blocks by name and their points in metres.
INTERFACE_LAWS = "nscd.interface_laws"
#: Keys of the user text of lines on the layer of cables [N], and of what their ends are fixed to.
CABLES, CABLE_NUMBERS, CABLE_ENDS, GROUND = "cables", ("stiffness", "prestress", "strength"), ("start", "end"), "ground"


def rhino3dm():
    """The package that reads and writes the format, imported when it is needed."""
    try:
        import rhino3dm as package
    except ImportError:
        remedy = "Install it with: pip install compas_nscd[cad]"
        raise NotAvailableError(".3dm files need the package rhino3dm.", remedy=remedy)
    return package
