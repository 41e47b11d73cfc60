"""Components of the group Display: thrust, forces, stresses, cracks, displaced and moving blocks."""

import time as clock
from typing import Any, List, Optional

import numpy as np

from compas_nscd.drawing.motion_layout import layout_dynamic
from compas_nscd.drawing.shapes import TENSION, Curve, ramp
from compas_nscd.drawing.static_layout import block_colours, force_curves
from compas_nscd.errors import InputError
from compas_nscd.ghpython.canvas import Canvas, Flag, Items, Number, Text, component
from compas_nscd.ghpython.components.loads import block_key
from compas_nscd.ghpython.geometry import Poses, shades
from compas_nscd.ghpython.lifetime import expire
from compas_nscd.ghpython.wires import items
from compas_nscd.results import thrust
from compas_nscd.results.cracks import MOVED, cracks
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.pair_forces import recorded
from compas_nscd.results.static import DISPLACED, StaticResult

#: Interval between two frames of an animation [ms]. Larger: it jerks. Smaller: Rhino redraws all the time.
FRAME_MS = 40
#: Time in which a mechanism is played [s].
MECHANISM_S = 2.0
#: Displacement of its fastest vertex at the end [diagonal of a block].
MECHANISM_WAY = 1.0
#: N in a kN.
KN = 1e3
#: Pa in a MPa.
MPA = 1e6


@component("lines", "hinges", "labels", pure=True)
def thrust_line(canvas: Canvas, result: Any, blocks: Items, plane: Any) -> Any:
    """Component Thrust Line."""
    result = canvas.need("result", result, StaticResult)
    chain = [block_key(each) for each in items(blocks)] or None
    section = None
    if plane is not None:
        normal = plane.Normal
        section = (canvas.units.metres(plane.Origin), (normal.X, normal.Y, normal.Z))
    with canvas.input("blocks" if chain else "result"):
        lines = result.thrust_lines(chain, section)
    if not lines:
        canvas.remark("No chain of blocks was found: name the blocks of one, or give a section plane.")
    found = thrust.labels(result)
    return (
        [canvas.make.polyline(line) for line in lines if len(line) > 1],
        canvas.make.points([each.point for each in found]),
        [each.kind for each in found],
    )


@component("arrows", "values", "reactions", "reaction_values", "loads", "cables", "cable_values", pure=True)
def force_arrows(canvas: Canvas, result: Any, scale: Number, time: Number) -> Any:
    """Component Force Arrows."""
    result = canvas.need("result", result, (StaticResult, DynamicResult))
    scale = 1.0 if scale is None else scale
    if not isinstance(result, DynamicResult):
        curves = force_curves(result)
    elif recorded(result):
        with canvas.input("time"):
            curves = layout_dynamic(result, time).curves
    else:
        raise InputError("Input result has no forces.", remedy="Set forces of the component Dynamic to true.")

    def of(layer: str) -> List[Curve]:
        return [curve for curve in curves if curve.layer == layer]

    def arrows(some: List[Curve]) -> List[Any]:
        ends = np.array([curve.points for curve in some]).reshape(-1, 2, 3)
        ends[:, 0] = ends[:, 1] - scale * (ends[:, 1] - ends[:, 0])  # the tip stays where the force acts
        return canvas.make.lines(ends)

    forces, reactions, cables = of("forces"), of("reactions"), of("cables")
    return (
        canvas.tree(arrows(forces)),
        canvas.tree([curve.value / KN for curve in forces]),
        arrows(reactions),
        [curve.value / KN for curve in reactions],
        arrows(of("loads")),
        canvas.make.lines([curve.points for curve in cables]),
        [curve.value / KN for curve in cables],
    )


@component("compression", "tension", "compression_values", "tension_values", pure=True)
def stress_crosses(canvas: Canvas, result: Any, scale: Number) -> Any:
    """Component Stress Crosses."""
    result = canvas.need("result", result, StaticResult)
    size = (1.0 if scale is None else scale) * 0.6 * result.structure.block_size
    ends, values = result.stresses().crosses(size)
    lines = canvas.make.lines(ends)
    pressed = (values < 0.0).tolist()
    return (
        [line for line, is_pressed in zip(lines, pressed) if is_pressed],
        [line for line, is_pressed in zip(lines, pressed) if not is_pressed],
        (values[values < 0.0] / MPA).tolist(),
        (values[values >= 0.0] / MPA).tolist(),
    )


@component("outlines", "openings", "slips", "blocks", "colours", pure=True)
def crack_map(canvas: Canvas, result: Any, least: Number) -> Any:
    """Component Crack Map."""
    result = canvas.need("result", result, StaticResult)
    if result.mechanism is None:
        canvas.remark("It stands: no joint opens.")
    found = cracks(result, MOVED if least is None else least)
    top = max([max(each.opening, each.slip) for each in found], default=1.0)
    return (
        canvas.tree([canvas.make.polyline(each.outline, closed=True) for each in found]),
        [each.opening for each in found],
        [each.slip for each in found],
        canvas.tree([list(each.blocks) for each in found]),
        shades([ramp(max(each.opening, each.slip) / top, high=TENSION) for each in found]),
    )


@component("blocks", "names", "colours", pure=True)
def displaced_blocks(canvas: Canvas, result: Any, distance: Number, colour: Text) -> Any:
    """Component Displaced Blocks."""
    result = canvas.need("result", result, StaticResult)
    shift = DISPLACED * result.structure.block_size if distance is None else canvas.units.metres(distance)
    try:
        colours = block_colours(result, colour or "plain", [])
    except ValueError as error:
        raise InputError("Input colour: {}.".format(error))
    if result.mechanism is None:
        canvas.remark("It stands: nothing moves.")
    poses = Poses(result.centroid, *result.displaced_pose(shift))
    meshes = canvas.make.blocks(result.structure, poses, colours)
    return canvas.tree(meshes), canvas.tree(result.structure.names), canvas.tree(shades(colours))


class _Player:
    """State of the component Animate: the time of the motion that is shown, and when it was shown."""

    def __init__(self, canvas: Canvas):
        self._time = 0.0  # [s] of the motion
        self._seen: Optional[float] = None  # [s] of the clock; None while it does not play

    def advance(self, play: bool, first: float, last: float, start: float, speed: float, loop: bool) -> float:
        """Time of the motion to show [s], from `first` to `last`; `start` if it does not play yet.

        Parameters
        ----------
        speed : float
            Seconds of the motion in a second.
        """
        now = clock.monotonic()
        self._time = start if not play or self._seen is None else self._time + speed * (now - self._seen)
        if self._time > last and play and loop:
            self._time = first
        self._seen = now if play else None
        return min(max(self._time, first), last)

    def stop(self) -> None:
        """The component was deleted."""
        self._seen = None


@component("blocks", "time")
def animate(canvas: Canvas, result: Any, play: Flag, speed: Number, time: Number, loop: Flag) -> Any:
    """Component Animate: while it plays it asks for the next frame."""
    result = canvas.need("result", result, (StaticResult, DynamicResult))
    moving = isinstance(result, DynamicResult)
    first, last = (float(result.times[0]), float(result.times[-1])) if moving else (0.0, MECHANISM_S)
    start, pace = first if time is None else time, 1.0 if speed is None else speed
    shown = canvas.kept(_Player).advance(bool(play), first, last, start, pace, bool(loop))
    if play and (shown < last or loop):
        expire(canvas.component, FRAME_MS)
    if moving:
        pose = result.pose(shown)
    else:
        pose = result.displaced_pose(MECHANISM_WAY * result.structure.block_size * shown / MECHANISM_S)
    canvas.message("{:.2f} s".format(shown))
    return canvas.tree(canvas.make.blocks(result.structure, Poses(result.centroid, *pose))), shown
