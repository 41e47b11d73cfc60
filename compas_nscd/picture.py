"""A picture of a result as SVG, drawn with numpy alone: blocks in parallel projection, forces and thrust on top."""

from xml.sax.saxutils import escape

import numpy as np

from compas_nscd.polyhedra import bounding_diagonals

#: Colours of an ink-on-paper drawing: light stone, darker supports, one strong colour for forces, one for movement.
STONE, SUPPORT, EDGE, FORCE, THRUST, MOVED = "#e9e2d3", "#8d8a83", "#4a4640", "#b8431f", "#0b5d8c", "#d9a441"
LIGHT = np.array([0.35, -0.75, 0.55])
#: Height of the line of text below the drawing [px].
CAPTION = 36


class Sheet:
    """Parallel projection of the scene onto a sheet of paper.

    Parameters
    ----------
    points : array
        All that must be seen [m]. (n, 3)
    width : int
        Of the sheet [px]; the height follows.
    azimuth, elevation : float
        Direction from which one looks [degrees]: from -y towards +x, and above the horizon.
    """

    def __init__(self, points, width, azimuth, elevation):
        a, e = np.radians([azimuth, elevation])
        right = np.array([np.cos(a), np.sin(a), 0.0])
        self.towards = np.array([np.sin(a) * np.cos(e), -np.cos(a) * np.cos(e), np.sin(e)])  # from the scene to the eye
        self._axes = np.stack([right, np.cross(right, self.towards)])  # to the right and down
        seen = points @ self._axes.T
        extent = np.maximum(np.ptp(seen, axis=0), 1e-12)
        margin = 0.06 * extent.max()
        self._scale = width / (extent[0] + 2 * margin)
        self._origin = seen.min(axis=0) - margin
        self.width, self.height = width, int(np.ceil(self._scale * (extent[1] + 2 * margin)))

    def __call__(self, points):
        """Places on the sheet [px] (n, 2) of points [m] (n, 3)."""
        return (np.asarray(points, float).reshape(-1, 3) @ self._axes.T - self._origin) * self._scale

    def page(self, layers, caption):
        """A complete SVG document."""
        full = self.height + CAPTION
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{full}" '
            f'viewBox="0 0 {self.width} {full}"><rect width="100%" height="100%" fill="#ffffff"/>'
            '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="6" markerHeight="6" '
            f'orient="auto"><path d="M0 1L10 5L0 9Z" fill="{FORCE}"/></marker></defs>{"".join(layers)}'
            f'<text x="24" y="{self.height + 16}" font-family="Helvetica Neue,Arial,sans-serif" font-size="14" '
            f'fill="#333333">{escape(caption)}</text></svg>\n'
        )


def draw_structure(structure, width=900):
    """Draw a Structure, supports darker than free blocks.

    Parameters
    ----------
    structure : Structure
    width : int
        Of the picture [px].

    Returns
    -------
    str
        A complete SVG document.
    """
    shapes = _shapes(structure)
    sheet = _sheet(shapes, width)
    caption = "{}: {} blocks, {} supports".format(structure.name, len(structure.blocks), len(structure.supports))
    return sheet.page([_solids(sheet, shapes, 1.0)], caption)


def draw_static(result, width=900):
    """Draw a StaticResult: with its forces if it stands, and a moment later if it falls.

    Parameters
    ----------
    result : StaticResult
    width : int
        Of the picture [px].

    Returns
    -------
    str
        A complete SVG document.
    """
    shapes, moved = _shapes(result.structure), _moved(result)
    sheet = _sheet(shapes + moved, width)
    if moved:
        fixed = [shape for shape, block in zip(shapes, result.structure.blocks) if block.support]
        layers = [_solids(sheet, shapes, 0.25), _solids(sheet, moved + fixed, 1.0)]
    else:
        layers = [_solids(sheet, shapes, 0.9), _thrust(sheet, result), _forces(sheet, result)]
    return sheet.page(layers, _caption(result))


def _shapes(structure):
    """(vertices, faces, colour) of every block."""
    return [(*block.surface(), SUPPORT if block.support else STONE) for block in structure.blocks]


def _moved(result):
    """The free blocks a moment later when the structure falls: the fastest point moves by 8 % of its size."""
    if result.mechanism is None:
        return []
    blocks = result.structure.blocks
    size = np.linalg.norm(np.ptp(result.structure.surfaces.vertices, axis=0))
    poses = result.displaced_vertices(0.08 * size)
    return [(points, block.surface()[1], MOVED) for points, block in zip(poses, blocks) if not block.support]


def _sheet(shapes, width):
    """Seen almost from the front for an arch or a wall, from a corner for a dome or a vault."""
    points = np.concatenate([vertices for vertices, _, _ in shapes])
    x, y, _ = np.ptp(points, axis=0)
    if y < 0.35 * x:
        return Sheet(points, width, -14.0, 9.0)
    if x < 0.35 * y:
        return Sheet(points, width, 76.0, 9.0)
    return Sheet(points, width, -32.0, 24.0)


def _solids(sheet, shapes, opacity):
    """Faces turned to the eye, far ones first."""
    drawn = []
    for vertices, faces, colour in shapes:
        paper, centre = sheet(vertices), vertices.mean(axis=0)
        for face in faces:
            corners = vertices[face]
            normal = _newell(corners)
            if normal @ sheet.towards <= 1e-9:
                continue
            # The block's centre breaks ties between faces of neighbours that lie in one plane.
            depth = corners.mean(axis=0) @ sheet.towards + 1e-3 * (centre @ sheet.towards)
            drawn.append((depth, paper[face], _shade(colour, normal)))
    drawn.sort(key=lambda item: item[0])
    paths = ['<path d="{}" fill="{}"/>'.format(_path(points), fill) for _, points, fill in drawn]
    style = 'stroke="{}" stroke-width="0.8" stroke-linejoin="round" opacity="{}"'.format(EDGE, opacity)
    return "<g {}>{}</g>".format(style, "".join(paths))


def _newell(corners):
    """Unit normal of a polygon, also of one that is not quite planar."""
    corners = corners - corners[0]
    normal = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
    return normal / max(np.linalg.norm(normal), 1e-300)


def _shade(colour, normal):
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    bright = 0.8 + 0.2 * (normal @ LIGHT) / np.linalg.norm(LIGHT)
    return "#{:02x}{:02x}{:02x}".format(*np.clip(rgb * bright, 0, 255).astype(int))


def _forces(sheet, result):
    """An arrow per loaded joint, pointing down into it: the force with which what lies above presses."""
    joints = [joint for joint in result.interfaces if joint.centre_of_pressure is not None]
    if not joints:
        return ""
    tips = np.array([joint.centre_of_pressure for joint in joints])
    forces = np.array([joint.resultant for joint in joints])
    forces *= np.where(forces[:, 2] > 0, -1.0, 1.0)[:, None]
    size = np.median(bounding_diagonals(result.structure.surfaces))
    largest = np.linalg.norm(forces, axis=1).max()
    tails = sheet(tips - forces / largest * 0.9 * size)
    lines = ['<path d="{}"/>'.format(_path(pair, "")) for pair in zip(tails, sheet(tips))]
    style = 'fill="none" stroke="{}" stroke-width="1.6" marker-end="url(#arrow)"'.format(FORCE)
    return "<g {}>{}</g>".format(style, "".join(lines))


def _thrust(sheet, result):
    lines = ['<path d="{}"/>'.format(_path(sheet(line), "")) for line in result.thrust_lines()]
    style = 'fill="none" stroke="{}" stroke-width="2.6" stroke-linejoin="round"'.format(THRUST)
    return "<g {}>{}</g>".format(style, "".join(lines))


def _path(points, close="Z"):
    return "M" + "L".join("{:.2f} {:.2f}".format(x, y) for x, y in points) + close


def _caption(result):
    numbers = result.summary
    parts = "{blocks} blocks, {interfaces} joints".format(**numbers)
    weight = "weight {:.1f} kN".format(numbers["weight_total"] / 1e3)
    if result.verdict != "stable":
        return "{} falls. {}, {}".format(result.structure.name, parts, weight)
    exact = "in balance to {:.0e} of a block's weight".format(numbers["unbalanced_max"])
    return "{} stands. {}, {}, {}".format(result.structure.name, parts, weight, exact)
