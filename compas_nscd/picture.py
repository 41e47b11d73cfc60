"""A picture of a result as SVG, drawn with numpy alone: blocks in parallel projection, forces and thrust on top."""

from xml.sax.saxutils import escape

import numpy as np

#: Colours of an ink-on-paper drawing: light stone, darker supports, one strong colour for forces, one for movement.
STONE, SUPPORT, EDGE, FORCE, THRUST, MOVED = "#e9e2d3", "#8d8a83", "#4a4640", "#b8431f", "#0b5d8c", "#c98b1d"
LIGHT = np.array([0.35, -0.75, 0.55])


class View:
    """Parallel projection.

    Parameters
    ----------
    azimuth, elevation : float
        Direction from which one looks: degrees from -y towards +x, and above the horizon.
    """

    def __init__(self, azimuth, elevation):
        a, e = np.radians([azimuth, elevation])
        self.right = np.array([np.cos(a), np.sin(a), 0.0])
        self.towards = np.array([np.sin(a) * np.cos(e), -np.cos(a) * np.cos(e), np.sin(e)])  # from the scene to the eye
        self.up = np.cross(self.towards, self.right)

    def __call__(self, points):
        """Paper coordinates of points [m] (n, 3): to the right and up (n, 2)."""
        return np.asarray(points, float).reshape(-1, 3) @ np.stack([self.right, self.up]).T


def view_of(vertices):
    """Almost frontal for an arch or a wall, from a corner for a dome or a vault."""
    extent = np.ptp(vertices, axis=0)
    if extent[1] < 0.35 * extent[0]:
        return View(-14.0, 9.0)
    if extent[0] < 0.35 * extent[1]:
        return View(76.0, 9.0)
    return View(-32.0, 24.0)


def draw_structure(structure, width=900):
    """Draw a Structure: supports darker than free blocks.

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
    blocks = structure.blocks
    every = np.concatenate([block.vertices for block in blocks])
    view = view_of(every)
    shapes = [(block.vertices, block.faces, SUPPORT if block.support else STONE) for block in blocks]
    caption = "{}: {} blocks, {} supports".format(structure.name, len(blocks), len(structure.supports))
    return _page([_solids(view, shapes, 1.0)], view(every), width, caption)


def draw_static(result, width=900):
    """Draw a StaticResult.

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
    blocks = result.structure.blocks
    view = view_of(np.concatenate([block.vertices for block in blocks]))
    shapes = [(block.vertices, block.faces, SUPPORT if block.support else STONE) for block in blocks]
    moved = _moved(result, blocks)
    layers = [_solids(view, shapes, 0.85 if not moved else 0.3)]
    if moved:
        layers.append(_solids(view, moved, 0.9))
    else:
        layers += [_thrust(view, result), _forces(view, result, blocks)]
    seen = view(np.concatenate([vertices for vertices, _, _ in shapes + moved]))
    return _page(layers, seen, width, _caption(result))


def _moved(result, blocks):
    """Blocks a moment later when the structure falls: the fastest point moves by 8 % of the structure's size."""
    if result.mechanism is None:
        return []
    size = np.linalg.norm(np.ptp(np.concatenate([block.vertices for block in blocks]), axis=0))
    poses = result.displaced_vertices(0.08 * size)
    return [(points, block.faces, MOVED) for points, block in zip(poses, blocks) if not block.support]


def _solids(view, shapes, opacity):
    """Faces turned to the eye, far ones first."""
    drawn = []
    for vertices, faces, colour in shapes:
        paper, centre = view(vertices), vertices.mean(axis=0)
        for face in faces:
            corners = vertices[face]
            normal = _newell(corners)
            if normal @ view.towards <= 1e-9:
                continue
            # The block's centre breaks ties between faces of neighbours that lie in one plane.
            depth = corners.mean(axis=0) @ view.towards + 1e-3 * (centre @ view.towards)
            drawn.append((depth, paper[face], _shade(colour, normal)))
    drawn.sort(key=lambda item: item[0])
    paths = ['<path d="{}" fill="{}"/>'.format(_path(points), fill) for _, points, fill in drawn]
    style = 'stroke="{}" stroke-width="0.8" stroke-linejoin="round" vector-effect="non-scaling-stroke"'.format(EDGE)
    return '<g {} opacity="{}">{}</g>'.format(style, opacity, "".join(paths))


def _newell(corners):
    normal = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
    return normal / max(np.linalg.norm(normal), 1e-300)


def _shade(colour, normal):
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    bright = 0.8 + 0.2 * (normal @ LIGHT) / np.linalg.norm(LIGHT)
    return "#{:02x}{:02x}{:02x}".format(*np.clip(rgb * bright, 0, 255).astype(int))


def _forces(view, result, blocks):
    """An arrow per loaded interface, as the block that carries feels it: pointing into the joint from above."""
    interfaces = [i for i in result.interfaces if i.centre_of_pressure is not None]
    if not interfaces:
        return ""
    tips = np.array([i.centre_of_pressure for i in interfaces])
    forces = np.array([i.resultant for i in interfaces])
    forces *= np.where(forces[:, 2] > 0, -1.0, 1.0)[:, None]
    size = np.median([np.linalg.norm(np.ptp(block.vertices, axis=0)) for block in blocks])
    largest = np.linalg.norm(forces, axis=1).max()
    tails = view(tips - forces / largest * 0.9 * size)
    lines = ['<path d="{}"/>'.format(_path(pair, "")) for pair in zip(tails, view(tips))]
    style = 'fill="none" stroke="{}" stroke-width="1.6" marker-end="url(#arrow)" vector-effect="non-scaling-stroke"'
    return "<g {}>{}</g>".format(style.format(FORCE), "".join(lines))


def _thrust(view, result):
    lines = ['<path d="{}"/>'.format(_path(view(line), "")) for line in result.thrust_lines()]
    style = 'fill="none" stroke="{}" stroke-width="2.6" stroke-linejoin="round" opacity="0.9"'.format(THRUST)
    return "<g {}>{}</g>".format(style, "".join(lines))


def _path(points, close="Z"):
    return "M" + "L".join("{:.4f} {:.4f}".format(x, -y) for x, y in points) + close


def _caption(result):
    numbers = result.summary
    verdict = "stands" if result.verdict == "stable" else "falls"
    text = "{}: {}. {} blocks, {} joints, weight {:.1f} kN, out of balance by {:.0e}"
    return text.format(
        result.structure.name, verdict, numbers["blocks"], numbers["interfaces"], numbers["weight_total"] / 1e3,
        numbers["unbalanced_max"],
    )


def _page(layers, seen, width, caption):
    low, high = seen.min(axis=0), seen.max(axis=0)
    margin = 0.06 * max(high - low)
    x, y = low[0] - margin, -high[1] - margin
    w, h = high[0] - low[0] + 2 * margin, high[1] - low[1] + 2 * margin
    height = int(width * h / w)
    marker = (
        '<marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="6" markerHeight="6" orient="auto">'
        '<path d="M0 1L10 5L0 9Z" fill="{}"/></marker>'.format(FORCE)
    )
    style = "path{vector-effect:non-scaling-stroke} text{font:14px 'Helvetica Neue',Arial,sans-serif;fill:#333}"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{full}" viewBox="0 0 {w} {full}">'
        '<style>{style}</style><rect width="100%" height="100%" fill="#ffffff"/>'
        '<svg width="{w}" height="{h}" viewBox="{box}"><defs>{marker}</defs>{layers}</svg>'
        '<text x="24" y="{base}">{caption}</text></svg>\n'
    ).format(
        w=width, h=height, full=height + 36, base=height + 16, style=style, marker=marker, layers="".join(layers),
        box="{:.4f} {:.4f} {:.4f} {:.4f}".format(x, y, w, h), caption=escape(caption),
    )
