"""Request of a quasi-static analysis: method, stiffness, and how the load grows."""

from typing import Any, Dict, Mapping, Optional, Sequence, Union

import numpy as np

from compas_nscd.blocks.contact_stiffness import ContactBond, ContactStiffness
from compas_nscd.client.requests import Request, case_of, scene
from compas_nscd.errors import InputError, MaterialError, SettingsError
from compas_nscd.loads.case import LoadCase, supports_named
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.quasistatic import METHODS, QuasistaticResult

#: Parts of the load, which stages name.
LOADS = ("gravity", "loads", "supports")
#: Most iterations of one increment, by method.
ITERATIONS = {"serrano": 1, "kishino": 5_000_000, "bagi_bojtar": 1000}
#: Other options of the analysis, and what they are unless given.
OPTIONS: Dict[str, Any] = {"rho": 1e-6, "order": "greedy", "halvings": 8, "second_order": False}

#: Stiffness of springs by block: six numbers each.
Springs = Mapping[Union[int, str], Sequence[float]]


class QuasistaticRequest(Request):
    """Request of a quasi-static analysis.

    Parameters
    ----------
    structure : Structure
    case : LoadCase, optional
        Default: that of the structure, else gravity alone. Its support motions move supports.
    method : {"bagi_bojtar", "kishino", "serrano"}
    stiffness : ContactStiffness
    steps : int or list of int
        Load increments, of every stage.
    tolerance : float
        Greatest equilibrium error of a block over the mean contact force [-].
    settings : Settings, optional
    **options
        bond : ContactBond, which holds all contacts together. springs : {block: six numbers}, stiffness to the ground
        [N/m, N m]; a support that has one is elastic, and carries loads. stages : parts of the load in the order in
        which they grow, e.g. ["gravity", "loads+supports"]; unless given all at once. max_iterations : of an
        increment. rho : regularisation over the mean stiffness [-]. order : of Kishino's relaxations, "greedy" or
        "random", from ``Settings.seed``. halvings : how often an increment that does not converge is halved.
        second_order : whether contact points and directions follow the displacements.

    Raises
    ------
    SettingsError, MaterialError, LoadError
    """

    def __init__(
        self,
        structure: Structure,
        case: Optional[LoadCase] = None,
        method: str = "bagi_bojtar",
        stiffness: Optional[ContactStiffness] = None,
        steps: Union[int, Sequence[int]] = 1,
        tolerance: float = 1e-6,
        settings: Optional[Settings] = None,
        **options: Any,
    ):
        self.structure, self.case = structure, case_of(structure, case)
        if method not in METHODS:
            raise SettingsError("There is no method {!r:.40}.".format(method), remedy=", ".join(METHODS) + ".")
        if not isinstance(stiffness, ContactStiffness):
            remedy = "Give stiffness=ContactStiffness(normal=..., tangential=...)."
            raise MaterialError("A quasi-static analysis needs the stiffness of the contacts.", remedy=remedy)
        asked = dict(
            method=method,
            stiffness=stiffness.__data__,
            tolerance=float(tolerance),
            **_options(structure, method, options),
            stages=_stages(options.pop("stages", None), steps, method),
            motion=support_displacements(structure, self.case),
        )
        super().__init__("quasistatic", dict(scene(structure, self.case, settings), quasistatic=asked))

    def result(self, reply: Dict[str, Any]) -> QuasistaticResult:
        """QuasistaticResult of the reply."""
        return QuasistaticResult.from_reply(reply, self.structure, self.case)


def _options(structure: Structure, method: str, given: Dict[str, Any]) -> Dict[str, Any]:
    """Options of the request but `stages`; a SettingsError for unknown ones."""
    known = {"bond", "springs", "stages", "max_iterations", *OPTIONS}
    unknown = sorted(set(given) - known)
    if unknown:
        text = "Unknown option {}.".format(", ".join(map(repr, unknown)))
        raise SettingsError(text, remedy="The options are {}.".format(", ".join(sorted(known))))
    bond: Optional[ContactBond] = given.get("bond")
    if bond is not None and not isinstance(bond, ContactBond):
        raise MaterialError("A bond is a ContactBond, not {!r:.40}.".format(bond))
    return dict(
        {key: given.get(key, default) for key, default in OPTIONS.items()},
        bond=None if bond is None else bond.__data__,
        springs=_springs(structure, given.get("springs") or {}),
        max_iterations=given.get("max_iterations") or ITERATIONS[method],
    )


def _springs(structure: Structure, given: Springs) -> np.ndarray:
    """Stiffness of springs to the ground [N/m, N m] (B, 6)."""
    springs = np.zeros((len(structure.blocks), 6))
    for block, numbers in given.items():
        try:
            springs[structure.index(block)] = np.array(numbers, float).reshape(6)
        except (TypeError, ValueError):
            remedy = "Give three in N/m and three in N m."
            raise InputError("The spring of {!r:.40} is not six numbers.".format(block), remedy=remedy)
    return springs


def support_displacements(structure: Structure, case: LoadCase) -> np.ndarray:
    """Displacements and rotations that the case prescribes [m, rad] (B, 6)."""
    motion = np.zeros((len(structure.blocks), 6))
    blocks = supports_named(structure, [each.block for each in case.support_motions])
    for each, block in zip(case.support_motions, blocks):
        motion[block] += each.displacement + each.rotation
    return motion


def _stages(given: Optional[Sequence[str]], steps: Union[int, Sequence[int]], method: str) -> list:
    """Stages of the request."""
    named = ["+".join(LOADS)] if given is None else list(given)
    counts = list(steps) if isinstance(steps, (list, tuple)) else [steps] * len(named)
    if len(counts) != len(named):
        raise SettingsError("There are {} stages and {} numbers of steps.".format(len(named), len(counts)))
    if method == "serrano" and (len(named) > 1 or counts[0] != 1):
        raise SettingsError("The method of Serrano takes the load in one step.", remedy="Leave out steps and stages.")
    stages = []
    for text, count in zip(named, counts):
        parts = [part.strip() for part in str(text).split("+")]
        unknown = [part for part in parts if part not in LOADS]
        if unknown:
            text = "A stage cannot have {!r:.40}.".format(unknown[0])
            raise SettingsError(text, remedy="Its parts are {}, joined by +.".format(", ".join(LOADS)))
        stages.append(dict({part: part in parts for part in LOADS}, steps=count))
    return stages
