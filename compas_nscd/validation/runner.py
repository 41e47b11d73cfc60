"""Run cases: choose them, compute one after the other, and keep what each gave."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from compas_nscd.client.engine import Engine
from compas_nscd.errors import AuthenticationError, EngineStartError, InputError
from compas_nscd.validation import (
    arches,
    deformable,
    experiments,
    many_runs,
    published,
    quasistatic,
    single_blocks,
    walls,
)
from compas_nscd.validation.case import Case, LeftOut, Outcome, Trial
from compas_nscd.validation.chapter import Chapter
from compas_nscd.validation.found import motion, sections, wedging

#: The chapters of the book, in order.
CHAPTERS: tuple[Chapter, ...] = tuple(
    module.CHAPTER
    for module in (
        single_blocks,
        arches,
        walls,
        published,
        wedging,
        sections,
        motion,
        deformable,
        quasistatic,
        experiments,
        many_runs,
    )
)
#: All cases, in the order of the book.
CASES: tuple[Case, ...] = tuple(case for chapter in CHAPTERS for case in chapter.cases)
#: Models that are not part of the project, beside the checkout.
SHARED = Path(__file__).resolve().parents[3] / "shared"


def select(only: Sequence[str] = (), quick: bool = False) -> list[Case]:
    """Cases by their numbers, all if none is given; `quick` keeps those of a second or less.

    Raises
    ------
    InputError
        If there is no case of that number.
    """
    wanted = [name.strip().upper() for name in only if name.strip()]
    known = {case.id: case for case in CASES}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        remedy = "Cases: {}.".format(", ".join(known))
        raise InputError("There is no case {}.".format(", ".join(unknown)), remedy=remedy)
    return [case for case in CASES if (not wanted or case.id in wanted) and (case.quick or not quick)]


def run_cases(
    cases: Sequence[Case],
    engine: Engine,
    shared: Path | None = SHARED,
    pictures: bool = False,
    progress: Callable[[dict[str, Any]], Any] | None = None,
) -> Iterator[Outcome]:
    """Compute cases one after the other, and yield what each gave.

    Parameters
    ----------
    cases : list of Case
    engine : Engine
    shared : Path, optional
        Folder of models that are not part of the project; cases that need it are left out where it is absent.
    pictures : bool
        Draw the structures too.
    progress : callable, optional
        Called with ``{"state", "phase", "fraction"}`` before each case.
    """
    for done, case in enumerate(cases):
        if progress is not None:
            phase = "{}, {}".format(case.id, case.title)
            progress({"state": "running", "phase": phase, "fraction": done / len(cases)})
        yield run_case(case, Trial(engine, shared, pictures))


def run_case(case: Case, trial: Trial) -> Outcome:
    """Compute one case. What goes wrong in it is its failure; only an engine that cannot be reached ends everything."""
    began = time.perf_counter()
    left_out = failure = None
    try:
        case.compute(trial)
    except LeftOut as reason:
        left_out = str(reason)
    except (EngineStartError, AuthenticationError):
        raise
    except Exception as error:  # a case that cannot be computed has failed, whatever the reason
        where = traceback.extract_tb(error.__traceback__)[-1]
        failure = "{}: {} ({}, line {})".format(type(error).__name__, error, Path(where.filename).name, where.lineno)
    return Outcome(case, trial.comparisons, trial.pictures, time.perf_counter() - began, left_out, failure)
