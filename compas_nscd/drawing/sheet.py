"""A sheet of paper: parallel projection of a scene, and the page around the drawing."""

from typing import Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from compas_nscd.drawing import svg
from compas_nscd.drawing.shapes import Curve, Shape

#: Height of the caption below the drawing [px].
CAPTION = 36
#: Greatest height of a sheet [width]. Larger: pictures of towers do not fit a screen.
TALLEST = 1.2
#: Azimuth and elevation [degrees] of the eye.
FRONT, SIDE, CORNER, LEVEL = (-14.0, 9.0), (76.0, 9.0), (-32.0, 24.0), (0.0, 0.0)
#: Depth over width of a plan below which a structure is seen from the front or the side.
FLAT = 0.35
#: Azimuth and elevation of the eye [degrees].
View = Tuple[float, float]


class Sheet:
    """Parallel projection of the scene onto a sheet of paper.

    Parameters
    ----------
    points : array
        Points that must be visible [m]. (n, 3)
    width : int
        Of the sheet [px]; the height is in proportion, at most TALLEST times as much.
    azimuth, elevation : float
        Direction to the eye [degrees]: from -y towards +x, and above the horizon.

    Attributes
    ----------
    towards : array
        Unit vector to the eye. (3,)
    scale : float
        Pixels of a metre.
    width, height : int
        [px], without the caption.
    """

    def __init__(self, points: np.ndarray, width: int, azimuth: float, elevation: float):
        a, e = np.radians([azimuth, elevation])
        right = np.array([np.cos(a), np.sin(a), 0.0])
        self.towards = np.array([np.sin(a) * np.cos(e), -np.cos(a) * np.cos(e), np.sin(e)])
        self._axes = np.stack([right, np.cross(right, self.towards)])  # to the right and down
        seen = points @ self._axes.T
        extent = np.maximum(np.ptp(seen, axis=0), 1e-12)
        margin = 0.06 * extent.max()
        size = extent + 2 * margin
        self.scale = min(width / size[0], TALLEST * width / size[1])
        aside = 0.5 * (width / self.scale - size[0])  # [m] of paper at the left and at the right of a tower
        self._origin = seen.min(axis=0) - margin - [aside, 0.0]
        self.width, self.height = width, int(np.ceil(self.scale * size[1]))

    def __call__(self, points: Union[np.ndarray, Sequence]) -> np.ndarray:
        """Return places on the sheet [px] (n, 2) of points [m] (n, 3)."""
        return (np.asarray(points, float).reshape(-1, 3) @ self._axes.T - self._origin) * self.scale

    def page(self, layers: Iterable[str], caption: str, more: int = 0) -> str:
        """Return a complete SVG document; `more` is the height of a layer below the caption [px]."""
        below = svg.text((24, self.height + 16), caption, 14, "start")
        return svg.page(self.width, self.height + CAPTION + more, [*layers, below])


def fitting_sheet(shapes: List[Shape], curves: Sequence[Curve], width: int, view: Optional[View] = None) -> Sheet:
    """Sheet that shows an arch or a wall almost from the front, a dome or a vault from a corner."""
    points = np.concatenate([shape.vertices for shape in shapes])
    x, y, _ = np.ptp(points, axis=0)
    points = np.concatenate([points] + [curve.points for curve in curves])
    if view is None:
        view = FRONT if y < FLAT * x else SIDE if x < FLAT * y else CORNER
    return Sheet(points, width, *view)
