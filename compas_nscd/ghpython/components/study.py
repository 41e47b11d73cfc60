"""Component Study: many runs of a structure or template, and their table."""

import json
import re
from typing import Any, Dict, Optional, Tuple

from compas_nscd.errors import CancelledError, InputError
from compas_nscd.ghpython.canvas import Canvas, Count, Flag, Items, Text, component
from compas_nscd.ghpython.live_analysis import LiveAnalysis, same_content
from compas_nscd.ghpython.wires import items
from compas_nscd.ghpython.worker import Dropped, Question
from compas_nscd.studies.running.executors import LocalThreads
from compas_nscd.studies.statistics.curves import fragility
from compas_nscd.studies.study import Outcome, Study

#: Outputs of the component.
OUTPUTS = ("columns", "table", "collapse", "median", "dispersion", "progress", "info")
#: Forms of a line of the input `vary`.
FORMS = "thickness=0.4,0.5,0.6 (values), thickness=0.4..0.6 (range), thickness=0.4..0.6/5 (five values)"
_RANGE = re.compile(r"^\s*([-+.\deE]+)\s*\.\.\s*([-+.\deE]+)\s*(?:/\s*(\d+))?\s*$")


class LiveStudy(LiveAnalysis):
    """Studies; computed while the input `compute` is true."""

    fraction = 0.0  # share of the runs that are done

    def work(self, question: Question) -> Any:
        """Outcome of a study; what was done before a cancel is on disk."""
        study, folder = question.content

        def show(status: Dict[str, Any]) -> None:
            self.fraction = status["fraction"]
            question.say(status["phase"])

        try:
            return study, study.run(
                LocalThreads(), out=folder, progress=show, cancelled=lambda: question.dropped or question.cut
            )
        except CancelledError:
            if question.dropped:
                raise Dropped
            raise


@component(*OUTPUTS)
def study(
    canvas: Canvas,
    source: Any,
    vary: Items,
    analysis: Text,
    options: Items,
    ground: Items,
    levels: Items,
    sampler: Text,
    runs: Count,
    seed: Count,
    folder: Text,
    compute: Flag,
) -> Any:
    """Component Study: runs while `compute` is true, and keeps its table until an input changes."""
    if source is None:
        raise InputError("Input source is missing.", remedy="Connect a structure, or the name of a template.")
    given = (source, *(tuple(items(each)) for each in (vary, options, ground, levels)))
    asked = (*given, analysis, sampler, runs, seed, folder)
    state = canvas.kept(LiveStudy.of)
    if state.new(asked, same_content):
        state.worker.forget()
    if not compute:
        state.worker.cut()
    elif not state.worker.busy and (state.worker.answer is None or _was_cancelled(state)):
        made = _study(canvas, asked)
        state.worker.ask((made, folder))
    found = state.worker.look(canvas.patience(0.0))
    if state.worker.busy:
        canvas.message(canvas.record.text(canvas.number) or "starting")
        return _nothing(state.fraction, "running" if compute else "being cancelled")
    if found is None:
        canvas.message("ready")
        return _nothing(0.0, "Set compute to true.")
    if found.error is not None:
        canvas.message("cancelled" if isinstance(found.error, CancelledError) else "failed")
        canvas.warning(str(found.error))
        return _nothing(state.fraction, str(found.error))
    return _shown(canvas, *found.value)


def _was_cancelled(state: LiveStudy) -> bool:
    answer = state.worker.answer
    return answer is not None and isinstance(answer.error, CancelledError)


def _nothing(fraction: float, line: str) -> Tuple[Any, ...]:
    return (None,) * 5 + (fraction, [line])


def _study(canvas: Canvas, asked: Tuple[Any, ...]) -> Study:
    """Study of the inputs."""
    source, vary, options, ground, levels, analysis, sampler, runs, seed, _ = asked
    with canvas.input("vary"):
        varied = dict(_varied(str(line)) for line in vary)
    with canvas.input("options"):
        chosen = dict(_assigned(str(line)) for line in options)
    numbers = [float(level) for level in levels] or None
    return Study(
        source, varied, list(ground), numbers, sampler or "grid", runs, seed or 0, analysis=analysis, options=chosen
    )


def _varied(line: str) -> Tuple[str, Any]:
    """Parameter and values of a line; see `FORMS`."""
    name, text = _parts(line)
    ends = _RANGE.match(text)
    if ends:
        found: Dict[str, Any] = {"low": float(ends.group(1)), "high": float(ends.group(2))}
        return name, dict(found, count=int(ends.group(3))) if ends.group(3) else found
    return name, {"values": [_value(word) for word in text.split(",")]}


def _assigned(line: str) -> Tuple[str, Any]:
    name, text = _parts(line)
    return name, _value(text)


def _parts(line: str) -> Tuple[str, str]:
    name, equals, text = line.partition("=")
    if not equals or not name.strip() or not text.strip():
        raise InputError("{!r:.60} is not name=value.".format(line), remedy="Give {}.".format(FORMS))
    return name.strip(), text


def _value(word: str) -> Any:
    """A number or truth value if the word is one; else the word."""
    try:
        return json.loads(word)
    except ValueError:
        return word.strip()


def _shown(canvas: Canvas, made: Study, outcome: Outcome) -> Tuple[Any, ...]:
    """Outputs of a study that is done: a branch of the table for each run."""
    table = outcome.table
    columns = [name for name in table.columns if name != "key"]
    curve = _curve(made, outcome)
    if outcome.failed:
        canvas.warning("{} of {} runs failed; the column error says why.".format(outcome.failed, outcome.runs))
    canvas.message("{} runs".format(outcome.runs))
    lines = ["{} runs, {} failed, {} were on disk".format(outcome.runs, outcome.failed, outcome.reused)]
    lines += ["{:.1f} s with {} engines".format(outcome.wall_s, outcome.workers), str(outcome.folder)]
    return (
        columns,
        canvas.tree([["" if row.get(name) is None else row[name] for name in columns] for row in table]),
        [bool(row["collapse"]) for row in table],
        None if curve is None else curve.median,
        None if curve is None else curve.dispersion,
        1.0,
        lines,
    )


def _curve(made: Study, outcome: Outcome) -> Optional[Any]:
    """Fragility of collapse; None if the runs determine none."""
    try:
        return fragility(made, outcome.table)
    except InputError:
        return None
