"""Quasi-static analyses without a process: requests of the client, answered by the engine in this one."""

from types import SimpleNamespace

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.contact_stiffness import ContactStiffness
from compas_nscd.client.quasistatic_request import QuasistaticRequest
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.templates.parts.shapes import box
from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.quasistatic import read_quasistatic_question
from nscd_engine.gate.scene import read_scene
from nscd_engine.quasistatic.contacts import spring_contacts
from nscd_engine.quasistatic.run import run
from nscd_engine.quasistatic.system import System
from nscd_engine.statics.prepare import prepare

STIFFNESS = ContactStiffness(1e9, 4e8)
WEIGHTLESS = (0.0, 0.0, 0.0)


def analysed(structure, case=None, method="bagi_bojtar", stiffness=STIFFNESS, steps=1, tolerance=1e-8, **options):
    """QuasistaticResult of an analysis in this process."""
    request = QuasistaticRequest(structure, case, method, stiffness, steps, tolerance, **options)
    return request.result(run(request.body, Monitor()))


def system_of(structure, case=None, stiffness=STIFFNESS, **options):
    """System of a request under its whole load, with its parts."""
    request = QuasistaticRequest(structure, case, "bagi_bojtar", stiffness, **options)
    scene = read_scene(request.body)
    question = read_quasistatic_question(request.body, scene.model)
    model, detection, _, _ = prepare(scene, Monitor())
    springs = spring_contacts(model, detection, question)
    return SimpleNamespace(system=System(model, springs, question), springs=springs, model=model, question=question)


def tower(count=3, width=1.0, friction=0.6, **options):
    """Cubes on a held one."""
    half = 0.5 * width
    solids = [box((-half, -half, k), (half, half, k + 1.0)) for k in range(count + 1)]
    blocks = [Block(*solid, 2000.0, "b{}".format(k), k == 0) for k, solid in enumerate(solids)]
    return Structure(blocks, ContactLaw(friction=friction), "tower", **options)


def spheres(count=4, radius=0.5, friction=0.5):
    """Spheres in a row along x, the first held."""
    places = [(2.0 * radius * k, 0.0, 0.0) for k in range(count + 1)]
    blocks = [Block.sphere(place, radius, 1000.0, support=k == 0) for k, place in enumerate(places)]
    return Structure(blocks, ContactLaw(friction=friction), "row")


def pushed(block, point, force, gravity=(0.0, 0.0, -9.81)):
    """Gravity and one load."""
    case = LoadCase(gravity=gravity)
    case.add_point_load(block, point, np.asarray(force, float))
    return case
