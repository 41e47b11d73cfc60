"""Errors cross the wire with their class, sentence, remedy and payload."""

import pytest

from compas_nscd import errors, wire
from compas_nscd.errors import NscdError, error_from_data


def family(cls):
    return [cls] + [member for child in cls.__subclasses__() for member in family(child)]


@pytest.mark.short
@pytest.mark.parametrize("cls", family(NscdError))
def test_error_crosses_the_wire(cls):
    sent = cls("What is wrong.", remedy="What to do.", blocks=["a", "7"], depth=0.25, key="x")
    back = error_from_data(wire.unpack(wire.pack(sent.to_data())))
    assert type(back) is cls and back.code == cls.__name__
    assert back.to_data() == sent.to_data()
    assert str(back) == "What is wrong. What to do." and str(cls("Only this.")) == "Only this."


@pytest.mark.short
def test_exit_status_follows_the_tree():
    for cls in family(NscdError)[1:]:
        assert cls.exit_status == (2 if issubclass(cls, errors.InputError) else 3), cls


def test_unknown_class_comes_back_as_its_nearest_known_parent():
    class Newer(errors.GeometryError):
        pass

    data = Newer("x").to_data()
    data["lineage"][0] = "FromTheFuture"
    assert type(error_from_data(data)) is errors.GeometryError
    data["lineage"] = ["Foreign"]
    assert type(error_from_data(data)) is NscdError
    assert type(error_from_data({"message": "bare"})) is NscdError


def test_tree_in_the_docstring_is_the_tree():
    for cls in family(NscdError):
        if cls.__module__ == errors.__name__:
            assert cls.__name__ in errors.__doc__
