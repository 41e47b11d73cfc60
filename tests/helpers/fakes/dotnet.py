"""The little of .NET that is used: delegates, events, arrays, colours, identifiers, enumerations."""

import uuid
from types import SimpleNamespace


class Delegate:
    """Only a callable can be one."""

    def __init__(self, function):
        if not callable(function):
            raise TypeError("a delegate takes a function")
        self.Invoke = function

    def __call__(self, *arguments):
        return self.Invoke(*arguments)


class Action(Delegate):
    pass


class Event:
    """`event += handler`, as pythonnet has it."""

    def __init__(self):
        self.handlers = []

    def __iadd__(self, handler):
        self.handlers.append(handler)
        return self

    def fire(self, *arguments):
        for handler in list(self.handlers):
            handler(*arguments)


class Typed(type):
    """Generic classes: `Array[int](...)`, `DataTree[object]()`."""

    def __getitem__(cls, kind):
        return lambda *arguments: cls(kind, *arguments)


class Array(metaclass=Typed):
    def __init__(self, kind, values):
        if not all(type(value) is kind for value in values):
            raise TypeError("an array of {} cannot hold {}".format(kind, values))
        self.values = list(values)

    def __iter__(self):
        return iter(self.values)


class Color:
    def __init__(self, r, g, b):
        self.R, self.G, self.B = r, g, b

    @classmethod
    def FromArgb(cls, r, g, b):
        if not all(type(c) is int and 0 <= c <= 255 for c in (r, g, b)):
            raise ValueError("not a colour: {}".format((r, g, b)))
        return cls(r, g, b)


class Guid:
    def __init__(self, text=None):
        self._text = str(text or uuid.uuid4())

    def ToString(self):
        return self._text

    __str__ = ToString

    def __eq__(self, other):
        return isinstance(other, Guid) and other._text == self._text

    def __hash__(self):
        return hash(self._text)


class Enum:
    """A member of an enumeration: known by identity and by the name that ToString gives."""

    def __init__(self, name):
        self._name = name

    def ToString(self):
        return self._name


def enumeration(*names):
    return SimpleNamespace(**{name: Enum(name) for name in names})


class NameValueCollection:
    """What RhinoCommon gives as user text."""

    def __init__(self, pairs):
        self._pairs = dict(pairs)
        self.AllKeys = list(self._pairs)

    def __getitem__(self, key):
        return self._pairs[key]
