"""Work behind the canvas: the newest question is answered, older ones are dropped, the canvas never waits for long.

An answer is never followed by that of an older question. While a slider moves faster than answers come, the work under
way is let finish if it is short, so that something is seen to move; else nothing would be until the hand rests.

Grasshopper may be touched by its own thread only. A worker hands what it has to say to `on_canvas`, which Rhino runs
there as soon as it is idle; nothing here waits for that.
"""

import threading
import time

from compas_nscd.errors import EngineDiedError, NscdError

#: How long the thread of a worker stays after its last answer [s]: starting one at each move of a slider costs more.
LINGER_S = 2.0
#: Work that was overtaken by a newer question is let finish when nothing has been answered for so long [s] ...
STALE_S = 0.1
#: ... and dropped after all if it takes longer than this [s]: by so much the newest answer may be late.
SPARE_S = 0.25

#: Work that is over sooner says nothing while it lasts [s].
QUIET_S = 0.2


class Dropped(Exception):
    """Nobody wants this answer any more."""


class Question:
    """What a worker works on.

    Attributes
    ----------
    content : object
    cut : bool
        True to be content with what has been found by now.
    """

    def __init__(self, content, worker):
        self.content, self.cut, self._worker = content, False, worker
        self.began = time.monotonic()
        self.spared = False

    @property
    def newest(self):
        return self._worker.newest is self

    @property
    def dropped(self):
        """True once there is a newer question that should not wait, or nobody asks any more."""
        spared = self.spared and self._worker.busy and time.monotonic() - self.began < SPARE_S
        return not (self.newest or spared)

    def say(self, text, lasting=False):
        """Show text below the component if the question still counts when the canvas gets to it, or a lasting one."""
        if self.newest:
            self._worker.say(lambda: text if lasting or self.newest else None)


class Answer:
    """Outcome of a question: a value, or the error it ended with."""

    def __init__(self, value=None, error=None):
        self.value, self.error = value, error


class Worker:
    """Answers the newest of many questions in a thread of its own, which ends when there is nothing to do.

    Parameters
    ----------
    work : callable
        Takes a Question, returns its value; raises Dropped when the question has been dropped.
    ready : callable
        Called in the thread of the worker when an answer is there that nobody waited for.
    say : callable
        Takes a function that gives the text to be shown, or None; called in the thread of the worker.
    """

    def __init__(self, work, ready, say):
        self.say = say
        self.newest = None
        self._work, self._ready = work, ready
        self._turn = threading.Condition()
        self._next = None
        self._thread = None
        self._waits = False
        self._current = None
        self._since = 0.0  # when the last answer came, or the first question after a rest
        #: From the last question that was answered to its answer [s].
        self.duration = 0.0
        #: Answer to the newest question that has one, and to the one that was looked at last.
        self.answer = None
        self.shown = None

    @property
    def busy(self):
        """True while the newest question has no answer."""
        return self.newest is not None

    def ask(self, content):
        """Put a question; it takes the place of the one before. Whoever asks then looks, at once or after a while."""
        with self._turn:
            self._waits = True
            now = time.monotonic()
            if not self.busy:
                self._since = now
            elif self._current is self.newest and now - self._since > STALE_S:
                self._current.spared = True
            self.newest = self._next = Question(content, self)
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="compas_nscd", daemon=True)
                self._thread.start()
            self._turn.notify_all()

    def look(self, wait_s=0.0):
        """The last answer, after waiting a little for that of the newest question."""
        with self._turn:
            self._turn.wait_for(lambda: self.newest is None, wait_s)
            self._waits = False
            self.shown = self.answer
            return self.answer

    def cut(self):
        """Be content with what the work under way has found by now; its answer is still to come."""
        with self._turn:
            if self.newest is not None:
                self.newest.cut = True

    def stop(self):
        """Drop whatever is under way; its answer will not be shown."""
        with self._turn:
            self.newest = self._next = None
            self._turn.notify_all()

    def forget(self):
        """Stop, and keep no answer."""
        self.stop()
        self.answer = self.shown = None

    def _serve(self):
        while True:
            with self._turn:
                self._turn.wait_for(lambda: self._next is not None, LINGER_S)
                question, self._next = self._next, None
                self._current = question
                if question is None:
                    self._thread = None
                    return
            self._answer(question)

    def _answer(self, question):
        try:
            answer = Answer(value=self._work(question))
        except Dropped:
            return
        except NscdError as error:
            answer = Answer(error=error)
        except Exception as error:  # a thread that ends with one would leave the component waiting for ever
            answer = Answer(error=NscdError("{}: {}".format(type(error).__name__, error)))
        with self._turn:
            if question.dropped or (answer.error is not None and not question.newest):
                return
            if question.newest:
                self.newest = None
                self.duration = time.monotonic() - question.began
            self._since = time.monotonic()
            if self.answer is not None and answer.value is not None and answer.value is self.answer.value:
                answer = self.answer  # nothing new
            self.answer = answer
            told = (self._waits and not self.busy) or answer is self.shown
            self._turn.notify_all()
        if not told:
            self._ready()


def finish(question, start, turn_s):
    """Result of a job that is followed while it runs, and cancelled when its question is dropped or cut.

    Parameters
    ----------
    start : callable
        Starts the job. It is called again, once, if the engine dies meanwhile.
    turn_s : float
        How often to look whether the question has been dropped [s].
    """
    for tries_left in (1, 0):
        try:
            return _followed(question, start(), turn_s)
        except EngineDiedError:
            if question.dropped:
                raise Dropped from None
            if not tries_left:
                raise


def _followed(question, job, turn_s):
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


def progress_text(progress):
    """Words for the progress of a job: "solve 43 %, 2.1 s"."""
    share = "" if progress["fraction"] is None else " {:.0f} %".format(100.0 * progress["fraction"])
    return "{}{}, {:.1f} s".format(progress["phase"] or progress["state"], share, progress["elapsed"])


# -- the thread of the canvas --------------------------------------------------------------------------------------


# -- what components keep ------------------------------------------------------------------------------------------
