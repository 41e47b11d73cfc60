"""The verbs `modes` and `submodel`, through the bytes of the wire and the command line."""

import json

import numpy as np
import pytest

from analysed import box
from compas_nscd import ContactLaw, Elastic, Structure, wire
from compas_nscd.cli import main
from compas_nscd.client.elastic_requests import ModesRequest, SubmodelRequest
from compas_nscd.drawing.picture import draw_mode
from compas_nscd.errors import InputError, MaterialError, ProtocolError, SettingsError
from nscd_engine.core.monitor import Monitor
from nscd_engine.service.verbs import ANALYSES
from nscd_engine.service.verbs import run as answer

YOUNG, DENSITY = 1e9, 2000.0
FINE = Elastic(young=YOUNG, poisson=0.2, elements="h8", refine=4)


def column(blocks=4, elastic=None):
    """Cubes of 0.5 m on a support, the free ones elastic."""
    cubes = [
        box((0, 0, 0.5 * k), (0.5, 0.5, 0.5 * k + 0.5), density=DENSITY, support=k == 0) for k in range(blocks + 1)
    ]
    structure = Structure(cubes, ContactLaw(0.6))
    if elastic is not None:
        structure.deform(elastic)
    return structure


def ask(request):
    """Result of a request, computed in this process."""
    reply = answer(ANALYSES[request.verb], wire.unpack(request.packed), Monitor())
    return request.result(wire.unpack(wire.pack(reply)))


@pytest.fixture(scope="module")
def modes():
    """Modes of a column of four deformable cubes, nu = 0."""
    return ask(ModesRequest(column(4, Elastic(young=YOUNG, poisson=0.0, elements="h8", refine=2)), 8))


def test_axial_mode_of_a_column(modes):
    """f = c / 4L, and 8 / pi^2 of the mass follows the ground along z."""
    k = int(np.argmax(modes.modal_mass[:, 2]))
    assert modes.frequency[k] == pytest.approx((YOUNG / DENSITY) ** 0.5 / (4.0 * 2.0), rel=0.005)
    assert modes.modal_mass[k, 2] == pytest.approx(8.0 / np.pi**2 * 4.0 * 250.0, rel=0.01)
    assert modes.period[k] == 1.0 / modes.frequency[k]


def test_shapes_are_of_the_vertices(modes):
    assert len(modes) == 8 and (np.diff(modes.frequency) >= -1e-9).all()
    assert np.linalg.norm(modes.shape, axis=2).max(axis=1) == pytest.approx(np.ones(8))
    assert not modes.displacement(0, 0).any()  # the support
    top = modes.moved(0, size=0.1)[4][0] - modes.structure.blocks[4].vertices
    assert np.linalg.norm(top, axis=1).max() == pytest.approx(0.1 * np.linalg.norm([0.5, 0.5, 2.5]))
    with pytest.raises(InputError, match="0 to 7"):
        modes.moved(8)


def test_a_mode_is_drawn_and_kept(modes):
    assert "mode 1, {:.4g} Hz".format(modes.frequency[1]) in draw_mode(modes, 1)
    again = type(modes).from_jsonstring(modes.to_jsonstring())
    assert (again.shape == modes.shape).all() and (again.frequency == modes.frequency).all()


def test_one_block_alone():
    """A free cube, nu = 0: no momentum, the other blocks at rest, frequencies above those of the column."""
    structure = column(2, Elastic(young=YOUNG, poisson=0.0, elements="h8", refine=2))
    found = ask(ModesRequest(structure, 4, block=1))
    assert len(found) == 4 and (found.frequency > ask(ModesRequest(structure, 1)).frequency[0]).all()
    assert found.modal_mass.max() < 1e-9 * 250.0
    assert found.displacement(0, 1).any() and not found.displacement(0, 2).any()


def test_modes_of_rigid_blocks_are_refused():
    with pytest.raises(InputError, match="elastic"):
        ask(ModesRequest(column(2)))
    with pytest.raises(InputError, match="rigid"):
        ask(ModesRequest(column(2), block=1))


@pytest.mark.parametrize("count", [0, -1, 10**6, 2.5])
def test_count_of_modes_is_checked(count):
    with pytest.raises(SettingsError, match="count"):
        ask(ModesRequest(column(1, FINE), count))


def test_block_at_the_foot_of_a_column():
    """The mean stress is that of the weight above its middle, smooth faces or rough."""
    weight = DENSITY * 9.81 * 0.125
    for roughness in (0.0, 1e-6):
        found = ask(SubmodelRequest(column(4), 1, FINE, roughness=roughness, seed=3))
        mean = found.elastic.volume @ found.elastic.stress[:, 2, 2] / 0.125
        assert mean == pytest.approx(-3.5 * weight / 0.25, rel=1e-6)
        assert found.elastic.summary["elements"] == 64
        assert found.force.sum(axis=0) == pytest.approx([0.0, 0.0, weight], abs=1e-6 * weight)
    assert found.tension > found.tension_smooth and found.rise > 1.0


def test_what_submodels_refuse():
    with pytest.raises(InputError, match="support"):
        ask(SubmodelRequest(column(2), 0, FINE))
    with pytest.raises(SettingsError, match="roughness"):
        ask(SubmodelRequest(column(2), 1, FINE, roughness=-1.0))
    with pytest.raises(InputError, match="no block|exist|There is"):
        SubmodelRequest(column(2), "nowhere", FINE)
    leaning = Structure(
        [box((0, 0, 0), (1, 1, 1), density=DENSITY, support=True), box((0.7, 0, 1), (2.7, 1, 2), density=DENSITY)],
        ContactLaw(0.6),
    )
    with pytest.raises(InputError, match="does not stand"):
        ask(SubmodelRequest(leaning, 1, FINE))


@pytest.mark.parametrize("damaged", [3, None, {"block": 1, "elastic": None}, {"block": 1, "elastic": {"young": 1e9}}])
def test_damaged_questions_are_refused(damaged):
    request = wire.unpack(SubmodelRequest(column(2), 1, FINE).packed)
    with pytest.raises(ProtocolError):
        answer(ANALYSES["submodel"], dict(request, submodel=damaged), Monitor())


@pytest.mark.slow
def test_commands(tmp_path, capsys):
    path, picture = tmp_path / "scene.json", tmp_path / "mode.svg"
    path.write_text(json.dumps(column(2).to_scene()))
    material = ["--elastic", "h8", "--young", "1e9", "--refine", "2"]
    assert main(["modes", str(path), *material, "--count", "3", "--picture", str(picture), "--json", "--quiet"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["frequency"]) == 3 and told["analysis"] == "modes" and "Hz" in picture.read_text(encoding="utf-8")
    assert main(["modes", str(path), *material, "--block", "1", "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["frequency"][0] > told["frequency"][0]
    assert main(["submodel", str(path), *material, "--block", "1", "--roughness", "1e-6", "--json", "--quiet"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["tension"] > told["tension_smooth"] and told["elastic"]["elements"] == 8
    assert main(["submodel", str(path), "--block", "1", "--quiet"]) == MaterialError.exit_status
