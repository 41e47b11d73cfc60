"""Studies in tests: an executor that computes at once, and an engine inside this process."""

from concurrent.futures import Executor, Future
from pathlib import Path

import nscd_engine
from analysed import analyse


class Inline(Executor):
    """Computes a task when it is submitted."""

    _max_workers = 1

    def submit(self, function, *arguments):
        future = Future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future


class EngineHere:
    """As much of an Engine as static runs need, in this process."""

    def __init__(self, **options):
        self.info = {"package": str(Path(nscd_engine.__file__).parent)}

    def start(self):
        return self

    def static(self, structure, case=None, settings=None):
        return analyse(structure, case, settings)

    def close(self):
        pass

    stop = close
