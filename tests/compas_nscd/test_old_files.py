"""Files, definitions and import lines of version 0.1.0 keep working; `tests/data/v0_1_0/write.py` wrote the files."""

import ast
import base64
import importlib
import inspect
import json
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import compas
import numpy as np
import pytest
from compas.data import Data
from compas.data.encoders import cls_from_dtype

import compas_nscd
from compas_nscd import DynamicResult, Engine, LimitResult, StaticResult, Structure, ghpython, ghuser
from compas_nscd.errors import FileError, InputError

ROOT = Path(__file__).resolve().parents[2]
OLD = ROOT / "tests" / "data" / "v0_1_0"
EXPECTED = json.loads((OLD / "expected.json").read_text(encoding="utf-8"))
DEFINITIONS = sorted((ROOT / "examples" / "grasshopper").glob("*.ghx"))

KINDS = {"static": StaticResult, "limit": LimitResult, "motion": DynamicResult}
RESULTS = sorted(path.name for kind in KINDS for suffix in ("npz", "json") for path in OLD.glob(kind + "*." + suffix))
MOTIONS = sorted(name for name in EXPECTED["results"] if name.startswith("motion"))

#: COMPAS data, and the classes in it by their name in compas_nscd.
DATA = {
    "block": ["Block"],
    "blocks_round": ["Block", "Block"],
    "contact_laws": 9 * ["ContactLaw"],
    "force_ranges": ["ForceRanges"],
    "interface": ["Interface"],
    "joint_laws": ["JointLaw", "JointLaw"],
    "load_case": ["LoadCase"],
    "loads": 2 * ["PointLoad"]
    + ["SupportMotion"]
    + 5 * ["GroundMotion"]
    + ["BodyAcceleration", "Water"]
    + 2 * ["Cable"],
    "record_of": ["Structure", "LoadCase"],
    "settings": ["Settings"],
    "structure": ["Structure"],
    "structure_planar": ["Structure"],
}

#: What files of 0.1.0 call the classes.
DTYPES = (
    "compas_nscd.block/Block",
    "compas_nscd.cable/Cable",
    "compas_nscd.contact_law/ContactLaw",
    "compas_nscd.dynamic_result/DynamicResult",
    "compas_nscd.force_range/ForceRanges",
    "compas_nscd.gh_law/JointLaw",
    "compas_nscd.interface/Interface",
    "compas_nscd.limit_result/LimitResult",
    "compas_nscd.loadcase/LoadCase",
    "compas_nscd.loads/BodyAcceleration",
    "compas_nscd.loads/PointLoad",
    "compas_nscd.loads/SupportMotion",
    "compas_nscd.loads/Water",
    "compas_nscd.results/StaticResult",
    "compas_nscd.settings/Settings",
    "compas_nscd.shaking/GroundMotion",
    "compas_nscd.structure/Structure",
)

#: Import lines of the README, the docs and the examples.
LINES = (
    "from compas_nscd import Engine, LoadCase, Structure, funicular, thrust",
    "from compas_nscd import ghpython",
    "from compas_nscd import templates",
    "from compas_nscd.drawing import LAYERS, Curve",
    "from compas_nscd.history_plot import draw_history",
    "from compas_nscd.picture import draw_dynamic, draw_static, draw_structure",
    "from compas_nscd.report import render_report",
    "from compas_nscd.rhino import bake, structure_by_layers",
    "from compas_nscd.stages import Stage, run_stages",
    "from compas_nscd.templates import aqueduct, arch, arena_bay, bridge, buttressed_arch, cupola, cylinder, dome",
    "from compas_nscd.templates import rock_slope, spandrel_wall, stack, wall",
    "from compas_nscd.templates.shapes import box, prism",
    "from compas_nscd.threedm import write_static",
)

#: Modules that the docs name or that hold a public class, with the names that are told of them.
MODULES = {
    "block": "Block ContactLaw",
    "blockmodel": "friction_contacts to_blockmodel to_results",
    "cable": "Cable",
    "cli": "main",
    "client": "Engine",
    "contact_law": "ContactLaw",
    "distribution": "with_proportional_shear",
    "drawing": "Curve LAYERS draw_static",
    "dynamic_result": "DynamicResult",
    "errors": "FileError InputError NscdError",
    "force_range": "ForceRanges",
    "funicular": "extreme ring through",
    "gh_law": "JointLaw",
    "ghpython": "animate block cable contact_law crack_map deconstruct_dynamic deconstruct_static displaced_blocks "
    "dynamic engine force_arrows ground_motion html_report install interfaces joint_law limit load_case load_result "
    "point_load run save_result session settings static stress_crosses structure structure_from_file support_motion "
    "templates thrust_line",
    "ghuser": "main read",
    "ground_motion": "read_record",
    "history_plot": "draw_cable_history draw_history",
    "interface": "Interface",
    "joints": "Joints cracks",
    "limit_parameter": "limit_parameter",
    "limit_request": "limit_request",
    "limit_result": "LimitResult",
    "loadcase": "BodyAcceleration Cable GroundMotion LoadCase PointLoad SupportMotion Water sampled",
    "loads": "BodyAcceleration PointLoad SupportMotion Water",
    "materials": "joint_law material",
    "motion_forces": "pair_forces",
    "picture": "draw_dynamic draw_static draw_structure",
    "polar_plot": "draw_polar",
    "report": "render_report",
    "results": "Interface StaticResult",
    "rhino": "bake clear structure_by_layers",
    "scene": "DynamicScene StaticScene",
    "settings": "Settings",
    "shaking": "GroundMotion",
    "stages": "Stage run_stages",
    "strength": "crushing",
    "stress": "stresses",
    "structure": "Structure",
    "templates": "arch",
    "templates.limits": "watched",
    "templates.shapes": "box prism",
    "threedm": "write_dynamic write_static write_structure",
    "thrust": "envelopes force_network labels thrust_lines",
    "wire": "pack unpack",
}


def value(thing, path):
    """What stands at the end of a path of attributes and items."""
    for part in path.split("."):
        if part.lstrip("-").isdigit():
            thing = thing[int(part)]
        else:
            thing = thing[part] if isinstance(thing, dict) else getattr(thing, part)
    return thing


def plain(thing):
    """Objects of COMPAS, and what stands for them in files, as their data."""
    if isinstance(thing, Data):
        return plain(thing.__data__)
    if isinstance(thing, np.ndarray):
        return thing.tolist()
    if isinstance(thing, dict):
        return plain(thing["data"]) if "dtype" in thing else {key: plain(each) for key, each in thing.items()}
    return [plain(each) for each in thing] if isinstance(thing, (list, tuple)) else thing


def assert_holds(found, wanted, where="", rel=1e-9, least=1e-12):
    """Everything that is wanted was found; what has come since may be there too.

    Parameters
    ----------
    where : str
        Begin of the path that an error tells.
    rel, least : float
        Numbers may differ by this share, and by this much.
    """
    if isinstance(wanted, dict):
        for key, each in wanted.items():
            assert key in found or each is None, "{}.{}".format(where, key)
            assert_holds(found.get(key), each, "{}.{}".format(where, key), rel, least)
    elif isinstance(wanted, list):
        assert len(found) == len(wanted), where
        for i, (mine, each) in enumerate(zip(found, wanted)):
            assert_holds(mine, each, "{}.{}".format(where, i), rel, least)
    elif isinstance(wanted, float):
        assert found == pytest.approx(wanted, rel=rel, abs=least, nan_ok=True), where
    else:
        assert found == wanted, where


def kind_of(name):
    return KINDS[name.split(".")[0].split("_")[0]]


# -- files ---------------------------------------------------------------------------------------------------------


@pytest.mark.short
def test_every_file_is_opened_by_a_test():
    known = {name + ".json" for name in list(DATA) + list(EXPECTED["scenes"])} | set(RESULTS) | set(EXPECTED["threedm"])
    known |= {"record.nscdrec", "record.nscdchk", "expected.json", "write.py"}
    assert {path.name for path in OLD.iterdir() if path.is_file()} == known
    assert {name.split(".")[0] for name in RESULTS} == set(EXPECTED["results"])


@pytest.mark.short
@pytest.mark.parametrize("name", sorted(EXPECTED["scenes"]))
def test_scenes(name):
    structure = Structure.from_file(OLD / (name + ".json"))
    assert_holds(plain(structure), EXPECTED["scenes"][name])


@pytest.mark.short
@pytest.mark.parametrize("name", sorted(EXPECTED["threedm"]))
def test_rhino_files(name):
    pytest.importorskip("rhino3dm")
    assert_holds(plain(Structure.from_file(OLD / name)), EXPECTED["threedm"][name])


@pytest.mark.short
@pytest.mark.parametrize("name", sorted(DATA))
def test_data_of_compas(name):
    path = OLD / (name + ".json")
    tree, found = json.loads(path.read_text(encoding="utf-8")), compas.json_load(str(path))
    assert [type(each).__name__ for each in (found if isinstance(found, list) else [found])] == DATA[name]
    assert_holds(plain(found), plain(tree))
    again = compas.json_loads(compas.json_dumps(found))
    assert type(again) is type(found) and plain(again) == plain(found)


@pytest.mark.short
@pytest.mark.parametrize("name", ["structure", "structure_planar"])
def test_a_structure_in_data_of_compas_is_read_like_a_scene(name):
    path = OLD / (name + ".json")
    assert Structure.from_file(path) == compas.json_load(str(path))


@pytest.mark.short
@pytest.mark.parametrize("name", RESULTS)
def test_results(name, tmp_path):
    """They hold what they held, and can be saved again."""
    result = kind_of(name).load(OLD / name)
    assert type(result) is kind_of(name)
    for path, wanted in EXPECTED["results"][name.split(".")[0]].items():
        if path != "further":
            assert_holds(plain(value(result, path)), wanted, path)
    if name.endswith(".json"):
        decoded = compas.json_load(str(OLD / name))
        assert decoded == result == kind_of(name).load(OLD / name.replace(".json", ".npz"))
    result.save(tmp_path / name)
    assert kind_of(name).load(tmp_path / name) == result


@pytest.mark.short
@pytest.mark.parametrize("name", ["static.npz", "limit.npz", "motion.npz", "static_laws.json", "limit.json"])
def test_a_result_is_of_its_own_kind_only(name):
    """The component Load Result tries one kind after the other."""
    for kind in set(KINDS.values()) - {kind_of(name)}:
        with pytest.raises(FileError, match="not a"):
            kind.load(OLD / name)


# -- motions that go on --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine():
    with Engine(reuse=False) as engine:
        yield engine


def assert_goes_on(engine, result, further, rel=1e-3, least=2e-5):
    """From where it was saved to about where 0.1.0 brought it.

    Steps are solved to 1e-3 of the external impulse, h g = 0.02 m/s here, and start from other friction bounds since.
    """
    step, options = further["step"], further["options"]
    rest = engine.dynamic(result.structure, result.case, 0.02, step, restart=result, **options).result()
    for path, wanted in further.items():
        if path not in ("step", "options"):
            assert_holds(plain(value(rest, path)), wanted, path, rel, least)


@pytest.mark.short
@pytest.mark.parametrize("name", [name for name in MOTIONS if name != "motion_laws"])
def test_a_motion_goes_on(engine, name):
    """Its checkpoint has a layout of its own, which is still read. Masses of these blocks are exact numbers."""
    result = DynamicResult.load(OLD / (name + ".npz"))
    further, rel, least = EXPECTED["results"][name]["further"], 1e-3, 2e-5
    if name == "motion_adaptive":  # automatic steps are shorter since: it rocks with another phase
        further, rel, least = {key: further[key] for key in ("step", "options", "position.-1")}, 5e-2, 1e-3
    assert_goes_on(engine, result, further, rel, least)


@pytest.mark.short
def test_a_motion_with_bonds_cannot_go_on(engine):
    """Joints have other points since: bonds are sections, no longer corners."""
    result = DynamicResult.load(OLD / "motion_laws.npz")
    with pytest.raises(InputError, match="other points"):
        engine.dynamic(result.structure, result.case, 0.02, 1e-3, restart=result).result()


@pytest.mark.short
def test_a_motion_that_was_broken_off_is_recovered_and_goes_on(engine, tmp_path, monkeypatch):
    (tmp_path / "records").mkdir()
    for suffix in (".nscdrec", ".nscdchk"):
        shutil.copyfile(str(OLD / ("record" + suffix)), str(tmp_path / "records" / ("record" + suffix)))
    structure, case = compas.json_load(str(OLD / "record_of.json"))
    with monkeypatch.context() as patch:
        patch.setenv("NSCD_HOME", str(tmp_path))
        with Engine(reuse=False) as other:
            assert [entry["record"] for entry in other.records()] == ["record"]
            result = other.recover("record", structure, case)
    expected = dict(EXPECTED["record"])
    further = expected.pop("further")
    for path, wanted in expected.items():
        assert_holds(plain(value(result, path)), wanted, path)
    assert_goes_on(engine, result, further)


# -- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.short
@pytest.mark.parametrize("dtype", DTYPES)
def test_old_names_of_classes(dtype):
    """They stand for the present class, and so does the name that this class is written with today."""
    cls, name = cls_from_dtype(dtype), dtype.split("/")[1]
    assert cls.__name__ == name and issubclass(cls, Data)
    if name in compas_nscd.__all__:
        assert cls is getattr(compas_nscd, name)
    today = "{}/{}".format(".".join(cls.__module__.split(".")[:2]), name)
    assert cls_from_dtype(today) is cls


@pytest.mark.short
def test_old_names_of_classes_in_a_new_process():
    """COMPAS imports what a file names, before anything else of the package is there."""
    paths = [str(OLD / (name + ".json")) for name in sorted(DATA)] + [str(OLD / "motion_laws.json")]
    code = "import compas\nfor path in {!r}:\n    compas.json_load(path)".format(paths)
    done = subprocess.run([sys.executable, "-c", code], cwd=str(ROOT), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.short
@pytest.mark.parametrize("line", LINES)
def test_old_import_lines(line):
    exec(line, {})


@pytest.fixture(scope="module")
def all_loaded():
    """Load what is in the folders that are called like old modules.

    A module that is loaded becomes an attribute of its package, also where a function of that name was.
    """
    for name in ("cli", "client", "drawing", "ghpython", "loads", "report", "results", "rhino", "templates"):
        package = importlib.import_module("compas_nscd." + name)
        for module in pkgutil.walk_packages(getattr(package, "__path__", []), package.__name__ + "."):
            importlib.import_module(module.name)


@pytest.mark.short
@pytest.mark.parametrize("module", sorted(MODULES))
def test_old_modules(module, all_loaded):
    """Their names are there, and their classes are the present ones."""
    found = importlib.import_module("compas_nscd." + module)
    assert found is value(compas_nscd, module)
    for name in MODULES[module].split():
        thing = getattr(found, name)
        assert not inspect.ismodule(thing), name
        assert name not in compas_nscd.__all__ or thing is getattr(compas_nscd, name), name


@pytest.mark.short
def test_modules_that_compas_is_told_of_are_there():
    for name in compas_nscd.__all_plugins__:
        importlib.import_module(name)


# -- Grasshopper ---------------------------------------------------------------------------------------------------


def scripts(chunk):
    """Code of all components in the tree of a file."""
    if chunk.name == "Script":
        yield base64.b64decode(chunk.get("Text")).decode("utf-8")
    for child in chunk.chunks:
        yield from scripts(child)


def assert_names_exist(tree):
    """What code imports of compas_nscd, and takes of `ghpython`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "compas_nscd":
            for alias in node.names:
                exec("from {} import {}".format(node.module, alias.name), {})
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == "ghpython":
            assert callable(getattr(ghpython, node.attr)), node.attr


@pytest.mark.short
@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda path: path.stem)
def test_definitions(path, all_loaded):
    codes = list(scripts(ghuser.read(path)))
    assert len(codes) >= 5
    for code in codes:
        assert_names_exist(ast.parse(code))


@pytest.mark.short
@pytest.mark.parametrize("component", sorted(EXPECTED["components"]))
def test_components_in_old_definitions(component, all_loaded):
    """Their code hands its inputs over in order, and passes on as many outputs as it has."""
    called = EXPECTED["components"][component]
    function = getattr(ghpython, called["function"])
    inspect.signature(function).bind("canvas", *called["inputs"])
    assert len(function.outputs) == len(called["outputs"])
