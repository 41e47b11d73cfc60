"""Errors with a message, a remedy and the blocks concerned; they travel between engine and client.

    NscdError
    +-- InputError                the input cannot be used                     exit status 2
    |   +-- FileError             the file cannot be read
    |   +-- GeometryError         a block is not a closed, solid polyhedron
    |   +-- OverlapError          two blocks share volume
    |   +-- IsolatedBlockError    a free block touches nothing
    |   +-- SupportError          nothing, or everything, is a support
    |   +-- MaterialError         density or contact law missing or out of range
    |   +-- LoadError             a load that cannot be applied
    |   +-- SettingsError         a setting that is unknown or out of range
    +-- EngineError               the engine process failed                    exit status 3
        +-- EngineStartError      no interpreter with numba, or it would not start
        +-- EngineDiedError       the process ended while it was needed
        +-- AuthenticationError   wrong key
        +-- ProtocolError         a malformed or oversized message, or an unknown verb
        +-- NotAvailableError     a verb or feature this engine does not have
        +-- NotConvergedError     the solver could not reach its tolerance
        +-- CancelledError        the job was cancelled

An error travels as ``to_data()`` and is rebuilt by ``error_from_data()``; an unknown class comes back as its nearest
known parent, so that engines and clients of different versions understand each other.

    UserWarning
    +-- LeftOutWarning            a file has no place for part of what is written to it
    +-- AssumedWarning            a value of the library of materials is assumed
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any


class NscdError(Exception):
    """Base of all errors of this project.

    Parameters
    ----------
    message : str
        What is wrong, in one sentence.
    remedy : str, optional
        What the user can do about it.
    blocks : list of str, optional
        Names of the blocks concerned.
    **detail
        Further payload for programs: numbers and strings only, because it is sent as JSON.
    """

    exit_status = 1

    def __init__(
        self, message: str, remedy: str | None = None, blocks: Iterable[str] | None = None, **detail: Any
    ) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.blocks = list(blocks or [])
        self.detail = detail

    def __str__(self) -> str:
        return "{} {}".format(self.message, self.remedy) if self.remedy else self.message

    @property
    def code(self) -> str:
        """Name of the class."""
        return type(self).__name__

    def to_data(self) -> dict[str, Any]:
        """The error as a dict for the wire."""
        lineage = [c.__name__ for c in type(self).__mro__ if issubclass(c, NscdError)]
        return {
            "code": self.code,
            "lineage": lineage,
            "message": self.message,
            "remedy": self.remedy,
            "blocks": self.blocks,
            "detail": self.detail,
        }


class InputError(NscdError):
    """The input cannot be used."""

    exit_status = 2


class FileError(InputError):
    """The file cannot be read or written."""


class GeometryError(InputError):
    """A block is not a closed, solid polyhedron."""


class OverlapError(InputError):
    """Two blocks share volume."""


class IsolatedBlockError(InputError):
    """A free block touches no other block."""


class SupportError(InputError):
    """No block, or every block, is a support."""


class MaterialError(InputError):
    """A density or a contact law is missing or out of range."""


class LoadError(InputError):
    """A load cannot be applied."""


class SettingsError(InputError):
    """A setting is unknown or out of range."""


class EngineError(NscdError):
    """The engine process failed."""

    exit_status = 3


class EngineStartError(EngineError):
    """There is no interpreter with numba, or it did not start."""


class EngineDiedError(EngineError):
    """The engine process ended while it was needed."""


class AuthenticationError(EngineError):
    """The key of the connection is wrong."""


class ProtocolError(EngineError):
    """A message is malformed or too large, or its verb is unknown."""


class NotAvailableError(EngineError):
    """The engine lacks a verb or a feature, or a package is not installed."""


class NotConvergedError(EngineError):
    """The solver did not reach its tolerance."""


class CancelledError(EngineError):
    """The job was cancelled."""


class AssumedWarning(UserWarning):
    """A value of the library of materials is assumed: a typical one, not read in its source."""


class LeftOutWarning(UserWarning):
    """A file has no place for part of what is written to it.

    Parameters
    ----------
    message : str
    left_out : list of str
        What is not in the file.
    """

    def __init__(self, message: str, left_out: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.left_out = list(left_out)


def _tree(cls: type[NscdError]) -> Iterator[type[NscdError]]:
    yield cls
    for child in cls.__subclasses__():
        yield from _tree(child)


def error_from_data(data: dict[str, Any]) -> NscdError:
    """Rebuild an error from `NscdError.to_data`, as the nearest class known here."""
    known = {cls.__name__: cls for cls in _tree(NscdError)}
    cls = next((known[name] for name in data.get("lineage", []) if name in known), NscdError)
    return cls(data["message"], remedy=data.get("remedy"), blocks=data.get("blocks"), **data.get("detail", {}))
