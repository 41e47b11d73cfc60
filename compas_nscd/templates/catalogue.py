"""Templates with their parameters, as read from their docstrings."""

import inspect


def parameters(template):
    """What the docstring of a template tells about its parameters: {name: (type, text)}."""
    section = inspect.getdoc(template).split("Parameters\n----------\n")[1].split("\n\nReturns")[0]
    told, names = {}, []
    for line in section.splitlines():
        if line and not line.startswith(" "):
            head, _, kind = line.partition(" : ")
            names = head.split(", ")
            told.update((name, (kind, "")) for name in names)
        else:
            for name in names:
                kind, text = told[name]
                told[name] = (kind, (text + " " + line.strip()).strip())
    return told
