"""Chapters of the book: functions become cases by a decorator."""

from __future__ import annotations

from collections.abc import Callable

from compas_nscd.validation.case import Case, Trial

Compute = Callable[[Trial], None]


class Chapter:
    """Cases of one subject, in the order in which they are written.

    Parameters
    ----------
    title : str
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.cases: list[Case] = []

    def case(
        self,
        id: str,
        title: str,
        kind: str,
        source: str,
        reason: str,
        quick: bool = True,
        **more: str,
    ) -> Callable[[Compute], Compute]:
        """Decorate a function that computes a case; its docstring describes the model.

        Parameters
        ----------
        id, title : str
        kind : str
            Letters of `case.KINDS`.
        source : str
            Of the reference.
        reason : str
            Why the tolerance is what it is.
        quick : bool
            Whether it takes a second or less.
        **more
            others : results of other codes; leaves_out : what the model does not have.
        """

        def add(compute: Compute) -> Compute:
            others, leaves_out = more.get("others", ""), more.get("leaves_out", "")
            self.cases.append(Case(id, title, self.title, kind, source, reason, compute, quick, others, leaves_out))
            return compute

        return add
