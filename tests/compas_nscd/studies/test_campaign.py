"""Running a study: order, reuse, failures, workers that die, cancelling."""

from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor

import pytest

from compas_nscd import templates
from compas_nscd.errors import CancelledError, EngineDiedError, EngineError, EngineStartError, InputError
from compas_nscd.studies import HuntAndFill, Study
from compas_nscd.studies.plans import Plan
from compas_nscd.studies.running import campaign, worker
from compas_nscd.studies.running.executors import Pool, pool_of
from compas_nscd.studies.study_file import read_folder
from study_tools import Inline

VARY = {"thickness": [0.3, 0.6], "friction": [0.2, 0.7]}


def arch_study(**more):
    return Study("arch", **dict({"vary": VARY, "parameters": {"blocks": 7}}, **more))


def test_table_has_the_verdicts_in_the_order_of_the_grid(inline, tmp_path):
    found = arch_study().run(inline, out=tmp_path)
    assert [(row["thickness"], row["friction"]) for row in found.table] == [
        (0.3, 0.2),
        (0.3, 0.7),
        (0.6, 0.2),
        (0.6, 0.7),
    ]
    assert found.table.column("collapse").tolist() == [1.0, 1.0, 1.0, 0.0]
    assert (found.runs, found.done, found.failed, found.reused) == (4, 4, 0, 0)
    assert (tmp_path / "table.csv").read_text() == found.table.to_csv()


def test_nothing_is_computed_twice(inline, tmp_path, monkeypatch):
    arch_study().run(inline, out=tmp_path)
    calls = []
    monkeypatch.setattr(worker, "_row", lambda bench, task: calls.append(task) or pytest.fail("computed again"))
    assert arch_study().run(inline, out=tmp_path).reused == 4
    fewer = arch_study(vary={"thickness": [0.6], "friction": [0.7, 0.2]}).run(inline, out=tmp_path)
    assert fewer.reused == 2 and fewer.table.column("collapse").tolist() == [0.0, 1.0]
    assert not calls


@pytest.mark.parametrize("change", [{"settings": {"friction": "coulomb"}}, {"keep": ["iterations"]}])
def test_another_input_is_computed(inline, tmp_path, change):
    arch_study().run(inline, out=tmp_path)
    assert arch_study(**change).run(inline, out=tmp_path).reused == 0


def test_other_sources_are_computed(inline, tmp_path, monkeypatch):
    arch_study().run(inline, out=tmp_path)
    monkeypatch.setattr(worker, "sources_digest", lambda package: "other")
    assert arch_study().run(inline, out=tmp_path).reused == 0


def test_failed_runs_are_rows_with_their_error(inline, tmp_path):
    found = arch_study(vary={"thickness": [0.6, -1.0]}).run(inline, out=tmp_path)
    assert (found.done, found.failed) == (1, 1)
    assert "thickness is -1.0" in found.table.rows[1]["error"]
    assert arch_study(vary={"thickness": [0.6, -1.0]}).run(inline, out=tmp_path).reused == 2


def test_runs_that_may_succeed_are_tried_again(inline, tmp_path, monkeypatch):
    def died(engine, *more):
        raise EngineDiedError("The engine ended.")

    with monkeypatch.context() as broken:
        broken.setattr(worker.Engine, "static", died)
        assert arch_study().run(inline, out=tmp_path).failed == 4
    again = arch_study().run(inline, out=tmp_path)
    assert (again.failed, again.reused) == (0, 0) and len(again.table) == 4


def test_an_interrupted_study_goes_on(inline, tmp_path):
    asked = iter([False, True])
    with pytest.raises(CancelledError, match="goes on"):
        arch_study().run(inline, out=tmp_path, cancelled=lambda: next(asked))
    study, table = read_folder(tmp_path)
    assert 0 < len(table) < 4 and (tmp_path / "table.csv").exists()
    rest = arch_study().run(inline, out=tmp_path)
    assert rest.reused == len(table) and rest.done == 4


def test_threads_give_the_same_table(inline, tmp_path):
    a = arch_study().run(inline, out=tmp_path / "a").table.to_csv()
    with ThreadPoolExecutor(1) as threads:
        assert arch_study().run(threads, out=tmp_path / "b").table.to_csv() == a


def _broken():
    future = Future()
    future.set_exception(BrokenExecutor("a process ended"))
    return future


class Breaking(Pool):
    """Local workers of which the first ones die with a certain run."""

    restarts = True

    def __init__(self, deaths, thickness):
        super().__init__(Inline(), 1)
        self.deaths, self.thickness, self.restarted = deaths, thickness, 0

    def submit(self, function, token, tasks, definition=None):
        if self.deaths and any(task.values["thickness"] == self.thickness for task in tasks):
            self.deaths -= 1
            return _broken()
        return super().submit(function, token, tasks, definition)

    def restart(self):
        self.restarted += 1


def test_runs_of_a_worker_that_died_are_tried_again(inline, tmp_path):
    pool = Breaking(2, 0.6)
    found = arch_study(vary={"thickness": [0.5, 0.6, 0.7]}).run(pool, out=tmp_path)
    assert found.failed == 0 and pool.restarted == 2 and len(found.table) == 3


def test_a_run_that_ends_every_worker_fails_alone(inline, tmp_path):
    found = arch_study(vary={"thickness": [0.5, 0.6, 0.7]}).run(Breaking(99, 0.6), out=tmp_path)
    assert [bool(row["error"]) for row in found.table] == [False, True, False]
    assert "died {} times".format(campaign.TRIES) in found.table.rows[1]["error"]


class Several(Breaking):
    """The same with several workers: tasks begin when the campaign waits, and die together."""

    def __init__(self, deaths, thickness):
        super().__init__(deaths, thickness)
        self._workers = 3

    def submit(self, function, token, tasks, definition=None):
        future = super().submit(function, token, tasks, definition)
        self.broken = self.broken or future.exception() is not None
        return _broken() if self.broken else future

    def restart(self):
        super().restart()
        self.broken = False

    broken = False


def test_runs_beside_the_one_that_ends_workers_do_not_fail(inline, tmp_path):
    """Tasks after the bad one die with it, as in a broken pool of processes; only the bad one has failed in the end."""
    thickness = [0.6, 0.61, 0.62, 0.63, 0.64, 0.65]
    found = arch_study(vary={"thickness": thickness}).run(Several(99, 0.6), out=tmp_path)
    assert [bool(row["error"]) for row in found.table] == [True, False, False, False, False, False]


def test_workers_that_cannot_start_are_told(inline, tmp_path):
    class Dead(Pool):
        def submit(self, *arguments):
            raise BrokenExecutor("ended")

    with pytest.raises(EngineStartError, match="__main__"):
        arch_study().run(Dead(inline, 1), out=tmp_path)


def test_a_broken_executor_of_the_user_is_told(inline, tmp_path):
    pool = Breaking(99, 0.6)
    pool.restarts = False
    with pytest.raises(EngineDiedError, match=r"workers are lost.*goes on with the 1 runs"):
        arch_study(vary={"thickness": [0.5, 0.6, 0.7]}).run(pool, out=tmp_path)
    assert len(read_folder(tmp_path)[1]) == 1


def test_workers_with_other_sources_are_refused(inline, tmp_path, monkeypatch):
    digests = iter(["one", "other", "other"])
    monkeypatch.setattr(worker, "sources_digest", lambda package: next(digests))
    with pytest.raises(EngineError, match="other sources"):
        arch_study().run(inline, out=tmp_path)


def test_a_worker_is_sent_the_study_once(inline, tmp_path, monkeypatch):
    sent = []
    monkeypatch.setattr(Inline, "submit", _counting(Inline.submit, sent))
    arch_study().run(inline, out=tmp_path)
    assert sent[0] and not any(sent[1:]) and len(sent) == 5


def _counting(submit, sent):
    def counting(self, function, token, tasks, definition=None):
        sent.append(definition is not None)
        return submit(self, function, token, tasks, definition)

    return counting


def test_a_worker_without_the_study_asks_for_it(inline):
    assert worker.compute("unknown", []).rows is None


def test_structures_are_not_changed_by_their_study(inline, tmp_path):
    stack = templates.stack()
    before = stack.__data__
    Study(stack, vary={"friction": [0.1, 0.2], "density": [1000.0]}).run(inline, out=tmp_path)
    assert stack.__data__ == before


@pytest.mark.parametrize("executor", [3, "cluster", object()])
def test_what_runs_nothing_is_refused(executor):
    with pytest.raises(InputError, match="runs nothing"):
        pool_of(executor)
    with pytest.raises(InputError, match="workers"):
        pool_of(workers=0)


def test_a_scheduler_that_does_not_answer_is_told(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("compas_nscd.studies.running.executors.SCHEDULER_S", 0.5)
    with pytest.raises(EngineStartError, match="No scheduler answers at tcp://127.0.0.1:9"):
        pool_of(scheduler="tcp://127.0.0.1:9")


def test_progress_tells_rate_and_time_left(inline, tmp_path):
    told = []
    arch_study().run(inline, out=tmp_path, progress=told.append)
    assert told[-1]["state"] == "done" and told[-1]["fraction"] == 1.0
    assert "4 of 4 runs" in told[-1]["phase"] and "a second" in told[-1]["phase"]


@pytest.mark.parametrize("capacity", [0.05, 0.37, 1.9])
def test_hunt_brackets_the_capacity(capacity):
    hunt = HuntAndFill(0.1, 0.1, 0.05, resolution=0.1, most=20)
    levels = hunt.levels()
    level, tried = next(levels), []
    try:
        while True:
            tried.append((level, level >= capacity))
            level = levels.send(level >= capacity)
    except StopIteration:
        pass
    stands = max([level for level, falls in tried if not falls], default=0.0)
    falls = min(level for level, falls in tried if falls)
    assert stands < capacity <= falls and falls - stands <= 0.1 * max(stands, 0.1) + 1e-9
    assert len(tried) <= 16


def test_hunt_ends_after_its_most_runs():
    levels = HuntAndFill(0.1, 0.1, most=3).levels()
    assert [next(levels), levels.send(False), levels.send(False)] == pytest.approx([0.1, 0.2, 0.3])
    with pytest.raises(StopIteration):
        levels.send(False)


def test_plan_of_stripes_and_cloud():
    from compas_nscd.loads.synthetic import synthetic_motions

    motions = synthetic_motions(2, seed=1)
    stripes = list(Plan([{}], motions, [0.1, 0.2]).first())
    assert [(run.motion, run.level) for run in stripes] == [(0, 0.1), (0, 0.2), (1, 0.1), (1, 0.2)]
    assert stripes[1].factor == pytest.approx(2.0 * stripes[0].factor)
    assert [run.factor for run in Plan([{}], motions).first()] == [1.0, 1.0]
