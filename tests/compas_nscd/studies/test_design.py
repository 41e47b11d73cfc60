"""Search for the least value of a parameter, indices of sensitivity, Pareto fronts, and the whole way of a motion."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from compas_nscd import Engine, LoadCase, Settings, templates
from compas_nscd.blocks.contact_stiffness import ContactStiffness
from compas_nscd.drawing.study_plots import Point, draw_fragility, draw_hunts, draw_pareto, draw_spectra
from compas_nscd.errors import InputError
from compas_nscd.report.study_page import render_study
from compas_nscd.studies import Study
from compas_nscd.studies.design import least
from compas_nscd.studies.measures import collapsed, kept
from compas_nscd.studies.running.executors import pool_of
from compas_nscd.studies.statistics.fragility import fit_counts
from compas_nscd.studies.statistics.pareto import pareto_front
from compas_nscd.studies.statistics.sensitivity import sensitivity
from compas_nscd.studies.table import Table
from study_tools import EngineHere, Inline


class SlopeEngine(EngineHere):
    """Limit analyses of a made-up structure: the multiplier is 4 (thickness - 0.2)."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def limit(self, structure, case=None, settings=None, **options):
        result = self.static(structure, case, settings)
        thickness = structure.note
        self.asked.append(thickness)
        result.summary.update(status="limit", multiplier_associated=4.0 * (thickness - 0.2), multiplier_coulomb=None)
        return result


def noted(thickness=0.5):
    """A stack that remembers its parameter."""
    structure = templates.stack(blocks=1)
    structure.note = thickness
    return structure


def test_least_thickness_of_an_arch_by_its_verdict():
    """Least thickness of a semicircle over its radius is 0.1075 (Milankovitch); of 24 voussoirs a little less."""
    study = Study("arch", parameters={"span": 2.0, "blocks": 24, "friction": 2.0})
    engine = SlopeEngine()
    found = least(study, "thickness", 0.08, 0.2, tolerance=1e-2, engine=engine)
    assert found.fails < found.value and found.value - found.fails <= 1.3e-3 and found.row["collapse"] is False
    assert 0.09 < found.fails and found.value < 0.115
    assert found.analyses <= 10


def test_a_margin_is_found_in_few_analyses():
    study = Study(noted, analysis="limit", options={"vary": "loads"})
    engine = SlopeEngine()
    found = least(study, "thickness", 0.3, 1.0, margin=("multiplier_associated", 1.5), tolerance=1e-3, engine=engine)
    assert found.fails <= 0.575 <= found.value and found.value - found.fails <= 1e-3
    assert found.analyses <= 8 and len(set(engine.asked)) == len(engine.asked)


def test_a_requirement_that_never_changes_is_told():
    study = Study(noted, analysis="limit", options={"vary": "loads"})
    with pytest.raises(InputError, match="does not hold at both ends"):
        least(study, "thickness", 0.3, 0.4, margin=("multiplier_associated", 1.5), engine=SlopeEngine())
    with pytest.raises(InputError, match="no parameter"):
        least(study, "width", 0.3, 0.4, engine=SlopeEngine())
    with pytest.raises(InputError, match="the lower first"):
        least(study, "thickness", 0.4, 0.3, engine=SlopeEngine())


def rows(**columns):
    """Table of runs with these columns."""
    lines = []
    for k, values in enumerate(zip(*columns.values())):
        line = {"key": str(k), "values": dict(zip(columns, values)), "motion": None, "level": None, "factor": None}
        lines.append(dict(line, collapse=False, found={}, error=None))
    return Table(lines)


def test_pareto_front_of_two_aims():
    table = rows(thickness=[1.0, 2.0, 3.0, 2.5, 1.0], margin=[1.0, 2.0, 2.0, 3.0, 0.5])
    assert pareto_front(table, {"thickness": "least", "margin": "most"}) == [0, 1, 3]
    assert pareto_front(table, {"thickness": "least", "margin": "most"}, lambda row: row["margin"] < 2.5) == [0, 1]
    with pytest.raises(InputError, match="Two aims"):
        pareto_front(table, {"thickness": "least"})


def shares_of(vary, sampler, runs):
    study = Study(lambda a=0.0, b=0.0, c=0.0: None, vary=vary, sampler=sampler, runs=runs)
    return study, {name: [sample[name] for sample in study.samples] for name in vary}


def test_sobol_indices_of_a_linear_function():
    """y = 3 a + b of uniform a and b: shares 0.9 and 0.1 of the variance; c has none."""
    pytest.importorskip("SALib")
    study, samples = shares_of({"a": (0.0, 1.0), "b": (0.0, 1.0), "c": (0.0, 1.0)}, "saltelli", 512)
    y = 3.0 * np.array(samples["a"]) + np.array(samples["b"])
    found = sensitivity(study, rows(**samples, y=y.tolist()), "y")
    assert [effect.parameter for effect in found] == ["a", "b", "c"]
    assert [effect.first for effect in found] == pytest.approx([0.9, 0.1, 0.0], abs=0.03)


def test_morris_effects_of_a_linear_function():
    pytest.importorskip("SALib")
    study, samples = shares_of({"a": (0.0, 1.0), "b": (0.0, 2.0)}, "morris", 6)
    y = 3.0 * np.array(samples["a"]) + np.array(samples["b"])
    found = sensitivity(study, rows(**samples, y=y.tolist()), "y")
    assert {effect.parameter: effect.first for effect in found} == pytest.approx({"a": 3.0, "b": 2.0}, rel=1e-6)
    with pytest.raises(InputError, match="every run"):
        sensitivity(study, rows(a=[1.0], y=[1.0]), "y")
    with pytest.raises(InputError, match="no indices"):
        sensitivity(Study("arch"), rows(y=[1.0]), "y")


def test_plots_are_svg_and_lead_to_runs():
    curve = fit_counts([1.0, 1.5, 2.0], [2, 25, 43], [54] * 3, replicates=20)
    points = [Point(1.0, 0.2, False, "#run-3", "run 3 <&>"), Point(2.0, 0.9, True, "#run-4")]
    pictures = [
        draw_fragility(curve, points, "PGA [g]", "Collapse"),
        draw_hunts([points], ("drift [-]", "PGA [g]"), "All"),
        draw_pareto(points, [0, 1], ("thickness [m]", "margin [-]")),
        draw_spectra(np.array([0.1, 1.0]), np.array([[0.2, 0.4], [0.1, 0.3]]), "Records"),
    ]
    for picture in pictures:
        ElementTree.fromstring(picture)
    assert all('href="#run-3"' in picture for picture in pictures[:3])


def test_page_of_a_study_without_motions(inline, tmp_path):
    study = Study("arch", vary={"thickness": [0.3, 0.7]})
    page = render_study(study, study.run(inline, out=tmp_path).table, {})
    assert "2 runs of the analysis static: 1 collapse, 1 stand, 0 failed." in page and "id='run-1'" in page


def test_crack_width_and_drift_of_a_block_that_slides():
    """Without friction a block at 0.5 m/s is 0.1 m away after 0.2 s: so far are points that touched, too."""
    block = templates.stack(blocks=1, friction=0.0)
    case = LoadCase()
    case.set_velocity(1, (0.5, 0.0, 0.0))
    options = {"duration": 0.2, "time_step": 0.01, "interval": 0.01}
    study = Study(block, case=case, analysis="dynamic", options=options, keep=["crack_width", "drift"])
    with Engine() as engine:
        found = kept(study.result({"key": "", "motion": None, "factor": None}, engine), study.keep)
    height = np.ptp(np.concatenate([each.vertices[:, 2] for each in block.blocks]))
    assert found["drift"] == pytest.approx(0.1 / height, rel=1e-6)
    assert found["crack_width"] == pytest.approx(0.095, rel=1e-6)  # since the first frame with forces, after one step


@pytest.mark.parametrize("options", [{}, {"threads": 2}])
def test_settings_have_one_thread_unless_given(options):
    assert Settings(**Study("arch", settings=options).settings).threads == (options or {"threads": 1})["threads"]


def test_an_executor_is_given_its_own_number_of_workers():
    assert pool_of(Inline()).workers == 1


def test_quasi_static_runs_get_their_springs():
    """`nscd quasistatic` has the same names: kn, kt, ktwist, kbend."""
    asked = {}

    class Springs(EngineHere):
        def quasistatic(self, structure, case, stiffness, settings, **options):
            asked.update(options, stiffness=stiffness, threads=settings.threads)
            result = self.static(structure, case, settings)
            result.summary.update(verdict="mechanism", displacement_max=0.1, error_max=1e-9)
            return result

    study = Study("stack", analysis="quasistatic", options={"kn": 1e9, "kt": 5e8, "method": "kishino"})
    result = study.result({"key": "", "motion": None, "factor": None}, Springs())
    assert asked.pop("stiffness").__data__ == ContactStiffness(1e9, 5e8).__data__
    assert asked == {"method": "kishino", "threads": 1}
    assert collapsed(result) and kept(result, study.keep)["displacement_max"] == 0.1
    with pytest.raises(InputError, match="needs the option kt"):
        Study("stack", analysis="quasistatic", options={"kn": 1e9})
