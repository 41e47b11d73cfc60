"""An analysis leaves nothing that waits for a collection of cycles: memory stays flat however many there are."""

import gc

import pytest

from nscd_engine.core.monitor import Monitor
from nscd_engine.service import verbs, warm_up

TASKS = {name: (target, body) for name, target, body in warm_up.tasks()}


@pytest.fixture
def garbage():
    """What the collector finds, kept for a look."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    yield gc.garbage
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


@pytest.mark.parametrize("name", TASKS)
def test_an_analysis_leaves_no_cycles(name, garbage):
    target, body = TASKS[name]
    verbs.run(target, body, Monitor())
    gc.collect()
    ours = {type(each).__name__ for each in garbage if type(each).__module__.startswith("nscd_engine")}
    assert not ours
