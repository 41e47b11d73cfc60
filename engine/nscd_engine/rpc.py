"""Plain functions for `compas.rpc.Proxy("nscd_engine.rpc")`: dicts of lists in, dicts of lists out.

For programs that use compas.rpc already. There is no authentication, no progress and no cancelling;
`compas_nscd.Engine` has all three. Scenes are read by the client's reader, the only one of the format: a program that
uses compas.rpc has COMPAS. This is the one exception to the rule that the engine takes only errors and messages from
the client.
"""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy as np

from compas_nscd.errors import NscdError
from nscd_engine.core.monitor import Monitor
from nscd_engine.service.service import Service, refusal
from nscd_engine.service.verbs import ANALYSES, run

_service = Service()


def ping() -> Dict[str, Any]:
    """Version, process id and Python of the engine."""
    return _service.handle({"verb": "ping"})


def static(scene: Dict[str, Any], settings: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
    """Static analysis of a scene.

    Parameters
    ----------
    scene : dict
        Content of a scene file (docs/scene.md), with its units, laws, loads, cables and water.
    settings : dict, optional
        Keywords of `compas_nscd.Settings`.

    Returns
    -------
    dict
        ``{"ok": True, ...}`` as the engine replies, or ``{"ok": False, "error": {...}}``.
    """
    return _answer(_static, scene, settings)


def check(scene: Dict[str, Any], settings: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
    """Report on the geometry of a scene: defects of blocks, and the joints of the sound ones.

    Parameters and reply as of `static`.
    """
    return _answer(_check, scene, settings)


def _answer(analysis, scene, settings):
    try:
        return dict(_plain(analysis(_structure(scene), settings or {})), ok=True)
    except NscdError as error:
        return refusal(error)


def _structure(scene):
    from compas_nscd.files.scene_file import arguments
    from compas_nscd.model.structure import Structure

    return Structure(**arguments(scene, "scene"))


def _static(structure, settings):
    return run(ANALYSES["static"], _request(structure, structure.case, settings), Monitor())


def _check(structure, settings):
    request = _request(structure.sound_part(), None, dict(settings, unsupported=True))
    reply = run(ANALYSES["check"], request, Monitor())
    warnings = structure.warnings + reply["warnings"]
    return dict(reply, blocks=len(structure), warnings=warnings, **structure.report.lists())


def _request(structure, case, settings):
    """Body of a request; without a case, gravity alone acts."""
    from compas_nscd.loads.case import LoadCase
    from compas_nscd.model.settings import Settings

    chosen = Settings(**settings)
    return {
        "structure": structure.to_wire(chosen.unsupported),
        "case": (LoadCase() if case is None else case).to_wire(structure),
        "settings": chosen.to_wire(),
    }


def _plain(node):
    if isinstance(node, (np.ndarray, np.generic)):
        return node.tolist()
    if isinstance(node, dict):
        return {key: _plain(value) for key, value in node.items()}
    if isinstance(node, (list, tuple)):
        return [_plain(value) for value in node]
    return node
