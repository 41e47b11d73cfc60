"""What static and limit analyses do before they solve: find the contacts, refuse unsound geometry, add the water."""

from __future__ import annotations

import time
from typing import NamedTuple

from nscd_engine.contacts.at_rest import Detection, detect
from nscd_engine.contacts.soundness import require_sound
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.scene import Scene
from nscd_engine.laws.cables import without_hanging
from nscd_engine.loads.water import with_water


class Prepared(NamedTuple):
    """A structure at rest, ready to be solved."""

    model: Model  # its loads include the water
    detection: Detection
    warnings: list  # [{"code", "message", "blocks"}] of detection and of the water
    detect_s: float  # [s] time that detection took


def prepare(scene: Scene, monitor: Monitor) -> Prepared:
    """Contacts of a scene at rest, and its model under all loads.

    Raises
    ------
    OverlapError, IsolatedBlockError, SupportError
        If blocks share volume, touch nothing and hang on no cable, or if there is no support.
    """
    start = time.perf_counter()
    detection = without_hanging(detect(scene.model, scene.settings, monitor), scene.cables)
    require_sound(scene.model, detection, scene.settings)
    detect_s = time.perf_counter() - start
    model, water_warnings = with_water(scene.model, scene.water, detection.interfaces)
    return Prepared(model, detection, list(detection.warnings) + water_warnings, detect_s)


def prepare_rigid(scene: Scene, monitor: Monitor) -> Prepared:
    """`prepare` for an analysis of rigid blocks, with a warning if some are deformable."""
    found = prepare(scene, monitor)
    return found._replace(warnings=found.warnings + elastic_as_rigid(scene.model))


def elastic_as_rigid(model: Model) -> list:
    """Warning of an analysis that takes deformable blocks for rigid ones; none if there are none."""
    deformable = [name for name, elastic in zip(model.names, model.elastic or ()) if elastic is not None]
    if not deformable:
        return []
    text = "This analysis takes {} deformable blocks for rigid ones.".format(len(deformable))
    return [{"code": "elastic_as_rigid", "message": text, "blocks": deformable}]
