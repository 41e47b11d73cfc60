"""Parameters of templates, from their docstrings."""

from __future__ import annotations

import inspect
from typing import Any, Callable


def parameters(template: Callable[..., Any]) -> dict[str, tuple[str, str]]:
    """Parameters of a template: {name: (type, description)}."""
    section = (inspect.getdoc(template) or "").split("Parameters\n----------\n")[1].split("\n\nReturns")[0]
    found: dict[str, tuple[str, str]] = {}
    names: list[str] = []
    for line in section.splitlines():
        if line and not line.startswith(" "):
            head, _, kind = line.partition(" : ")
            names = head.split(", ")
            found.update((name, (kind, "")) for name in names)
        else:
            for name in names:
                kind, text = found[name]
                found[name] = (kind, (text + " " + line.strip()).strip())
    return found
