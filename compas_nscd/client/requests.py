"""Requests to the engine: what is sent for an analysis, and what its reply becomes.

Each analysis has one class. `StaticRequest` and `CheckRequest` send a scene and nothing else and are defined here;
`LimitRequest`, `ForceRangeRequest`, `QuasistaticRequest` and `DynamicRequest` have modules of their own.
"""

import hashlib
from typing import Any, Dict, Optional

from compas_nscd import wire
from compas_nscd.errors import InputError
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.static import StaticResult


class Request:
    """A job for the engine.

    Parameters
    ----------
    verb : str
        Which job; see `nscd_engine.service.verbs`.
    body : dict, optional
        Numbers, text, lists, dicts and arrays.

    Attributes
    ----------
    record : str or None
        Name of the record that a motion writes, from which `Engine.recover` reads; None for other jobs.
    """

    record: Optional[str] = None

    def __init__(self, verb: str, body: Optional[Dict[str, Any]] = None):
        self.verb = verb
        self.body = body or {}
        self._packed: Optional[bytes] = None

    @property
    def packed(self) -> bytes:
        """The message to the engine. Packed once, because a large structure takes milliseconds."""
        if self._packed is None:
            self._packed = wire.pack(dict(self.body, verb=self.verb))
        return self._packed

    @property
    def digest(self) -> bytes:
        """SHA-256 of the request: two requests with the same digest have the same result."""
        return hashlib.sha256(self.packed).digest()

    def result(self, reply: Dict[str, Any]) -> Any:
        """What the user gets for the engine's reply."""
        return reply


class StaticRequest(Request):
    """Request of a static analysis.

    Parameters
    ----------
    structure : Structure
    case : LoadCase, optional
        Default: that of the structure, else gravity alone.
    settings : Settings, optional
    """

    def __init__(self, structure: Structure, case: Optional[LoadCase] = None, settings: Optional[Settings] = None):
        self.structure, self.case = structure, case_of(structure, case)
        super().__init__("static", scene(structure, self.case, settings))

    def result(self, reply: Dict[str, Any]) -> StaticResult:
        """StaticResult of the reply."""
        return StaticResult.from_reply(reply, self.structure, self.case)


class CheckRequest(Request):
    """Request of a report on the geometry.

    Blocks that cannot be analysed are left out of the request and listed in the result.

    Parameters
    ----------
    structure : Structure
    settings : Settings, optional
    """

    def __init__(self, structure: Structure, settings: Optional[Settings] = None):
        self.structure = structure
        given = settings.__data__ if settings is not None else {}
        settings = Settings(**dict(given, unsupported=True))
        super().__init__("check", scene(structure.sound_part(), LoadCase(), settings))

    def result(self, reply: Dict[str, Any]) -> Dict[str, Any]:
        """The reply with the lists of defects of `Structure.report`."""
        warnings = self.structure.warnings + reply["warnings"]
        return dict(reply, blocks=len(self.structure), warnings=warnings, **self.structure.report.lists())


def case_of(structure: Structure, case: Optional[LoadCase] = None) -> LoadCase:
    """Load case of an analysis: the given one, else that of the structure, else gravity alone."""
    for candidate in (case, getattr(structure, "case", None)):
        if candidate is not None:
            if not hasattr(candidate, "to_wire"):
                raise InputError("A LoadCase is needed, not {!r:.60}.".format(candidate))
            return candidate
    return LoadCase()


def scene(structure: Structure, case: LoadCase, settings: Optional[Settings] = None) -> Dict[str, Any]:
    """Part that the bodies of all analyses have in common: structure, case and settings."""
    if not hasattr(structure, "to_wire"):
        raise InputError("A Structure is needed, not {}.".format(type(structure).__name__))
    settings = settings or Settings()
    return {
        "structure": structure.to_wire(settings.unsupported),
        "case": case.to_wire(structure),
        "settings": settings.to_wire(),
    }
