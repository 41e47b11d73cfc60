"""Running a study: tasks to workers, rows to disk, workers that die, interruption."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from typing import Any, Callable, NamedTuple

from compas_nscd.errors import CancelledError as Cancelled
from compas_nscd.errors import EngineDiedError, EngineError, EngineStartError, NscdError
from compas_nscd.studies.ground import name_of
from compas_nscd.studies.plans import Plan, Run
from compas_nscd.studies.running.executors import Pool
from compas_nscd.studies.running.keys import Keys, digest
from compas_nscd.studies.running.progress import Progress
from compas_nscd.studies.running.store import Store
from compas_nscd.studies.running.worker import Task, compute

#: Time that a task should take [s]. Longer: runs reach the disk late. Shorter: more messages.
TASK_S = 0.1
#: Most runs of a task. More: a lost task repeats more.
MOST_IN_TASK = 64
#: Tasks of a worker that are under way, so that it never waits for the next [-].
AHEAD = 2
#: How often a run is tried whose worker died. After that it has failed.
TRIES = 3
#: Interval at which a request to stop is looked at [s].
LOOK_S = 0.2

#: Place of a run in the plan, and its key.
Placed = tuple[tuple[int, int, int], str]


class Campaign:
    """One run of a study.

    Parameters
    ----------
    plan : Plan
    definition : dict
        `Study.definition`: what workers need.
    shared : dict
        The part of it on which every run depends.
    store : Store
        Opened for writing.
    pool : Pool
    progress : Progress
    """

    def __init__(
        self,
        plan: Plan,
        definition: Mapping[str, Any],
        shared: Mapping[str, Any],
        store: Store,
        pool: Pool,
        progress: Progress,
    ) -> None:
        self._plan, self._definition, self._store, self._pool = plan, definition, store, pool
        self.progress = progress
        self.analysis_s = 0.0  # [s] spent by workers on analyses
        self.order: list[Placed] = []  # of every run
        self._shared, self._token = shared, digest([shared, definition["motions"]])
        self.sources = ""  # hash of the sources with which the workers compute
        self._keys = Keys(shared, plan.motions, "")
        self._queue: deque[_Waiting] = deque()
        self._flying: dict[Future[Any], list[_Waiting]] = {}
        self._mean_s = TASK_S  # [s] of a run

    def begin(self) -> None:
        """Start the engines, and learn from the first with which sources the workers compute."""
        try:
            started = [self._pool.submit(compute, self._token, [], self._definition) for _ in range(self._pool.workers)]
            self.sources = started[0].result().sources
        except NscdError:
            raise
        except BrokenExecutor as error:
            remedy = 'A script that runs studies does so below `if __name__ == "__main__":`.'
            raise EngineStartError("The workers ended as they were started: {}.".format(error), remedy=remedy)
        except Exception as error:
            raise self._lost(error)
        self._keys = Keys(self._shared, self._plan.motions, self.sources)

    def run(self, cancelled: Callable[[], bool] = lambda: False) -> None:
        """Compute what is not on disk, after `begin`.

        Raises
        ------
        FileError
            If the disk is full.
        EngineError
            If no worker can compute, or the scheduler is lost; the runs on disk are kept.
        Cancelled
        """
        self._put(self._plan.first())
        while self._queue or self._flying:
            if cancelled():
                self.progress.report(always=True)
                raise Cancelled("The study was cancelled.", remedy="Run it again: it goes on with the runs on disk.")
            self._send()
            done, _ = wait(list(self._flying), timeout=LOOK_S, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=_has_failed):  # what is done reaches the disk before an error ends the study
                if future in self._flying:  # not if a broken pool was replaced meanwhile
                    self._receive(future, self._flying.pop(future))
            self.progress.report()
        self.progress.report(end=True)

    def _put(self, runs: Iterable[Run]) -> None:
        """Queue runs; those on disk are taken from there."""
        for run in runs:
            key = self._keys.of(run)
            self.order.append((run.order, key))
            row = self._store.row(key) if key in self._store else None
            if row is None or row.get("again"):
                self._queue.append(_Waiting(run, Task(key, run.values, run.motion, run.factor), 0))
            else:
                self._count(run, row, reused=True)

    def _count(self, run: Run, row: dict[str, Any], reused: bool) -> None:
        self.progress.count(row, reused)
        if row["error"] is None:  # a hunt does not go on after a failed run
            self._put(self._plan.after(run, row["collapse"]))

    def _send(self) -> None:
        """Give every worker the next tasks."""
        while self._queue and len(self._flying) < AHEAD * self._pool.workers:
            if self._queue[0].tries and self._flying:
                return  # a run whose worker died is tried alone, so that it takes no others along
            share = len(self._queue) / (AHEAD * self._pool.workers)
            count = max(1, min(int(TASK_S / max(self._mean_s, 1e-6)), MOST_IN_TASK, int(share)))
            alone = self._queue[0].tries > 0
            self._submit([self._queue.popleft() for _ in range(1 if alone else count)])
            if alone:
                return

    def _submit(self, part: list[_Waiting], definition: Mapping[str, Any] | None = None) -> None:
        try:
            future = self._pool.submit(compute, self._token, [each.task for each in part], definition)
        except BrokenExecutor as error:
            self._died(part, error)
        else:
            self._flying[future] = part

    def _receive(self, future: Future[Any], part: list[_Waiting]) -> None:
        try:
            reply = future.result()
        except (Exception, CancelledError) as error:
            self._died(part, error)
            return
        if reply.rows is None:
            self._submit(part, self._definition)
            return
        if reply.sources != self.sources:
            remedy = "Install one version on all machines, and start the workers again."
            raise EngineError("The worker {} has other sources than the first.".format(reply.worker), remedy=remedy)
        for waiting, row in zip(part, reply.rows):
            self._finish(waiting, row)

    def _finish(self, waiting: _Waiting, row: dict[str, Any]) -> None:
        run = waiting.run
        motion = None if run.motion is None else name_of(self._plan.motions[run.motion], run.motion)
        line = dict(row, values=run.values, motion=motion, level=run.level, factor=run.factor)
        self._store.add(line)
        self.analysis_s += row["analysis_s"]
        self._mean_s += 0.2 * (row["run_s"] - self._mean_s)
        self._count(run, line, reused=False)

    def _died(self, part: list[_Waiting], error: BaseException) -> None:
        """Try runs again whose worker died; after some tries they have failed."""
        lost = [part]
        if isinstance(error, BrokenExecutor):
            if not self._pool.restarts:
                raise self._lost(error)
            lost += self._flying.values()  # all tasks of a broken pool are lost
            self._flying.clear()
            self._pool.restart()
        elif type(error).__name__ != "KilledWorker":  # of Dask: the workers of this task died
            raise self._lost(error)
        for waiting in (each for group in lost for each in group):
            if waiting.tries + 1 < TRIES:
                self._queue.appendleft(waiting._replace(tries=waiting.tries + 1))
            else:
                self._finish(waiting, _failed(waiting, error))

    def _lost(self, error: BaseException) -> EngineError:
        text = "The workers are lost: {}: {:.200}.".format(type(error).__name__, str(error) or "no more is known")
        remedy = "Run the study again: it goes on with the {} runs on disk.".format(len(self._store))
        return EngineDiedError(text, remedy=remedy)


def replay(plan: Plan, keys: Keys, store: Store) -> list[Placed]:
    """Runs of a plan that are on disk, as a campaign would go through them."""
    waiting, order = deque(plan.first()), []
    while waiting:
        run = waiting.popleft()
        key = keys.of(run)
        if key in store:
            order.append((run.order, key))
            row = store.row(key)
            waiting.extend(plan.after(run, row["collapse"]) if row["error"] is None else [])
    return sorted(order)


def _has_failed(future: Future[Any]) -> bool:
    return future.cancelled() or future.exception() is not None


class _Waiting(NamedTuple):
    """A run that has no row yet."""

    run: Run
    task: Task
    tries: int  # how often its worker died


def _failed(waiting: _Waiting, error: BaseException) -> dict[str, Any]:
    said = EngineDiedError("The worker died {} times: {}.".format(TRIES, type(error).__name__))
    return {
        "key": waiting.task.key,
        "collapse": None,
        "found": {},
        "error": said.to_data(),
        "again": True,
        "analysis_s": 0.0,
        "run_s": 0.0,
    }
