"""Writes the files in this folder. It runs with version 0.1.0 of compas_nscd only, whose files they are.

    cd CHECKOUT_OF_0.1.0 && PYTHONPATH=.:engine python PATH/write.py [FOLDER]

Nobody needs to run it again: it is kept to tell how the files came about. `expected.json` is what 0.1.0 made of them:
of scenes the data of the structure, of results the values of some attributes, of motions how they went on.
"""

import ast
import json
import sys
import time
from pathlib import Path

import compas
import numpy as np

import compas_nscd
from compas_nscd import (
    Block,
    BodyAcceleration,
    Cable,
    ContactLaw,
    DynamicResult,
    Engine,
    GroundMotion,
    LimitResult,
    LoadCase,
    PointLoad,
    Settings,
    StaticResult,
    Structure,
    SupportMotion,
    Water,
    ghpython,
    threedm,
)
from compas_nscd.gh_law import JointLaw
from compas_nscd.templates import arch

FACES = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
GUID = "0f8fad5b-d9cd-469f-a165-70867728950e"
#: Results that are saved as .json too; all are saved as .npz.
BOTH = ("static_laws", "static_falls", "limit", "limit_polar", "limit_spread", "motion_laws")
#: How long the motions go on after they were saved [s], and their step [s].
FURTHER, STEP = 0.02, 2e-3

#: Attributes of results that are kept; numbers are items of a sequence.
COMMON = ("verdict", "summary", "structure.names", "case.gravity")
STATIC = COMMON + (
    "stands",
    "support_reaction",
    "interface_resultants",
    "mechanism",
    "contact_broken",
    "displacement",
    "cable_force",
    "interface_law",
    "interfaces.0.blocks",
    "interfaces.0.status",
    "interfaces.0.friction_utilisation",
    "interfaces.0.section_utilisation",
)
LIMIT = STATIC + (
    "vary",
    "status",
    "multiplier_associated",
    "multiplier_coulomb",
    "multiplier_lowest",
    "coulomb_velocity",
    "direction_multipliers",
    "hinges",
    "slides",
)
MOTION = COMMON + ("times", "position.-1", "orientation.-1", "velocity.-1", "energies.-1", "ground", "probe_times")
MOTION_FORCES = MOTION + ("probe_displacement.-1", "contact_start", "contact_force")
MOTION_LAWS = MOTION + ("bond_body", "bond_left", "cable_force", "cable_forces", "cable_plastic", "cable_body")


def value(thing, path):
    """What stands at the end of a path of attributes and items, as JSON has it."""
    for part in path.split("."):
        if part.lstrip("-").isdigit():
            thing = thing[int(part)]
        else:
            thing = thing[part] if isinstance(thing, dict) else getattr(thing, part)
    return thing.tolist() if isinstance(thing, np.ndarray) else thing


def values(thing, paths):
    return {path: value(thing, path) for path in paths}


# -- structures ----------------------------------------------------------------------------------------------------


def corners(low, high):
    (x, y, z), (a, b, c) = low, high
    return [[x, y, z], [a, y, z], [a, b, z], [x, b, z], [x, y, c], [a, y, c], [a, b, c], [x, b, c]]


def box(low, high, name, **options):
    return Block(corners(low, high), FACES, 2048.0, name=name, **options)


def tower(law=None, **options):
    """Three blocks on a support. Powers of two: masses, which checkpoints compare, are the same on every machine."""
    blocks = [
        box((-1.0, -1.0, -0.5), (1.0, 1.0, 0.0), "ground", support=True, material="rock"),
        box((-0.25, -0.25, 0.0), (0.25, 0.25, 0.5), "low", material="stone", guid=GUID),
        box((-0.25, -0.25, 0.5), (0.25, 0.25, 1.0), "middle", material="brick"),
        box((-0.25, -0.25, 1.0), (0.25, 0.25, 1.5), "top", material="brick"),
    ]
    return Structure(blocks, law or ContactLaw(0.5), name="tower", **options)


def mortar(**more):
    return ContactLaw(0.5, "mortar", cohesion=2e5, tension=1e5, normal_stiffness=1e10, tangential_stiffness=4e9, **more)


def damage(**more):
    return ContactLaw(
        0.5,
        "damage",
        cohesion=2e5,
        tension=1e5,
        normal_fracture=50.0,
        tangential_fracture=100.0,
        normal_stiffness=1e10,
        tangential_stiffness=4e9,
        softening="exponential",
        **more,
    )


def tied(case=None):
    """The tower with a law of every place, and what goes with it."""
    return tower(
        mortar(compression=5e6),
        pair_laws={("low", "middle"): mortar()},
        material_laws={("brick", "brick"): damage()},
        interface_laws=[(("ground", "low"), (0.0, 0.0, 0.0), mortar(restitution=0.0))],
        case=case,
        expected="stable",
        note="written by 0.1.0",
        planarity=1e-5,
    )


def cables():
    return [
        Cable(("top", None), ((0.25, 0.0, 1.5), (1.0, 0.0, 0.0)), 1e7, 2e3, 2.5e3, name="guy"),
        Cable(("low", "ground"), ((-0.25, 0.0, 0.25), (-1.0, 0.0, 0.0))),
    ]


def water():
    return Water(
        0.75,
        flow=(0.5, 0.0, 0.0),
        density=1025.0,
        drag=1.5,
        levels=([0.0, 1.0], [0.75, 1.0]),
        behind=0.25,
        towards="x",
    )


def all_loads():
    """A case with everything that a case can have."""
    return LoadCase(
        gravity=(0.1, 0.0, -9.81),
        loads=[
            PointLoad("top", (0.0, 0.0, 1.5), (10.0, 0.0, -200.0)),
            PointLoad(GUID, (0.25, 0.0, 0.25), (-5.0, 0.0, 0.0), history=([0.0, 0.5], [0.0, 1.0])),
        ],
        support_motions=[SupportMotion("ground", (0.0, 0.0, -0.001), 0.5, (0.0, 0.001, 0.0), 0.125)],
        ground=ground_motions(),
        accelerations=[BodyAcceleration((1.0, 1.0, 0.0), [0.0, 0.5, 1.0], [0.0, 0.25, 0.0])],
        velocities={"top": ((0.001, 0.0, 0.0), (0.0, 0.002, 0.0)), 1: ((0.0, 0.0, 0.0), (0.0, 0.0, 0.001))},
        gravity_ramp=0.25,
        water=water(),
        cables=cables(),
        name="all loads",
    )


def ground_motions():
    """One of each kind, with all options."""
    wave = {"supports": ["ground"], "speed": 300.0, "travel": "y"}
    times, record = [0.0, 0.1, 0.2, 0.3], [0.0, 0.5, -0.5, 0.0]
    return [
        GroundMotion.sine("x", 0.5, 2.0, duration=1.0, start=0.1, phase=90.0, ease=0.2, **wave),
        GroundMotion.half_sine("y", 0.5, 0.25),
        GroundMotion.rectangular("z", 0.5, 0.25, start=0.5),
        GroundMotion.table((1.0, 1.0, 0.0), times, record, quantity="acceleration", baseline=True, name="record"),
        GroundMotion.table("x", times, record, quantity="displacement"),
    ]


def laws():
    """One of each kind, with all options."""
    common = {"kinetic": 0.4, "restitution": 0.25}
    return [
        ContactLaw(0.75, name="dry", dilatancy=5.0, compression=1e7, **common),
        ContactLaw(0.5, "mohr_coulomb", cohesion=1e5, tension=5e4),
        ContactLaw(0.5, "brittle", cohesion=1e5),
        ContactLaw(0.5, "elastic", normal_stiffness=1e9, tangential_stiffness=5e8),
        mortar(**common),
        damage(compression=1e7),
        ContactLaw(0.0, "viscous", viscosity=1e6),
        ContactLaw(kind="sticking"),
        ContactLaw(kind="tie"),
    ]


# -- scenes --------------------------------------------------------------------------------------------------------


def scene_by_hand():
    """Every key of the format but `mu`, `planar` and `disc`; in millimetres."""
    blocks = [
        {"id": "base", "vertices": corners((-1000, -1000, -500), (1000, 1000, 0)), "faces": FACES, "support": True},
        {"id": 7, "vertices": corners((-250, -250, 0), (250, 250, 500)), "faces": FACES, "support": False},
        {"id": "ball", "sphere": {"centre": [0, 0, 750], "radius": 250}, "support": False},
    ]
    for block, density, material in zip(blocks, (2400.0, 2000, 1000.5), ("rock", "stone", "stone")):
        block.update(density=density, material=material)
    blocks[1].update(name="stone", guid=GUID)
    strong = {"kind": "mohr_coulomb", "friction": 0.6, "cohesion": 1e5, "tension": 1e4}
    weak = {"kind": "coulomb", "friction": 0.4, "kinetic": 0.3, "restitution": 0.1, "dilatancy": 2.0}
    surfaces = {"level": 250, "flow": [0.5, 0, 0], "density": 1025, "drag": 1.5, "levels": [[0, 1], [250, 500]]}
    return {
        "name": "by hand",
        "units": "mm, kg, s, N; z up",
        "law": {"kind": "coulomb", "friction": 0.7, "compression": 1e7},
        "pair_laws": [{"blocks": ["base", 7], "law": strong}],
        "material_laws": [{"materials": ["stone", "rock"], "law": weak}],
        "interface_laws": [{"blocks": [7, "base"], "point": [0, 0, 0], "law": strong}],
        "loads": [{"block": 7, "point": [0, 0, 500], "force": [10, 0, -100]}],
        "cables": [
            {
                "blocks": [7, None],
                "points": [[250, 0, 250], [1000, 0, 0]],
                "stiffness": 1e7,
                "prestress": 100,
                "strength": 1e5,
                "name": "guy",
            }
        ],
        "water": dict(surfaces, behind=-100, towards=[1, 0]),
        "gravity": [0, 0, -9.8],
        "expected": "stable",
        "note": "all keys",
        "blocks": blocks,
    }


def planar_scene():
    """The keys that the other does not have."""
    blocks = [
        {"id": 0, "vertices": corners((-1, -0.5, -1), (1, 0.5, 0)), "faces": FACES, "support": True, "density": 2400},
        {"id": 1, "disc": {"centre": [0, 0, 0.25], "radius": 0.25, "depth": 1.0}, "support": False, "density": 2400},
    ]
    return {"blocks": blocks, "mu": 0.6, "planar": "y"}


def write_scenes(folder):
    for name, scene in (("scene", scene_by_hand()), ("scene_planar", planar_scene())):
        (folder / (name + ".json")).write_text(json.dumps(scene, indent=1) + "\n", encoding="utf-8")
    case = all_loads()
    del case.loads[1]  # 0.1.0 writes the history of a load into a scene, and does not read it
    tied(case).to_scene(folder / "scene_written.json")
    names = ("scene", "scene_planar", "scene_written")
    return {name: Structure.from_file(folder / (name + ".json")).__data__ for name in names}


# -- data of COMPAS ------------------------------------------------------------------------------------------------


def write_data(folder, engine):
    case = all_loads()
    settings = Settings(
        solver="nlgs",
        friction="coulomb",
        eps=(1e-4, 1e-6, 1e-8),
        tolerance=1e-9,
        max_iterations=1000,
        seed=3,
        threads=2,
        repeat=2,
        gap_tolerance=2e-3,
        angle_tolerance=2.0,
        unsupported=True,
        time_step=2e-3,
    )
    result = engine.static(tied(), LoadCase())
    found = {
        "structure": tied(case),
        "structure_planar": Structure.from_file(folder / "scene_planar.json"),
        "block": box((0, 0, 0), (1, 1, 1), "cube", support=True, guid=GUID, material="stone"),
        "blocks_round": [Block.sphere((0, 0, 1), 0.5, 2000.0, "ball"), Block.disc((0, 0, 1), 0.5, 0.25, 2000.0, "y")],
        "contact_laws": laws(),
        "load_case": case,
        "loads": case.loads + case.support_motions + case.ground + case.accelerations + [case.water] + case.cables,
        "settings": settings,
        "joint_laws": [JointLaw(("low", 2), mortar(), (0.0, 0.0, 0.5)), JointLaw((0, 1), ContactLaw(0.5))],
        "interface": result.interfaces[0],
        "force_ranges": engine.force_range(arch(span=2.0, thickness=0.5, blocks=3)),
    }
    for name, thing in found.items():
        compas.json_dump(thing, str(folder / (name + ".json")))


# -- results -------------------------------------------------------------------------------------------------------


def statics(engine):
    case = LoadCase(cables=cables(), loads=[PointLoad("top", (0.0, 0.0, 1.5), (200.0, 0.0, 0.0))])
    wet = LoadCase(water=Water(0.75, behind=0.0, towards="x"))
    return {
        "static": engine.static(arch(span=2.0, thickness=0.5, depth=0.5, blocks=3)),
        "static_laws": engine.static(tied(), case),
        "static_falls": engine.static(tower(), LoadCase((4.0, 0.0, -9.81))),
        "static_water": engine.static(tower(), wet),
    }


def limits(engine):
    small = arch(span=2.0, thickness=0.5, depth=0.5, blocks=3)
    loaded = LoadCase(loads=[PointLoad("top", (0.0, 0.0, 1.5), (100.0, 0.0, 0.0))])
    pressed = LoadCase(loads=[PointLoad("top", (0.0, 0.0, 1.5), (0.0, 0.0, -100.0))])
    return {
        "limit": engine.limit(tower(), loaded),
        "limit_polar": engine.limit(tower(), vary="polar:4"),
        "limit_spread": engine.limit(small, vary="spread:x"),
        "limit_friction": engine.limit(small, vary="friction", coulomb=False),
        "limit_unbounded": engine.limit(tower(), pressed),
        "limit_falls": engine.limit(tower(), LoadCase((0.0, 0.0, 9.81), loads=loaded.loads)),
    }


def shaken():
    return LoadCase(ground=[GroundMotion.sine("x", 1.5, 4.0)])


def pulled():
    motion = SupportMotion("ground", (0.0, 0.0, -0.001), 0.05)
    return LoadCase(
        loads=[PointLoad("top", (0.0, 0.0, 1.5), (-4e4, 0.0, 0.0), history=([0.0, 0.02], [0.0, 1.0]))],
        support_motions=[motion],
        water=Water(0.5, flow=(1.0, 0.0, 0.0)),
        cables=cables(),
    )


def motions(engine):
    options = {"interval": 5 * STEP}
    return {
        "motion": engine.dynamic(tower(), shaken(), 10 * STEP, STEP, **options),
        "motion_forces": engine.dynamic(tower(), shaken(), 10 * STEP, STEP, probes=["top"], forces=True, **options),
        "motion_laws": engine.dynamic(tied(), pulled(), 10 * STEP, STEP, **options),
        "motion_adaptive": engine.dynamic(tower(), shaken(), 0.02, "auto", restitution=0.25, **options),
    }


def go_on(engine, result, step=STEP, **options):
    """Where a motion is a little later."""
    rest = engine.dynamic(result.structure, result.case, FURTHER, step, restart=result, **options).result()
    return values(rest, ("times", "position.-1", "orientation.-1", "velocity.-1", "energies.-1"))


def write_results(folder, engine):
    """Save every result; returns the values of what was read back."""
    kept = {}
    for found, kind, paths in ((statics(engine), StaticResult, STATIC), (limits(engine), LimitResult, LIMIT)):
        for name, result in found.items():
            kept[name] = values(saved(folder, name, kind, result), paths)
    more = {"motion_forces": MOTION_FORCES, "motion_laws": MOTION_LAWS}
    for name, job in motions(engine).items():
        result = saved(folder, name, DynamicResult, job.result())
        kept[name] = values(result, more.get(name, MOTION))
        step = "auto" if name == "motion_adaptive" else STEP
        options = {"restitution": 0.25} if name == "motion_adaptive" else {}
        kept[name]["further"] = dict(go_on(engine, result, step, **options), step=step, options=options)
    return kept


def saved(folder, name, kind, result):
    for suffix in (".npz", ".json") if name in BOTH else (".npz",):
        result.save(folder / (name + suffix))
        assert kind.load(folder / (name + suffix)) == result
    return kind.load(folder / (name + ".npz"))


def write_record(folder, engine):
    """What a motion that was broken off leaves in the home of the engine."""
    case = LoadCase(ground=[GroundMotion.sine("x", 0.5, 2.0, duration=1.0)])
    job = engine.dynamic(tower(), case, 2000.0, 5e-3, interval=20.0, quiet=False)
    left = Path(engine.info["home"], "records", job.record)
    while not left.with_suffix(".nscdchk").exists():
        time.sleep(0.05)
    job.cancel()
    while not job.done:
        time.sleep(0.05)
    result = engine.recover(job)
    for suffix in (".nscdrec", ".nscdchk"):
        found = left.with_suffix(suffix)
        (folder / ("record" + suffix)).write_bytes(found.read_bytes())
        found.unlink()
    compas.json_dump([result.structure, case], str(folder / "record_of.json"))
    further = dict(go_on(engine, result, quiet=False), step=STEP, options={"quiet": False})
    return dict(values(result, MOTION), further=further)


# -- Rhino and Grasshopper -----------------------------------------------------------------------------------------


def write_threedm(folder):
    threedm.write_structure(tied(LoadCase(cables=cables())), folder / "structure.3dm")
    threedm.write_static(StaticResult.load(folder / "static_laws.npz"), folder / "static_laws.3dm")
    threedm.write_dynamic(DynamicResult.load(folder / "motion_laws.npz"), folder / "motion_laws.3dm")
    names = ("structure", "static_laws", "motion_laws")
    return {name + ".3dm": Structure.from_file(folder / (name + ".3dm")).__data__ for name in names}


def component_calls():
    """By component: the function of `ghpython` that its code runs, what that is given in order, and what it returns."""
    found = {}
    for path in sorted(Path(compas_nscd.__file__).parents[1].glob("ghpython_components/*/code.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        (run,) = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        (call,) = [node for node in ast.walk(run) if isinstance(node, ast.Call)]
        function, inputs = call.args[1].attr, [each.arg for each in run.args.args[1:]]
        outputs = list(getattr(ghpython, function).outputs)
        found[path.parent.name] = {"function": function, "inputs": inputs, "outputs": outputs}
    return found


def main(folder):
    package = Path(compas_nscd.__file__).parent
    if compas_nscd.__version__ != "0.1.0" or not (package / "block.py").is_file():
        sys.exit("This is not version 0.1.0 of compas_nscd: {}".format(package))
    with Engine(reuse=False) as engine:
        scenes = write_scenes(folder)
        write_data(folder, engine)
        expected = {"scenes": scenes, "results": write_results(folder, engine)}
        expected["record"] = write_record(folder, engine)
    expected["threedm"] = write_threedm(folder)
    expected["components"] = component_calls()
    (folder / "expected.json").write_text(lines(expected), encoding="utf-8")


def lines(expected):
    """JSON with a line for every entry of a part."""
    parts = []
    for name, part in expected.items():
        entries = ["  {}: {}".format(json.dumps(key), json.dumps(entry)) for key, entry in part.items()]
        parts.append(" {}: {{\n{}\n }}".format(json.dumps(name), ",\n".join(entries)))
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent).resolve())
