"""The example definitions run, as they are committed, on the canvas that stands in for Grasshopper."""

import pytest

from compas_nscd import ghuser
from compas_nscd.ghfiles import definition, picture
from compas_nscd.ghfiles.archive import NO_INDEX
from compas_nscd.ghfiles.bundle import read_bundles
from compas_nscd.ghfiles.component import SCRIPT_COMPONENT
from places import EXAMPLES
from rhino_net.canvas import Wire

pytest_plugins = ["gh_fixtures"]
DEFINITIONS = EXAMPLES / "grasshopper"
#: For an engine that still has to compile its kernels [s].
PATIENCE_S = 240.0


class Loader:
    """Puts the objects of a file on a canvas, sources first; `components` are ours, by the names of their folders."""

    def __init__(self, path, canvas):
        self.canvas, self.components, self.sources = canvas, {}, {}
        self.folders = {bundle.name: folder for folder, bundle in read_bundles().items()}
        waiting = list(picture.objects_of(ghuser.read(path)))
        while waiting:
            ready = [entry for entry in waiting if self.can_be_placed(entry)]
            assert ready, "wires in a circle, or from nowhere"
            for entry in ready:
                self.place(entry)
                waiting.remove(entry)

    def can_be_placed(self, entry):
        return all(source in self.sources for source, _ in picture.wires([entry]))

    def place(self, entry):
        container, kind = entry.child("Container"), entry.get("GUID")
        inputs, outputs = picture.parameters(container)
        given = {chunk.get("Name"): self.given(chunk) for chunk in inputs if chunk.get("SourceCount")}
        if kind == SCRIPT_COMPONENT:
            folder = self.folders[container.get("Name")]
            component = self.components[folder] = self.canvas.add(folder, **given)
            for chunk in outputs:
                self.sources[chunk.get("InstanceGuid")] = Wire(component, chunk.get("Name"))
        elif kind in definition.UNIT_VECTORS.values():
            axis = [float(kind == definition.UNIT_VECTORS[name]) for name in "xyz"]
            vector = self.canvas.shapes.vector(*[given.get("Factor", 1.0) * part for part in axis])
            self.sources[outputs[0].get("InstanceGuid")] = vector
        else:
            self.sources[container.get("InstanceGuid")] = self.constant(kind, container)

    def given(self, chunk):
        (source,) = [item.value for item in chunk.items if item.name == "Source" and item.index != NO_INDEX]
        return self.sources[source]

    def constant(self, kind, container):
        if kind == definition.SLIDER:
            value = container.child("Slider").get("Value")
            return int(value) if container.child("Slider").get("Digits") == 0 else value
        return container.get("ToggleValue" if kind == definition.TOGGLE else "UserText")


def _clean(loader):
    """No component complains."""
    for folder, component in loader.components.items():
        assert component.messages("Error") + component.messages("Warning") == [], folder


def test_arch(live, rhino):
    loader = Loader(DEFINITIONS / "arch.ghx", live)
    static = loader.components["Nscd_Static"]
    live.solve()
    assert rhino.idle(lambda: static.outputs.get("stands") is not None, PATIENCE_S)
    _clean(loader)
    assert static["stands"] is True
    assert loader.components["Nscd_ThrustLine"]["lines"] and loader.components["Nscd_ForceArrows"]["arrows"]
    loader.components["Nscd_Templates"].set(thickness=0.5)  # docs/grasshopper.md says that it falls
    live.solve()
    assert rhino.idle(lambda: static.outputs.get("stands") is False, PATIENCE_S)


def test_limit(live, rhino):
    """The multiplier is that of the engine for the same arch, and another one when something else is varied."""
    loader = Loader(DEFINITIONS / "limit.ghx", live)
    found = loader.components["Nscd_Limit"]
    live.solve()
    assert rhino.idle(lambda: found.outputs.get("multiplier") is not None, PATIENCE_S)
    _clean(loader)
    assert found["result"].vary == "acceleration:x" and 0.1 < found["multiplier"] < 1.0
    assert len(found["hinges"]) == 4 and len(found["blocks"].lists()) == len(found["result"].structure.blocks)
    assert loader.components["Nscd_ThrustLine"]["lines"] and loader.components["Nscd_ForceArrows"]["arrows"]
    pushed = found["multiplier"]
    loader.components["Nscd_Limit"].set(vary="tilt:x")
    live.solve()
    assert rhino.idle(lambda: found["result"].vary == "tilt:x", PATIENCE_S)
    assert found["multiplier"] == pytest.approx(pushed, rel=1e-5)  # a tilted table pushes by its tangent


def test_slow_settlement(live, rhino):
    """After the weight the support goes down by what the slider says, in ten increments."""
    loader = Loader(DEFINITIONS / "slow_settlement.ghx", live)
    found = loader.components["Nscd_Quasistatic"]
    live.solve()
    assert rhino.idle(lambda: found.outputs.get("verdict") == "balance", PATIENCE_S), found.told
    _clean(loader)
    result = found["result"]
    assert len(found["loads"]) == 12 and loader.components["Nscd_ForceArrows"]["arrows"]
    assert result.displacement[result.structure.index("right"), 2] == pytest.approx(-0.02)
    assert found["displacements"][-1] == pytest.approx(0.02) and found["displacements"][1] < 1e-3


def test_modes(live, rhino):
    loader = Loader(DEFINITIONS / "modes.ghx", live)
    found = loader.components["Nscd_Modes"]
    live.solve()
    assert rhino.idle(lambda: found.outputs.get("result") is not None, PATIENCE_S), found.told
    _clean(loader)
    assert len(found["frequencies"]) == 6 and found["frequencies"][0] > 0.0
    assert len(found["blocks"].lists()) == len(found["result"].structure.blocks)


@pytest.mark.parametrize("name", ["wall_shaking", "settlement"])
def test_motions(live, rhino, name):
    loader = Loader(DEFINITIONS / (name + ".ghx"), live)
    dynamic = loader.components["Nscd_Dynamic"]
    live.solve()
    assert dynamic.Message == "ready"
    dynamic.set(duration=0.2, compute=True)
    live.solve()
    assert rhino.idle(lambda: dynamic.outputs.get("progress") == 1.0, seconds=PATIENCE_S), dynamic.told
    rhino.idle(lambda: False, seconds=0.2)
    _clean(loader)
    assert dynamic["result"].times[-1] == pytest.approx(0.2, abs=0.01)
    assert len(loader.components["Nscd_Animate"]["blocks"].lists()) == len(dynamic["result"].structure.blocks)
