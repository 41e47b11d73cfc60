"""Errors that say what is wrong, where, and what to do; they cross the wire with their payload.

    NscdError
    +-- InputError                what the user gave cannot be used            exit status 2
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
        +-- ProtocolError         a message that is not ours, too large, or an unknown verb
        +-- NotAvailableError     a verb or feature this engine does not have
        +-- NotConvergedError     the solver could not reach its tolerance
        +-- CancelledError        the job was cancelled

An error travels as ``to_data()`` and is rebuilt by ``error_from_data()``; an unknown class comes back as its nearest
known parent, so that engines and clients of different versions understand each other.
"""


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
        Further payload: numbers and strings only, so that it can cross the wire.
    """

    exit_status = 1

    def __init__(self, message, remedy=None, blocks=None, **detail):
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.blocks = list(blocks or [])
        self.detail = detail

    def __str__(self):
        return "{} {}".format(self.message, self.remedy) if self.remedy else self.message

    @property
    def code(self):
        return type(self).__name__

    def to_data(self):
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
    exit_status = 2


class FileError(InputError):
    pass


class GeometryError(InputError):
    pass


class OverlapError(InputError):
    pass


class IsolatedBlockError(InputError):
    pass


class SupportError(InputError):
    pass


class MaterialError(InputError):
    pass


class LoadError(InputError):
    pass


class SettingsError(InputError):
    pass


class EngineError(NscdError):
    exit_status = 3


class EngineStartError(EngineError):
    pass


class EngineDiedError(EngineError):
    pass


class AuthenticationError(EngineError):
    pass


class ProtocolError(EngineError):
    pass


class NotAvailableError(EngineError):
    pass


class NotConvergedError(EngineError):
    pass


class CancelledError(EngineError):
    pass


def _tree(cls):
    yield cls
    for child in cls.__subclasses__():
        yield from _tree(child)


def error_from_data(data):
    """Rebuild the error that the other side raised, as the nearest class known here."""
    known = {cls.__name__: cls for cls in _tree(NscdError)}
    cls = next((known[name] for name in data.get("lineage", []) if name in known), NscdError)
    return cls(data["message"], remedy=data.get("remedy"), blocks=data.get("blocks"), **data.get("detail", {}))
