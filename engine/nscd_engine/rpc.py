"""Plain functions for `compas.rpc.Proxy("nscd_engine.rpc")`: dicts of lists in, dicts of lists out.

A courtesy for programs that already use it. It has no authentication, no progress and no way to cancel:
`compas_nscd.Engine` has all three.
"""

import numpy as np

from compas_nscd.errors import NscdError
from nscd_engine.core.monitor import Monitor
from nscd_engine.service.scene_file import request_from_scene
from nscd_engine.service.service import Service, refusal
from nscd_engine.service.verbs import ANALYSES, run

_service = Service()


def ping():
    """That the engine is there: version, pid, python."""
    return _service.handle({"verb": "ping"})


def static(scene, settings=None):
    """Static analysis of a scene as the files have it: {"ok": True, ...} or {"ok": False, "error": ...}."""
    return _analyse("static", scene, settings)


def check(scene, settings=None):
    """Report on the geometry of a scene."""
    return _analyse("check", scene, settings)


def _analyse(verb, scene, settings):
    try:
        return dict(_plain(run(ANALYSES[verb], request_from_scene(scene, settings), Monitor())), ok=True)
    except NscdError as error:
        return refusal(error)


def _plain(node):
    if isinstance(node, (np.ndarray, np.generic)):
        return node.tolist()
    if isinstance(node, dict):
        return {key: _plain(value) for key, value in node.items()}
    if isinstance(node, (list, tuple)):
        return [_plain(value) for value in node]
    return node
