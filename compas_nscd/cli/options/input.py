"""What a file does not say: options of the input."""

from compas_nscd.blocks.contact_law import ContactLaw


def add_input(parser):
    """The file, and what a file of mere geometry does not say."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--supports", help=".3dm: layer of the supports; .obj: their names or indices, by commas")
    parser.add_argument("--density", type=float, help="of the blocks of a file that does not say it [kg/m3]")
    parser.add_argument("--mu", type=float, help="friction of the joints of a file that does not say it")


def given(options):
    """What the command line says that a file of mere geometry does not."""
    supports = options.supports
    if supports is not None and not options.file.lower().endswith(".3dm"):
        supports = [int(part) if part.isdigit() else part for part in supports.split(",")]
    law = None if options.mu is None else ContactLaw(friction=options.mu)
    return {"supports": supports, "density": options.density, "law": law}
