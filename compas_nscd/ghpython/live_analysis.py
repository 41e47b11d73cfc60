"""Analyses that run behind the canvas."""

from typing import Any, Callable, List, NamedTuple, Optional, Tuple, TypeVar

from compas_nscd.client.engine import Engine
from compas_nscd.client.job import Job
from compas_nscd.client.requests import Request, StaticRequest
from compas_nscd.ghpython.canvas import Canvas
from compas_nscd.ghpython.shared_engine import session
from compas_nscd.ghpython.wires import same
from compas_nscd.ghpython.worker import Answer, Dropped, Question, Worker, finish
from compas_nscd.model.settings import Settings
from compas_nscd.results.base import Result
from compas_nscd.results.static import StaticResult

T = TypeVar("T")

#: Longest wait of the canvas for an answer in the same solution [s]; it waits if the last answer came as fast. Half of
#: the 50 ms for which the canvas may be held. Larger: a busy machine, which schedules threads late, exceeds the 50 ms.
#: Smaller: answers more often need a second solution.
WAIT_S = 0.025
#: Interval at which a static or limit analysis checks whether its question was dropped [s]. Larger: the next one starts
#: later. Smaller: more requests to the engine.
STATIC_TURN_S = 0.01
#: The same for a motion [s].
DYNAMIC_TURN_S = 0.1


class LiveAnalysis:
    """State of a component that solves: its worker, and the inputs of its last question.

    Parameters
    ----------
    ready, say : callable
        See `Worker`.
    engine : callable, optional
        Returns a running Engine; called with a function that shows texts about its start.
    """

    def __init__(
        self,
        ready: Callable[[], Any],
        say: Callable[[Callable[[], Optional[str]]], Any],
        engine: Callable[[Callable[..., Any]], Engine] = session.engine,
    ):
        self.worker = Worker(self.work, ready, say)
        self.engine = engine
        self._asked: Optional[Tuple[Any, ...]] = None

    @classmethod
    def of(cls, canvas: Canvas) -> Any:
        """State of the component of a canvas."""
        return cls(*canvas.notifier())

    def work(self, question: Question) -> Result:
        """Result of a question."""
        raise NotImplementedError

    def new(self, asked: Tuple[Any, ...], same: Callable[[Any, Any], bool]) -> bool:
        """True if the inputs have changed; `same` compares two values."""
        before, self._asked = self._asked, asked
        return before is None or not all(same(a, b) for a, b in zip(asked, before))

    def pause(self) -> None:
        """Drop what is being computed; the same inputs are a new question afterwards."""
        self.worker.stop()
        self._asked = None

    def stop(self) -> None:
        """The component was deleted."""
        self.worker.forget()


def same_content(a: Any, b: Any) -> bool:
    """Whether two inputs have the same content, even if Grasshopper passed a copy."""
    return a is b or (type(a) is type(b) and a == b)


class LiveStatic(LiveAnalysis):
    """Static analyses; the newest question replaces older ones."""

    _solved: Optional[Tuple[bytes, Result]] = None  # digest of the last request, and its result

    def request(self, *asked: Any) -> Request:
        """Request of a question: structure, case, settings. It starts from the one before: sliders move by little."""
        structure, case, settings = asked
        chosen = Settings(**dict((settings or Settings()).__data__, warm_start=True))
        return StaticRequest(structure, case, chosen)

    def work(self, question: Question) -> Result:
        """Result of an analysis; the last result if the request has not changed."""
        engine = self.engine(question.say)
        request = self.request(*question.content)
        digest = request.digest
        if self._solved is not None and self._solved[0] == digest:
            question.say(word_of(self._solved[1]), lasting=True)
            return self._solved[1]
        if question.dropped:
            raise Dropped
        result = finish(question, lambda: engine.submit(request), STATIC_TURN_S)
        self._solved = digest, result
        return result


class Shown(NamedTuple):
    """What a component shows of an analysis."""

    result: Optional[Any]  # of the question; while it is solved, of the question before if the component runs once
    info: List[str]
    answered: bool  # whether it is the answer to the question that was asked

    def verdict(self, value: Callable[[Any], T]) -> Optional[T]:
        """A verdict on the question that was asked; None until it is answered."""
        return value(self.result) if self.answered and self.result is not None else None


def newest(canvas: Canvas, state: LiveStatic, asked: Tuple[Any, ...], compute: Optional[bool]) -> Shown:
    """What is to be shown of the newest question, and of the one before until it is answered.

    Parameters
    ----------
    canvas : Canvas
    state : LiveStatic
    asked : tuple
        Arguments of the request: structure, case, settings, and what else the analysis takes.
    compute : bool or None
        False to pause.
    """
    if compute is False:
        state.pause()
        return _shown(canvas, state.worker.look(), "paused")
    if state.new(asked, same):
        state.worker.ask(asked)
    found = state.worker.look(canvas.patience(WAIT_S if state.worker.duration < WAIT_S else 0.0))
    return _shown(canvas, found, "solving" if state.worker.busy else None)


def _shown(canvas: Canvas, found: Optional[Answer], message: Optional[str]) -> Shown:
    """Result and lines of an answer, with its messages; `message` if a newer question has no answer yet.

    An earlier answer is shown only if the component runs once: among several runs it may be that of another structure.
    """
    if message is not None:
        canvas.message(message)
        if found is None or found.error is not None or not canvas.alone:
            return Shown(None, ["There is no answer yet."], False)
    if found is None:
        return Shown(None, ["There is no answer yet."], False)
    if found.error is not None:
        canvas.error(str(found.error))
        canvas.message("failed")
        return Shown(None, [str(found.error)], True)
    result = found.value
    canvas.warnings(result.warnings)
    if message is None:
        canvas.message(word_of(result))
    lines = lines_of(result)
    if not canvas.alone:
        lines.insert(0, str(result.structure.name or "structure {}".format(canvas.number)))
    return Shown(result, lines, message is None)


def word_of(result: Any) -> str:
    """Verdict of a result, to be shown below its component."""
    if hasattr(result, "headline"):
        return result.headline
    if isinstance(result, StaticResult):
        return result.answer
    return "stands" if result.verdict == "stable" else "falls"


def lines_of(result: Any) -> List[str]:
    """Verdict and figures of a result, one line each."""
    summary = result.summary
    lines = [word_of(result)]
    for key, value in summary.items():
        if key == "time":
            lines += ["{}: {:.4g}".format(*pair) for pair in value.items() if isinstance(pair[1], float)]
        elif isinstance(value, float):
            lines.append("{}: {:.4g}".format(key, value))
        elif key != "verdict" and value is not None:
            lines.append("{}: {}".format(key, value))
    return lines


class LiveDynamic(LiveAnalysis):
    """Motions; computed while the input `compute` is true."""

    _compute = False

    def pressed(self, compute: Optional[bool]) -> bool:
        """True if `compute` has just become true."""
        before, self._compute = self._compute, bool(compute)
        return self._compute and not before

    @property
    def complete(self) -> bool:
        """True if there is a result that was not cancelled."""
        answer = self.worker.answer
        return answer is not None and answer.error is None and answer.value.summary["ended"] != "cancelled"

    def work(self, question: Question) -> Result:
        """Result of a motion."""
        structure, case, duration, step, chosen, options = question.content
        engine = self.engine(question.say)

        def start() -> Job:  # called again after a crash: every attempt writes its own record
            return engine.dynamic(structure, case, duration, step, chosen, **options)

        return finish(question, start, DYNAMIC_TURN_S)
