"""What the requests of all analyses have in common."""

from compas_nscd.errors import InputError


def case_of(structure, case):
    """The load case to use: the one given, else the structure's own, else gravity alone."""
    from compas_nscd.loads.case import LoadCase

    for candidate in (case, getattr(structure, "case", None)):
        if candidate is not None:
            if not hasattr(candidate, "to_wire"):
                raise InputError("A LoadCase is needed, not {!r:.60}.".format(candidate))
            return candidate
    return LoadCase()


def scene(structure, case, settings):
    """Body of an analysis request."""
    from compas_nscd.model.settings import Settings

    if not hasattr(structure, "to_wire"):
        raise InputError("A Structure is needed, not {}.".format(type(structure).__name__))
    settings = settings or Settings()
    return {
        "structure": structure.to_wire(settings.unsupported),
        "case": case.to_wire(structure),
        "settings": settings.to_wire(),
    }
