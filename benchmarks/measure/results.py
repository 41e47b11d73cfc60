"""Time of post-processing, of the page and its first frame, and of .3dm files.

Times are processor times of one thread, which do not depend on other load; the first frame is wall time.
"""

import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, Optional

from compas_nscd.client.engine import Engine
from compas_nscd.drawing.threedm import write_static
from compas_nscd.errors import NotAvailableError
from compas_nscd.model.structure import Structure
from compas_nscd.report.page import render_report
from compas_nscd.results import funicular, thrust
from compas_nscd.results.static import StaticResult


def results(engine: Engine, structure: Structure, repeat: int) -> Dict[str, Any]:
    """Best times of everything that is done with the result of one structure.

    Parameters
    ----------
    engine : Engine
        Running and warm.
    structure : Structure
    repeat : int

    Returns
    -------
    dict
        blocks; post-processing beyond the solve [ms]; page written [s], its size [MB] and its first frame [s], None
        without a browser; .3dm written and read [s], None without rhino3dm.
    """
    result = engine.static(structure)
    row = {"blocks": len(structure), "post_ms": 1e3 * _best(lambda: post_process(_fresh(result)), repeat)}
    with tempfile.TemporaryDirectory() as folder:
        page, file = Path(folder) / "page.html", Path(folder) / "out.3dm"
        row["page_s"] = _best(lambda: page.write_text(render_report(_fresh(result)), encoding="utf-8"), repeat)
        row["page_mb"] = page.stat().st_size / 1e6
        row["frame_s"] = _first_frame(page, repeat)
        try:
            row["write_3dm_s"] = _best(lambda: write_static(_fresh(result), file), repeat)
            row["read_3dm_s"] = _best(lambda: Structure.from_file(file), repeat)
        except NotAvailableError:
            row["write_3dm_s"] = row["read_3dm_s"] = None
    return row


def post_process(result: StaticResult) -> tuple:
    """Everything derived from forces: joints, thrust lines, envelopes, network, stresses, cracks, reactions."""
    _ = result.joints
    table = thrust.links(result)
    for chain in thrust.chains(result, table)[:1]:
        funicular.extreme(funicular.ring(result, table, chain))
    return (
        result.thrust_lines(),
        thrust.envelopes(result),
        thrust.force_network(result),
        thrust.labels(result),
        result.stresses().crosses(1.0),
        result.cracks(),
        result.support_reactions,
    )


def _fresh(result):
    """Copy of a result without derived values."""
    reply = {key: getattr(result, key) for key in StaticResult.arrays}
    reply.update(result.summary)
    return StaticResult(reply, result.structure, result.case)


def _best(call: Callable, repeat: int) -> float:
    best = float("inf")
    for _ in range(repeat):
        began = time.process_time()
        call()
        best = min(best, time.process_time() - began)
    return best


def _first_frame(page: Path, repeat: int) -> Optional[float]:
    import browser  # tests/helpers, on the path through benchmarks/run.py

    path = browser.find()
    if path is None:
        return None
    with browser.Browser(path) as opened:
        return 1e-3 * min(opened.open(page) for _ in range(repeat))
