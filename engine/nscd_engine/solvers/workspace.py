"""What one solve leaves for the next: arrays, the structure of the factor, and which method takes the next step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.kernels.linalg.packed_factor import new_packed
from nscd_engine.kernels.solvers.admm_matrix import AdmmFactor
from nscd_engine.kernels.solvers.hessian import Work
from nscd_engine.linalg.factor import symbolic


class Retry:
    """When to try a method again that has failed: after a number of steps that doubles with every failure.

    Parameters
    ----------
    bounds : tuple of int
        Steps to wait after the first failure, and at most [-].
    wait : int, optional
        Steps left to wait [-].
    stay : int, optional
        Steps to wait after the next failure [-].
    """

    def __init__(self, bounds: Tuple[int, int], wait: int = 0, stay: Optional[int] = None) -> None:
        self.bounds = bounds
        self.wait, self.stay = wait, stay or bounds[0]

    def is_due(self) -> bool:
        """Whether to try the method in this step; to be asked once a step."""
        self.wait = max(self.wait - 1, -1)
        return self.wait < 0

    def note(self, success: bool) -> None:
        """Take note of the outcome of a trial."""
        first, most = self.bounds
        self.wait, self.stay = (0, first) if success else (self.stay, min(2 * self.stay, most))

    def snapshot(self) -> List[int]:
        """`wait` and `stay`, from which a Retry can be made again."""
        return [self.wait, self.stay]


#: Steps for which a method that failed on bonded joints is not tried again, at first and at most [-]: the solver of dry
#: steps. Fewer: time is lost in vain. More: cheap steps are solved at a high price.
RETRY_DRY = (4, 64)
#: The same for ADMM, which costs a tenth of an exact solve [-].
RETRY_ADMM = (1, 4)


class BondedRetries:
    """When steps with bonds, springs or cables try the cheaper methods again.

    Parameters
    ----------
    dry, admm : sequence of int, optional
        Snapshots of the two.

    Attributes
    ----------
    dry : Retry
        Of the solver of dry steps.
    admm : Retry
        Of ADMM.
    """

    def __init__(self, dry: Any = (), admm: Any = ()) -> None:
        self.dry, self.admm = Retry(RETRY_DRY, *dry), Retry(RETRY_ADMM, *admm)

    def snapshot(self) -> List[List[int]]:
        """Snapshots of `dry` and `admm`."""
        return [self.dry.snapshot(), self.admm.snapshot()]


@dataclass
class Workspace:
    """Memory of the solvers of one structure. Methods change it; others read it.

    Attributes
    ----------
    symbolic : Symbolic, optional
        Structure of the factor for the pairs of bodies that touch.
    newton : Work, optional
        Arrays of Newton's method.
    admm : AdmmFactor, optional
        Arrays of the factor of ADMM, in single precision.
    method_hold_steps : int
        Steps that ADMM still takes before Newton's method is tried again [-].
    method_hold_length : int
        Length of the last hold [-]; the next is twice as long if Newton's method fails again.
    bonded : BondedRetries, optional
        When steps with bonds, springs or cables try the cheaper methods again.
    """

    symbolic: Optional[Any] = None
    newton: Optional[Work] = None
    admm: Optional[AdmmFactor] = None
    method_hold_steps: int = 0
    method_hold_length: int = 0
    bonded: Optional[BondedRetries] = None

    def factor_structure(
        self, body: np.ndarray, count: int, monitor: Optional[Monitor] = None, iterative: bool = False
    ) -> Any:
        """Structure of the factor for contacts between bodies (C, 2) of `count`; the earlier one if it fits.

        If `iterative` it may be that of conjugate gradients (`linalg.factor.symbolic`).
        """
        self.symbolic = symbolic(body, count, self.symbolic, monitor, iterative)
        return self.symbolic

    def newton_arrays(self, contacts: int, bodies: int, sym: Any) -> Work:
        """Work for so many contacts and bodies, the earlier one if it fits; at rest, without impulses and bounds."""
        panels = int(sym.panel_start[-1])
        size = (contacts, bodies, panels, sym.arena)
        if self.newton is None or size != _work_size(self.newton):
            self.newton = _new_work(*size)
        self.newton.v[:] = 0.0
        self.newton.gamma[:] = 0.0
        self.newton.bound[:] = -1.0
        return self.newton

    def admm_arrays(self, sym: Any) -> AdmmFactor:
        """Arrays for a factor of this structure in single precision, the earlier ones if they fit."""
        if self.admm is None or self.admm.sym is not sym:
            self.admm = new_admm_arrays(sym, np.float32)
        return self.admm

    def hold_method(self, steps: int) -> None:
        """Let ADMM take so many steps before Newton's method is tried again."""
        self.method_hold_steps = self.method_hold_length = steps

    def count_steps(self, steps: int = 1) -> None:
        """Take note that ADMM has taken so many steps."""
        self.method_hold_steps = max(self.method_hold_steps - steps, 0)

    def release_method(self) -> None:
        """Let Newton's method be tried in the next step."""
        self.method_hold_steps = 0

    def bonded_retries(self) -> BondedRetries:
        """`bonded`, made when it is first asked for."""
        if self.bonded is None:
            self.bonded = BondedRetries()
        return self.bonded

    def snapshot(self) -> Dict[str, Any]:
        """What the choice of methods depends on; arrays are made again."""
        return {
            "method_hold_steps": self.method_hold_steps,
            "method_hold_length": self.method_hold_length,
            "bonded": None if self.bonded is None else self.bonded.snapshot(),
        }

    def restore(self, state: Dict[str, Any]) -> None:
        """Go back to a snapshot."""
        self.method_hold_steps, self.method_hold_length = state["method_hold_steps"], state["method_hold_length"]
        self.bonded = None if state["bonded"] is None else BondedRetries(*state["bonded"])


def new_admm_arrays(sym: Any, kind: Any) -> AdmmFactor:
    """Arrays for a factor of ADMM of this structure, panels of type `kind`."""
    return AdmmFactor(sym, np.empty(int(sym.panel_start[-1]), kind), np.empty(sym.arena, kind), new_packed(sym))


def _work_size(work: Work) -> Tuple[int, int, int, int]:
    return len(work.u), len(work.v), len(work.factor), len(work.arena)


def _new_work(contacts: int, bodies: int, panels: int, arena: int) -> Work:
    return Work(
        e=np.empty((contacts, 2)),
        target=np.empty((contacts, 3)),
        u=np.empty((contacts, 3)),
        du=np.empty((contacts, 3)),
        gamma=np.empty((contacts, 3)),
        state=np.empty(contacts, np.int8),
        bound=np.full(contacts, -1.0),
        G=np.empty((contacts, 6)),
        v=np.empty((bodies, 6)),
        g=np.empty((bodies, 6)),
        d=np.empty((bodies, 6)),
        factor=np.empty(panels),
        arena=np.empty(arena),
    )
