"""Where runs are computed: local processes, any `concurrent.futures.Executor`, or Dask."""

from __future__ import annotations

import math
import multiprocessing
import os
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Callable

from compas_nscd.client.interpreters.interpreter import embedded
from compas_nscd.errors import EngineStartError, InputError, NotAvailableError
from compas_nscd.studies.running.worker import begin_worker, close_benches

#: Longest wait for a scheduler of Dask to answer [s].
SCHEDULER_S = 20.0
#: Interval at which the workers of Dask are counted [s]. Longer: new ones wait for tasks. Shorter: more requests.
COUNT_S = 2.0


class Pool:
    """Workers of an executor that the user owns.

    Parameters
    ----------
    executor : concurrent.futures.Executor
    workers : int, optional
        How many tasks it runs at once.
    """

    #: Whether `restart` replaces workers that died.
    restarts = False

    def __init__(self, executor: Any, workers: int | None = None) -> None:
        self.executor = executor
        self._workers: int = workers or getattr(executor, "_max_workers", None) or os.cpu_count() or 1

    @property
    def workers(self) -> int:
        """How many tasks run at once."""
        return self._workers

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a task."""
        return self.executor.submit(function, *arguments)

    def restart(self) -> None:
        """Replace the workers after one died."""

    def close(self, at_once: bool = False) -> None:
        """End the workers, running tasks too if `at_once`; an executor of the user is left as it is."""


class LocalProcesses(Pool):
    """Processes of this machine, each with an engine of one thread."""

    restarts = True

    def __init__(self, workers: int | None = None) -> None:
        super().__init__(_processes(workers or cores()), workers or cores())

    def restart(self) -> None:
        """Replace all workers."""
        self.close(at_once=True)
        self.executor = _processes(self._workers)

    def close(self, at_once: bool = False) -> None:
        """End the workers."""
        processes = list((getattr(self.executor, "_processes", None) or {}).values())
        self.executor.shutdown(wait=not at_once, cancel_futures=True)
        if at_once:
            for process in processes:
                process.terminate()  # its engine ends with it
            for process in processes:
                process.join()


class LocalThreads(Pool):
    """Threads of this program, each with an engine process; inside Rhino, where Python cannot start a second Rhino."""

    def __init__(self, workers: int | None = None) -> None:
        super().__init__(ThreadPoolExecutor(workers or cores()), workers or cores())

    def close(self, at_once: bool = False) -> None:
        """End the threads and their engines, with `at_once` in the middle of a run."""
        threads = set(self.executor._threads)
        self.executor.shutdown(wait=not at_once, cancel_futures=True)
        close_benches(threads, at_once)


class DaskPool(Pool):
    """Workers of a Dask scheduler.

    Parameters
    ----------
    client : distributed.Client
    own : bool
        Disconnect at the end.
    """

    def __init__(self, client: Any, own: bool = False) -> None:
        if not client.nthreads():
            client.wait_for_workers(1, timeout=SCHEDULER_S)
        self._client, self._own = client, own
        self._asked = -math.inf  # moment of the last count
        super().__init__(client.get_executor(pure=False), 1)

    @property
    def workers(self) -> int:
        """Threads of all workers that are there now: those of a cluster come one after the other."""
        now = time.monotonic()
        if now - self._asked > COUNT_S:
            self._asked, self._workers = now, max(sum(self._client.nthreads().values()), 1)
        return self._workers

    def close(self, at_once: bool = False) -> None:
        """Cancel what runs if `at_once`, and disconnect if the connection is ours."""
        self.executor.shutdown(wait=False)
        if self._own:
            self._client.close()


def pool_of(executor: Any = None, workers: int | None = None, scheduler: str | None = None) -> Pool:
    """Workers by what the user gave.

    Parameters
    ----------
    executor : optional
        None for local processes; "threads"; an Executor of `concurrent.futures`; a Client or a cluster of Dask.
    workers : int, optional
        Of local processes or threads; default: as many as there are cores.
    scheduler : str, optional
        Address of a scheduler of Dask, e.g. tcp://127.0.0.1:8786.
    """
    if workers is not None and (not isinstance(workers, int) or workers < 1):
        raise InputError("The number of workers must be 1 or more, not {!r:.20}.".format(workers))
    if scheduler is not None:
        return DaskPool(connect(scheduler), own=True)
    if executor is None:
        return LocalThreads(workers) if embedded() else LocalProcesses(workers)
    if executor == "threads":
        return LocalThreads(workers)
    if isinstance(executor, Pool):
        return executor
    if isinstance(executor, Executor):
        return Pool(executor, workers)
    if hasattr(executor, "get_executor"):
        return DaskPool(executor)
    if hasattr(executor, "scheduler_address"):
        return DaskPool(connect(executor.scheduler_address), own=True)
    raise InputError("{!r:.60} runs nothing.".format(executor), remedy="Give an Executor, or a Client of Dask.")


def connect(address: str) -> Any:
    """Client of a scheduler of Dask.

    Raises
    ------
    NotAvailableError
        If Dask is not installed.
    EngineStartError
        If no scheduler answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise NotAvailableError(
            "Runs on a cluster need Dask.", remedy="pip install compas_nscd[studies], with Python 3.10 or newer."
        )
    try:
        return Client(address, timeout=SCHEDULER_S, set_as_default=False)
    except (OSError, ValueError) as error:
        remedy = "Start one by `dask scheduler`, and give the address that it prints."
        raise EngineStartError("No scheduler answers at {}: {}.".format(address, error), remedy=remedy)


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def _processes(workers: int) -> ProcessPoolExecutor:
    # `spawn`: a copy of this process by `fork` would have its locks and connections in any state.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=begin_worker)
