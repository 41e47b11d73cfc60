"""Work behind the canvas: the newest question is answered, older ones are dropped, the canvas never waits for long.

Answers appear in the order of their questions. While a slider moves faster than answers come, short work on an older
question is finished, so that the drawing follows the slider; otherwise it would change only when the slider rests.

A worker runs in its own thread. It reports through the functions `ready` and `say`, which post to the thread of the
canvas (see `lifetime`) and return at once.
"""

import threading
import time
from typing import Any, Callable, Dict, Optional

from compas_nscd.client.job import Job
from compas_nscd.errors import EngineDiedError, NscdError

#: Time for which an idle thread is kept [s]. Smaller: a slider starts a new thread with every move. Larger: no gain.
LINGER_S = 2.0
#: Time without an answer after which work on an older question is finished [s]. Larger: the drawing follows a slider in
#: coarser steps. Smaller: the newest answer is late more often.
STALE_S = 0.1
#: Longest time for such work [s]; then it is dropped. Larger: the newest answer comes later by as much.
SPARE_S = 0.25

#: Time after which progress is shown [s]. Smaller: texts flicker below components that answer quickly.
QUIET_S = 0.2


class Dropped(Exception):
    """The answer is not needed any more."""


class Question:
    """A question to a worker.

    Attributes
    ----------
    content : object
    cut : bool
        True to end the work and take what it has found.
    """

    def __init__(self, content: Any, worker: "Worker"):
        self.content, self.cut, self._worker = content, False, worker
        self.began = time.monotonic()
        self.spared = False

    @property
    def newest(self) -> bool:
        """True until a newer question is asked or the worker is stopped."""
        return self._worker.newest is self

    @property
    def dropped(self) -> bool:
        """True if a newer question should not wait for this one, or the worker was stopped."""
        spared = self.spared and self._worker.busy and time.monotonic() - self.began < SPARE_S
        return not (self.newest or spared)

    def say(self, text: str, lasting: bool = False) -> None:
        """Show a text below the component; unless `lasting`, only if the question is still the newest by then."""
        if self.newest:
            self._worker.say(lambda: text if lasting or self.newest else None)


class Answer:
    """Answer to a question: a value, or the error it ended with."""

    def __init__(self, value: Any = None, error: Optional[NscdError] = None):
        self.value, self.error = value, error


class Worker:
    """Answers the newest of many questions in a thread of its own, which ends when it is idle.

    Parameters
    ----------
    work : callable
        Returns the value of a Question; raises Dropped if the question was dropped.
    ready : callable
        Called in the thread of the worker when there is an answer for which `look` did not wait.
    say : callable
        Called in the thread of the worker with a function that returns the text to be shown, or None.

    Attributes
    ----------
    newest : Question or None
        The newest question if it has no answer yet.
    duration : float
        Time from the last answered question to its answer [s].
    answer, shown : Answer or None
        Answer to the newest question that has one; answer that `look` returned last.
    """

    def __init__(
        self,
        work: Callable[[Question], Any],
        ready: Callable[[], Any],
        say: Callable[[Callable[[], Optional[str]]], Any],
    ):
        self.say = say
        self.newest: Optional[Question] = None
        self._work, self._ready = work, ready
        self._turn = threading.Condition()
        self._next: Optional[Question] = None
        self._thread: Optional[threading.Thread] = None
        self._waits = False
        self._current: Optional[Question] = None
        self._since = 0.0  # time of the last answer, or of the first question after a rest [s]
        self.duration = 0.0
        self.answer: Optional[Answer] = None
        self.shown: Optional[Answer] = None

    @property
    def busy(self) -> bool:
        """True while the newest question has no answer."""
        return self.newest is not None

    def ask(self, content: Any) -> None:
        """Ask a question, which replaces the one before. `look` is to be called next, at once or later."""
        with self._turn:
            self._waits = True
            now = time.monotonic()
            if not self.busy:
                self._since = now
            elif self._current is not None and self._current is self.newest and now - self._since > STALE_S:
                self._current.spared = True
            self.newest = self._next = Question(content, self)
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="compas_nscd", daemon=True)
                self._thread.start()
            self._turn.notify_all()

    def look(self, wait_s: Optional[float] = 0.0) -> Optional[Answer]:
        """The last answer, after waiting at most `wait_s` for that of the newest question; None waits to the end."""
        with self._turn:
            self._turn.wait_for(lambda: self.newest is None, wait_s)
            self._waits = False
            self.shown = self.answer
            return self.answer

    def cut(self) -> None:
        """End the current work with what it has found; its answer is still to come."""
        with self._turn:
            if self.newest is not None:
                self.newest.cut = True

    def stop(self) -> None:
        """Drop the current work; its answer is not shown."""
        with self._turn:
            self.newest = self._next = None
            self._turn.notify_all()

    def forget(self) -> None:
        """Stop, and forget the last answer."""
        self.stop()
        self.answer = self.shown = None

    def _serve(self) -> None:
        while True:
            with self._turn:
                self._turn.wait_for(lambda: self._next is not None, LINGER_S)
                question, self._next = self._next, None
                self._current = question
                if question is None:
                    self._thread = None
                    return
            self._answer(question)

    def _answer(self, question: Question) -> None:
        try:
            answer = Answer(value=self._work(question))
        except Dropped:
            return
        except NscdError as error:
            answer = Answer(error=error)
        except Exception as error:  # else the thread would end, and the component wait for ever
            answer = Answer(error=NscdError("{}: {}".format(type(error).__name__, error)))
        with self._turn:
            if question.dropped or (answer.error is not None and not question.newest):
                return
            if question.newest:
                self.newest = None
                self.duration = time.monotonic() - question.began
            self._since = time.monotonic()
            if self.answer is not None and answer.value is not None and answer.value is self.answer.value:
                answer = self.answer  # the same result
            self.answer = answer
            told = (self._waits and not self.busy) or answer is self.shown
            self._turn.notify_all()
        if not told:
            self._ready()


def finish(question: Question, start: Callable[[], Job], turn_s: float) -> Any:
    """Result of a job, which is cancelled when its question is dropped or cut.

    Parameters
    ----------
    question : Question
    start : callable
        Starts the job; called once more if the engine dies.
    turn_s : float
        Interval at which the question is checked [s].
    """
    for tries_left in (1, 0):
        try:
            return _followed(question, start(), turn_s)
        except EngineDiedError:
            if question.dropped:
                raise Dropped from None
            if not tries_left:
                raise


def _followed(question: Question, job: Job, turn_s: float) -> Any:
    began, cancelled = time.monotonic(), False
    while True:
        try:
            return job.result(timeout=turn_s)
        except TimeoutError:
            pass
        if question.dropped:
            job.cancel()
            raise Dropped
        if question.cut and not cancelled:
            job.cancel()
            cancelled = True
        if time.monotonic() - began > QUIET_S:
            question.say(progress_text(job.progress))


def progress_text(progress: Dict[str, Any]) -> str:
    """Progress of a job as text: "solve 43 %, 2.1 s"."""
    share = "" if progress["fraction"] is None else " {:.0f} %".format(100.0 * progress["fraction"])
    return "{}{}, {:.1f} s".format(progress["phase"] or progress["state"], share, progress["elapsed"])
