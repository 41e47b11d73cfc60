"""Analyses that the canvas does not wait for."""

import hashlib

from compas_nscd import wire
from compas_nscd.client.requests import case_of, scene
from compas_nscd.ghpython.lifetime import notifier
from compas_nscd.ghpython.shared_engine import session
from compas_nscd.ghpython.worker import Dropped, Worker, finish
from compas_nscd.results.limit import LimitResult
from compas_nscd.results.static import StaticResult

#: The canvas waits so long for an answer in the same solution [s], if the last one came as fast. Half of the 50 ms that
#: the canvas may be held, because on a busy machine a thread gets its turn late.
WAIT_S = 0.025
#: How often work under way looks whether its question has been dropped [s].
STATIC_TURN_S, DYNAMIC_TURN_S = 0.01, 0.1


class _Live:
    """What a component that solves keeps: its worker, and what it was asked last.

    Parameters
    ----------
    ready, say : callable
        As of a Worker.
    engine : callable, optional
        Gives an Engine that runs; takes a callable for texts about its start.
    """

    def __init__(self, ready, say, engine=session.engine):
        self.worker = Worker(self.work, ready, say)
        self.engine = engine
        self.asked = None

    @classmethod
    def of(cls, canvas):
        return cls(*notifier(canvas.component))

    def new(self, asked, same):
        """True if the inputs are not what they were, by a comparison of two values."""
        before, self.asked = self.asked, asked
        return before is None or not all(same(a, b) for a, b in zip(asked, before))

    def stop(self):
        self.worker.forget()


def _same(a, b):
    """Whether two inputs are one object, or equal numbers or texts: quick, for every move of a slider."""
    return a is b or (isinstance(a, (bool, int, float, str, tuple)) and type(a) is type(b) and a == b)


def same_content(a, b):
    """Whether two inputs have the same content, even if Grasshopper handed over a copy."""
    return a is b or (type(a) is type(b) and a == b)


class LiveStatic(_Live):
    """Static analyses, of which the newest counts."""

    verb = "static"
    _digest = None
    _solved = None

    def request(self, structure, case, chosen):
        """What is sent, and what makes a result of the reply."""
        return scene(structure, case, chosen), lambda reply: StaticResult.from_reply(reply, structure, case)

    def work(self, question):
        """Result of an analysis; the last one again if what is sent has not changed."""
        structure, case, chosen, *said = question.content
        engine = self.engine(question.say)
        body, convert = self.request(structure, case_of(structure, case), chosen, *said)
        digest = hashlib.sha256(wire.pack(dict(body, said=said))).digest()
        if digest == self._digest:
            question.say(word_of(self._solved), lasting=True)
            return self._solved
        if question.dropped:
            raise Dropped

        def start():
            job = engine.submit(self.verb, body)
            job.convert = convert
            return job

        solved = finish(question, start, STATIC_TURN_S)
        self._digest, self._solved = digest, solved
        return solved


def newest(canvas, state, asked, compute):
    """Result of the newest question that has an answer, or None; and lines about it.

    Parameters
    ----------
    state : LiveStatic
    asked : tuple
        Content of the question: structure, case, settings, and what else the analysis takes.
    compute : bool or None
        False to pause.
    """
    if compute is False:
        state.worker.stop()
        state.asked = None
        return _shown(canvas, state.worker.look(), "paused")
    if state.new(asked, _same):
        state.worker.ask(asked)
    found = state.worker.look(WAIT_S if state.worker.duration < WAIT_S else 0.0)
    return _shown(canvas, found, "solving" if state.worker.busy else None)


def _shown(canvas, found, message):
    """Result and lines of an answer, with its messages; of an earlier one while a newer question is under way."""
    if message is not None:
        canvas.message(message)
    if found is None or (message is not None and found.error is not None):
        return None, ["There is no answer yet."]
    if found.error is not None:
        canvas.error(str(found.error))
        canvas.message("failed")
        return None, [str(found.error)]
    result = found.value
    canvas.warnings(result.warnings)
    if message is None:
        canvas.message(word_of(result))
    return result, lines_of(result)


def word_of(result):
    if isinstance(result, LimitResult):
        return result.headline
    return "stands" if result.verdict == "stable" else "falls"


def lines_of(result):
    """Verdict and figures of a result, a line each."""
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


class LiveDynamic(_Live):
    """Motions, computed while somebody wants them."""

    compute = False

    def pressed(self, compute):
        """True if `compute` has just become true."""
        before, self.compute = self.compute, bool(compute)
        return self.compute and not before

    @property
    def complete(self):
        """True if there is a result that went to its end."""
        answer = self.worker.answer
        return answer is not None and answer.error is None and answer.value.summary["ended"] != "cancelled"

    def work(self, question):
        """Result of a motion."""
        structure, case, duration, step, chosen, options = question.content
        engine = self.engine(question.say)

        def start():
            return engine.dynamic(structure, case, duration, step, chosen, **options)

        return finish(question, start, DYNAMIC_TURN_S)
