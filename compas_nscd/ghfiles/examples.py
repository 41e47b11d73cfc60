"""The example definitions, generated from the component folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from compas_nscd import __version__
from compas_nscd.ghfiles.bundle import Bundle, read_bundles
from compas_nscd.ghfiles.definition import Definition, Node, Pair

_METRES = "Lengths are in the unit of the Rhino document; these values are for metres."


def examples(source: str | Path | None = None) -> dict[str, Definition]:
    """All example definitions, by name; `source` is the folder of the components."""
    bundles = read_bundles(source)
    builders = (arch, wall_shaking, settlement, limit, slow_settlement, modes)
    return {build.__name__: build(bundles) for build in builders}


def arch(bundles: dict[str, Bundle]) -> Definition:
    """Stability and thrust line of an arch with sliders."""
    d = Definition("arch", "An arch: move the sliders, watch the thrust line.", __version__)
    d.panel("note", "An arch under its weight. " + _METRES, (40, 40), (200, 80))
    template = d.component(bundles["Nscd_Templates"], (320, 130))
    _sliders(d, template, 150, [("span", 4, 20, 10, 1), ("thickness", 0.2, 2, 0.75, 2), ("blocks", 5, 60, 20, 0)])
    static = d.component(bundles["Nscd_Static"], (640, 150))
    thrust = d.component(bundles["Nscd_ThrustLine"], (940, 60))
    arrows = d.component(bundles["Nscd_ForceArrows"], (940, 180))
    info = d.panel("info", "", (940, 340), (240, 120))
    moved = d.component(bundles["Nscd_DisplacedBlocks"], (940, 500))
    d.wire(template, static, "structure", "structure")
    for display in (thrust, arrows, moved):
        d.wire(static, display, "result", "result")
    d.wire(static, info, "info")
    scale = d.slider("scale", 0.1, 5, 1, (640, 290))
    d.wire(scale, arrows, input="scale")
    return d


def wall_shaking(bundles: dict[str, Bundle]) -> Definition:
    """A wall that rocks on ground shaking across it."""
    d = Definition("wall_shaking", "A wall on ground that shakes.", __version__)
    d.panel("note", "A wall on shaking ground: set compute to true, then play. " + _METRES, (40, 20), (200, 90))
    kind = d.panel("kind", "wall", (40, 130), (200, 22))
    template = d.component(bundles["Nscd_Templates"], (320, 120))
    d.wire(kind, template, input="kind")
    _sliders(d, template, 170, [("blocks", 3, 12, 5, 0), ("courses", 3, 15, 6, 0)])
    ground = d.component(bundles["Nscd_GroundMotion"], (320, 380))
    d.wire(d.unit_vector("across", "y", (175, 378)), ground, "Unit vector", "direction")
    _sliders(d, ground, 420, [("acceleration", 0, 10, 4, 1), ("frequency", 0.5, 10, 1.5, 1)])
    d.wire(d.slider("time of shaking", 0.5, 20, 2, (40, 500), 1), ground, input="duration")
    case = d.component(bundles["Nscd_LoadCase"], (590, 380))
    d.wire(ground, case, "ground", "ground")
    dynamic = _dynamic(d, bundles, template, case, ((840, 200), (590, 240), (670, 320)))
    _play(d, bundles, dynamic, (1120, 180))
    return d


def settlement(bundles: dict[str, Bundle]) -> Definition:
    """Settlement of a support of an arch."""
    d = Definition("settlement", "A support of an arch goes down.", __version__)
    d.panel("note", "The right support goes down: set compute to true, then play. " + _METRES, (40, 20), (200, 90))
    template = d.component(bundles["Nscd_Templates"], (320, 120))
    _sliders(d, template, 140, [("span", 4, 20, 10, 1), ("thickness", 0.2, 2, 1, 2), ("blocks", 5, 40, 16, 0)])
    down = d.unit_vector("down", "z", (320, 420))
    d.wire(d.slider("displacement", -1, 0, -0.3, (40, 422)), down, input="Factor")
    motion = d.component(bundles["Nscd_SupportMotion"], (460, 370))
    d.wire(d.panel("support", "right", (320, 370), (100, 22)), motion, input="block")
    d.wire(down, motion, "Unit vector", "displacement")
    d.wire(d.slider("time of settling", 0.5, 10, 2, (40, 472), 1), motion, input="duration")
    case = d.component(bundles["Nscd_LoadCase"], (670, 370))
    d.wire(motion, case, "motion", "support_motions")
    dynamic = _dynamic(d, bundles, template, case, ((900, 180), (640, 200), (720, 300)))
    _play(d, bundles, dynamic, (1180, 160))
    return d


def limit(bundles: dict[str, Bundle]) -> Definition:
    """Limit analysis of an arch with sliders."""
    d = Definition("limit", "How far an arch is from collapse, and how it falls.", __version__)
    text = "How much ground acceleration an arch takes, in g, and how it falls. Or vary tilt:x, spread:x, friction. "
    d.panel("note", text + _METRES, (40, 20), (200, 110))
    template = d.component(bundles["Nscd_Templates"], (320, 130))
    _sliders(d, template, 160, [("span", 4, 20, 10, 1), ("thickness", 0.2, 2, 1, 2), ("blocks", 5, 60, 20, 0)])
    found = d.component(bundles["Nscd_Limit"], (760, 130))
    d.wire(template, found, "structure", "structure")
    d.wire(d.panel("vary", "acceleration:x", (550, 200), (150, 22)), found, input="vary")
    d.wire(d.toggle("coulomb", False, (580, 245)), found, input="coulomb")
    for k, output in enumerate(("multiplier", "words", "info")):
        d.wire(found, d.panel(output, "", (1060, 40 + 90 * k), (260, 70)), output)
    for k, name in enumerate(("ThrustLine", "ForceArrows", "DisplacedBlocks")):
        d.wire(found, d.component(bundles["Nscd_" + name], (1060, 330 + 160 * k)), "result", "result")
    return d


def slow_settlement(bundles: dict[str, Bundle]) -> Definition:
    """An arch on joints with stiffness, one support of which goes down in increments."""
    d = Definition("slow_settlement", "How an arch follows a support that goes down slowly.", __version__)
    text = "The right support goes down slowly: how the joints open, and what the arch leans on. "
    d.panel("note", text + _METRES, (40, 20), (200, 110))
    template = d.component(bundles["Nscd_Templates"], (320, 130))
    _sliders(d, template, 160, [("span", 4, 20, 10, 1), ("thickness", 0.2, 2, 1, 2), ("blocks", 5, 40, 16, 0)])
    down = d.unit_vector("down", "z", (320, 420))
    d.wire(d.slider("displacement", -0.2, 0, -0.02, (40, 422), 3), down, input="Factor")
    motion = d.component(bundles["Nscd_SupportMotion"], (460, 370))
    d.wire(d.panel("support", "right", (320, 370), (100, 22)), motion, input="block")
    d.wire(down, motion, "Unit vector", "displacement")
    case = d.component(bundles["Nscd_LoadCase"], (670, 370))
    d.wire(motion, case, "motion", "support_motions")
    found = d.component(bundles["Nscd_Quasistatic"], (900, 150))
    d.wire(template, found, "structure", "structure")
    d.wire(case, found, "case", "case")
    d.wire(d.slider("steps", 1, 50, 10, (640, 260), 0), found, input="steps")
    for k, output in enumerate(("verdict", "displacements", "loads", "info")):
        d.wire(found, d.panel(output, "", (1200, 40 + 110 * k), (220, 90)), output)
    d.wire(found, d.component(bundles["Nscd_ForceArrows"], (1200, 500)), "result", "result")
    return d


def modes(bundles: dict[str, Bundle]) -> Definition:
    """Vibration modes of an arch of deformable blocks."""
    d = Definition("modes", "How an arch of deformable blocks vibrates.", __version__)
    text = "The vibration modes of an arch of limestone, joints closed. Move size to see it vibrate. "
    d.panel("note", text + _METRES, (40, 20), (200, 110))
    template = d.component(bundles["Nscd_Templates"], (320, 130))
    _sliders(d, template, 160, [("span", 4, 20, 10, 1), ("thickness", 0.2, 2, 0.75, 2), ("blocks", 5, 40, 20, 0)])
    stone = d.component(bundles["Nscd_Elastic"], (320, 420))
    d.wire(d.panel("elements", "h8", (40, 420), (160, 22)), stone, input="elements")
    d.wire(d.panel("material", "limestone", (40, 470), (160, 22)), stone, input="material")
    deform = d.component(bundles["Nscd_Deform"], (560, 180))
    d.wire(template, deform, "structure", "structure")
    d.wire(stone, deform, "elastic", "elastic")
    found = d.component(bundles["Nscd_Modes"], (900, 180))
    d.wire(deform, found, "structure", "structure")
    for k, row in enumerate([("count", 1, 20, 6, 0), ("mode", 0, 5, 0, 0), ("size", -0.1, 0.1, 0.1, 3)]):
        name, low, high, value, digits = row
        d.wire(d.slider(name, low, high, value, (560, 320 + 40 * k), digits), found, input=name)
    for k, output in enumerate(("frequencies", "masses", "info")):
        d.wire(found, d.panel(output, "", (1180, 40 + 130 * k), (220, 110)), output)
    static = d.component(bundles["Nscd_Static"], (900, 430))  # modes with closed joints are those of what stands
    d.wire(deform, static, "structure", "structure")
    d.wire(static, d.panel("stands", "", (1180, 450), (220, 22)), "stands")
    return d


def _dynamic(d: Definition, bundles: dict[str, Bundle], template: Node, case: Node, places: Sequence[Pair]) -> Node:
    """The component Dynamic, a slider for its duration and its toggle, at three places."""
    dynamic = d.component(bundles["Nscd_Dynamic"], places[0])
    d.wire(template, dynamic, "structure", "structure")
    d.wire(case, dynamic, "case", "case")
    d.wire(d.slider("duration", 0.5, 20, 3, places[1], 1), dynamic, input="duration")
    d.wire(d.toggle("compute", False, places[2]), dynamic, input="compute")
    return dynamic


def _sliders(d: Definition, node: Node, top: float, rows: Sequence[tuple]) -> None:
    """Sliders (input, low, high, value, digits) at the left edge of the canvas."""
    for i, (name, low, high, value, digits) in enumerate(rows):
        d.wire(d.slider(name, low, high, value, (40, top + 40 * i), digits), node, input=name)


def _play(d: Definition, bundles: dict[str, Bundle], dynamic: Node, at: Pair) -> None:
    """The animation and the messages of a dynamic analysis."""
    x, y = at
    animate = d.component(bundles["Nscd_Animate"], (x + 160, y))
    d.wire(dynamic, animate, "result", "result")
    d.wire(d.toggle("play", False, (x, y - 40)), animate, input="play")
    d.wire(dynamic, d.panel("info", "", (x + 160, y + 150), (220, 110)), "info")
