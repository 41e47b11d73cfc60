"""Analyses of a study, by name: what is asked of the engine, and what is kept of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable, NamedTuple

from compas_nscd.blocks.contact_stiffness import ContactStiffness
from compas_nscd.client.engine import Engine
from compas_nscd.errors import InputError
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.base import Result


class Analysis(NamedTuple):
    """An analysis that a study can run."""

    run: Callable[..., Result]  # of the engine, structure, case, settings and options
    kept: tuple[str, ...]  # columns of the table unless the study says otherwise
    options: tuple[str, ...]  # needed beside what is known: none may be missing
    moves: bool = False  # takes ground motions


def _static(
    engine: Engine, structure: Structure, case: LoadCase, settings: Settings, options: Mapping[str, Any]
) -> Any:
    return engine.static(structure, case, settings, **options)


def _limit(engine: Engine, structure: Structure, case: LoadCase, settings: Settings, options: Mapping[str, Any]) -> Any:
    return engine.limit(structure, case, settings=settings, **options)


def _dynamic(
    engine: Engine, structure: Structure, case: LoadCase, settings: Settings, options: Mapping[str, Any]
) -> Any:
    return engine.dynamic(structure, case, settings=settings, **options).result()


def _quasistatic(
    engine: Engine, structure: Structure, case: LoadCase, settings: Settings, options: Mapping[str, Any]
) -> Any:
    """Springs of the joints are given by the options kn, kt, ktwist and kbend of `nscd quasistatic`."""
    said = dict(options)
    springs = [said.pop(key, None) for key in ("kn", "kt", "ktwist", "kbend")]
    return engine.quasistatic(structure, case, stiffness=ContactStiffness(*springs), settings=settings, **said)


#: The analyses.
ANALYSES: dict[str, Analysis] = {
    "static": Analysis(_static, ("verdict", "assured", "residual"), ()),
    "limit": Analysis(_limit, ("status", "multiplier_associated", "multiplier_coulomb"), ("vary",)),
    "dynamic": Analysis(
        _dynamic, ("verdict", "outcome", "max_displacement", "drift", "residual_drift", "collapse_time"), (), True
    ),
    "quasistatic": Analysis(_quasistatic, ("verdict", "displacement_max", "error_max"), ("kn", "kt")),
}


def analysis_of(name: str) -> Analysis:
    """Analysis of a name; an InputError if there is none."""
    if name not in ANALYSES:
        remedy = "Analyses: {}.".format(", ".join(ANALYSES))
        raise InputError("There is no analysis {!r:.40}.".format(name), remedy=remedy)
    return ANALYSES[name]
