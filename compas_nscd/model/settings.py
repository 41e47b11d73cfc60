"""Settings of an analysis: solver, tolerances, threads."""

from __future__ import annotations

import math
from typing import Any

from compas.data import Data

from compas_nscd.errors import SettingsError

#: Greatest setting `gap` [m].
WIDEST_GAP = 1000.0
#: Units of the setting `gap` [m].
GAP_UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}


class _Rule:
    """Returns the checked value, or None if it is out of range; `text` completes "Give ..."."""

    text = ""

    def __call__(self, value: Any) -> Any:
        raise NotImplementedError


class _Choice(_Rule):
    def __init__(self, *options: str) -> None:
        self.options = options
        self.text = "one of " + ", ".join(options)

    def __call__(self, value: Any) -> str | None:
        return value if value in self.options else None


class _Number(_Rule):
    """A finite float in (low, high], or in [low, high] if closed."""

    def __init__(self, low: float, high: float, unit: str = "", closed: bool = False) -> None:
        self.low, self.high, self.closed = low, high, closed
        self.text = "a number {} {:g} and at most {:g}{}".format("from" if closed else "above", low, high, unit)

    def __call__(self, value: Any) -> float | None:
        if isinstance(value, (bool, str)):
            return None
        value = float(value)
        inside = (value >= self.low if self.closed else value > self.low) and value <= self.high
        return value if math.isfinite(value) and inside else None


class _Integer(_Rule):
    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high
        self.text = "a whole number from {} to {}".format(low, high)

    def __call__(self, value: Any) -> int | None:
        if isinstance(value, (bool, str)) or int(value) != value:
            return None
        return int(value) if self.low <= value <= self.high else None


class _Flag(_Rule):
    text = "True or False"

    def __call__(self, value: Any) -> bool | None:
        return value if isinstance(value, bool) else None


class _Falling(_Rule):
    """Two or more descending regularisations: the verdict compares the last two."""

    text = "two or more falling numbers, each above 0 and below 1"

    def __call__(self, value: Any) -> tuple[float, ...] | None:
        eps = tuple(float(e) for e in value)
        falling = all(a > b for a, b in zip(eps, eps[1:]))
        return eps if len(eps) > 1 and falling and all(0.0 < e < 1.0 for e in eps) else None


class _Gap(_Rule):
    """Metres, or a share of the smaller block as text: 0.015, "15mm", "2%"."""

    text = (
        'metres above 0 and up to 1000 such as 0.015, a length such as "15mm", or a share of the block up to 50 %, "2%"'
    )

    def __call__(self, value: Any) -> float | str | None:
        if isinstance(value, bool):
            return None
        if not isinstance(value, str):
            metres = float(value)
            return metres if 0.0 < metres <= WIDEST_GAP else None
        text = value.strip().lower()
        if text.endswith("%"):
            share = float(text[:-1])
            return "{:g}%".format(share) if 0.0 < share <= 50.0 else None
        number = text.rstrip("abcdefghijklmnopqrstuvwxyz ")
        unit = text[len(number) :].strip() or "m"
        return self(float(number) * GAP_UNITS[unit]) if unit in GAP_UNITS else None


class Settings(Data):
    """Settings of an analysis. All have defaults; other names are refused.

    Parameters
    ----------
    solver : {"newton", "admm", "nlgs", "spg"}
        "admm" is for deformable blocks at rest.
    friction : {"associated", "coulomb"}
        A sliding joint dilates with associated friction, not with Coulomb friction. Rigid blocks that stand do not
        slide; deformable ones do, by little.
    torsion : {"auto", "section", "corners"}
        What resists torsion of dry joints: friction under uniform pressure on the compressed part ("section"), or at
        the corners, up to 1.85 times as much. "auto": the section at rest and at limits; in a motion the section of
        joints with more than four corners, and of others the corners that they stand on.
    eps : tuple of float
        Regularisations [-] of the static problem, descending.
    tolerance : float
        Relative residual [-] at which a solver stops.
    max_iterations : int, optional
        None: the solver's own, 2500 for newton and 20000 for admm, nlgs and spg, whose iterations are cheaper.
    seed : int, optional
        Order of the contacts in `nlgs`; None keeps the order in which they were found.
    threads : int
        0: one per core.
    repeat : int
        Number of warm solves of which the fastest is timed.
    warm_start : bool
        Start a static analysis from the contact forces of the last one that had the same contacts, as while a slider
        moves. It is faster, and its last digits depend on the analyses before it.
    gap_tolerance : float
        Distance up to which faces are in contact [diagonal of the smaller block]. Larger: contacts across open joints.
        Smaller: contacts of imprecisely modelled faces are lost.
    gap : float or str, optional
        Width up to which open joints are closed: in metres (0.015), with a unit ("15mm"), or as a share of the smaller
        block ("2%"). Takes the place of `gap_tolerance`. Never more than half the thickness of a block. The result
        lists the joints that it has closed.
    angle_tolerance : float
        Angle up to which faces are parallel [degrees]. Larger: wedge-shaped gaps become face contacts. Smaller: rough
        faces touch along edges only.
    unsupported : bool
        Analyse a structure without supports.
    time_step : float
        Of a motion [s]; not used in a static analysis.

    Raises
    ------
    SettingsError
        If a setting is unknown or out of range.
    """

    #: Default and rule of every setting.
    _FIELDS: dict[str, tuple[Any, _Rule]] = {
        "solver": ("newton", _Choice("newton", "admm", "nlgs", "spg")),
        "friction": ("associated", _Choice("associated", "coulomb")),
        "torsion": ("auto", _Choice("auto", "section", "corners")),
        "eps": ((1e-5, 1e-8), _Falling()),
        "tolerance": (1e-10, _Number(0.0, 1e-3)),
        "max_iterations": (None, _Integer(1, 10000000)),
        "seed": (None, _Integer(0, 2**63 - 1)),
        "threads": (0, _Integer(0, 1024)),
        "repeat": (1, _Integer(1, 10000)),
        "warm_start": (False, _Flag()),
        "gap_tolerance": (1e-3, _Number(0.0, 0.05)),
        "gap": (None, _Gap()),
        "angle_tolerance": (1.0, _Number(0.0, 44.0, " degrees")),
        "unsupported": (False, _Flag()),
        "time_step": (1e-3, _Number(0.0, 1.0, " s")),
    }
    #: Settings of motions, which are not in a static request.
    _MOTION = ("time_step",)

    def __init__(self, name: str | None = None, **settings: Any) -> None:
        super().__init__(name=name)
        self._values = {key: default for key, (default, _) in self._FIELDS.items()}
        for key, value in settings.items():
            self._set(key, value)

    def _set(self, key: str, value: Any) -> None:
        if key not in self._FIELDS:
            known = "Settings: {}.".format(", ".join(self._FIELDS))
            raise SettingsError("There is no setting {!r:.40}.".format(key), remedy=known, key=key)
        default, rule = self._FIELDS[key]
        if value is None and default is None:
            self._values[key] = None
            return
        try:
            checked = rule(value)
        except (TypeError, ValueError, OverflowError):
            checked = None
        if checked is None:
            raise SettingsError(
                "The setting {} cannot be {!r:.60}.".format(key, value), remedy="Give {}.".format(rule.text), key=key
            )
        self._values[key] = checked

    def __getattr__(self, key: str) -> Any:
        if key in type(self)._FIELDS and "_values" in self.__dict__:
            return self._values[key]
        raise AttributeError("{} has no attribute {!r}".format(type(self).__name__, key))

    def __setattr__(self, key: str, value: Any) -> None:
        if key.startswith("_") or key == "name":
            super().__setattr__(key, value)
        else:
            self._set(key, value)

    def __dir__(self) -> list[str]:
        return list(super().__dir__()) + list(self._FIELDS)

    @property
    def __data__(self) -> dict[str, Any]:
        return dict(self._values, eps=list(self._values["eps"]))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._values == self._values

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        changed = ("{}={!r}".format(k, v) for k, v in self._values.items() if v != self._FIELDS[k][0])
        return "Settings({})".format(", ".join(changed))

    def to_wire(self) -> dict[str, Any]:
        """The settings in the request of a static analysis or a check."""
        return {key: value for key, value in self.__data__.items() if key not in self._MOTION}
