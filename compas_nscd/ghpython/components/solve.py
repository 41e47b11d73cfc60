"""Components of the group Solve: settings, static and dynamic analysis; limit analysis is in `limit`."""

from typing import Any

from compas_nscd.errors import CancelledError
from compas_nscd.ghpython.canvas import Canvas, Count, Flag, Items, Number, Text, component
from compas_nscd.ghpython.live_analysis import LiveDynamic, LiveStatic, lines_of, newest, same_content, word_of
from compas_nscd.ghpython.wires import items
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure

#: Interval between two recorded frames of a motion unless given [s]. Larger: animations jerk. Smaller: larger results.
FRAME_S = 0.04


@component("settings")
def settings(
    canvas: Canvas,
    solver: Text,
    friction: Text,
    tolerance: Number,
    max_iterations: Count,
    gap_tolerance: Number,
    angle_tolerance: Number,
    threads: Count,
    unsupported: Flag,
) -> Any:
    """Component Settings: inputs that are not connected have their defaults."""
    given = dict(
        solver=solver,
        friction=friction,
        tolerance=tolerance,
        max_iterations=max_iterations,
        gap_tolerance=gap_tolerance,
        angle_tolerance=angle_tolerance,
        threads=threads,
        unsupported=unsupported,
    )
    made = Settings()
    for key, value in given.items():
        if value is not None:
            with canvas.input(key):
                setattr(made, key, value)
    return made


@component("result", "stands", "assured", "info")
def static_analysis(canvas: Canvas, structure: Any, case: Any, settings: Any, compute: Flag) -> Any:
    """Component Static Analysis: solves at every change of its inputs; shows the last answer until the newest comes."""
    structure = canvas.need("structure", structure, Structure)
    case = canvas.maybe("case", case, LoadCase)
    settings = canvas.maybe("settings", settings, Settings)
    shown = newest(canvas, canvas.kept(LiveStatic.of), (structure, case, settings), compute)
    stands, assured = shown.verdict(lambda result: result.stands), shown.verdict(lambda result: result.assured)
    return shown.result, stands, assured, shown.info


@component("result", "stands", "info")
def static(canvas: Canvas, structure: Any, case: Any, settings: Any, compute: Flag) -> Any:
    """Component Static Analysis in definitions of 0.1.0, which have no output `assured`."""
    result, stands, _, info = static_analysis(canvas, structure, case, settings, compute)
    return result, stands, info


@component("result", "progress", "info")
def dynamic(
    canvas: Canvas,
    structure: Any,
    case: Any,
    duration: Number,
    time_step: Any,
    settings: Any,
    interval: Number,
    forces: Flag,
    probes: Items,
    compute: Flag,
) -> Any:
    """Component Dynamic Analysis: runs while `compute` is true; keeps its result until an input changes."""
    structure = canvas.need("structure", structure, Structure)
    case = canvas.maybe("case", case, LoadCase)
    settings = canvas.maybe("settings", settings, Settings)
    probes = tuple(items(probes))
    step = "auto" if time_step is None else time_step
    duration = 1.0 if duration is None else duration
    state = canvas.kept(LiveDynamic.of)
    pressed = state.pressed(compute)
    changed = state.new((structure, case, duration, step, settings, interval, forces, probes), same_content)
    if changed or (pressed and not state.complete):
        state.worker.forget()
    if compute and not state.worker.busy and state.worker.answer is None:
        options = dict(interval=FRAME_S if interval is None else interval, forces=bool(forces), probes=probes)
        state.worker.ask((structure, case, duration, step, settings, options))
    elif not compute:
        state.worker.cut()
    found = state.worker.look(canvas.patience(0.0))
    if state.worker.busy:
        canvas.message(canvas.record.text(canvas.number) or "starting")
        return None, 0.0, ["running" if compute else "being cancelled"]
    if found is None:
        canvas.message("ready")
        return None, 0.0, ["Set compute to true."]
    if found.error is not None:
        canvas.message("cancelled" if isinstance(found.error, CancelledError) else "failed")
        canvas.error(str(found.error))
        return None, 0.0, [str(found.error)]
    result = found.value
    canvas.warnings(result.warnings)
    canvas.message("{} to {:g} s".format(word_of(result), result.times[-1]))
    if state.complete:
        return result, 1.0, lines_of(result)
    canvas.remark("Cancelled: the result ends where the computation was stopped.")
    return result, min(result.summary["simulated_s"] / duration, 1.0), lines_of(result)
