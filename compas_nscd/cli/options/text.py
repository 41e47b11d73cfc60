"""What commands print."""

from typing import Any, Dict, Iterable, Optional, Sequence

#: Names that are printed of a list [-]; the others are left out. More: the line does not fit a screen.
MOST_NAMES = 8


def print_verdict(answer: Dict[str, Any]) -> None:
    """First line of an analysis."""
    from compas_nscd.results.base import is_uncertain

    word = "stands" if answer["verdict"] == "stable" else "falls"
    if word == "stands" and answer.get("assured") is False:
        print("{}: STANDS ONLY IF CLAMPED, and nothing produces the clamping".format(answer["scene"]))
    elif is_uncertain(answer.get("warnings", ())):
        print("{}: {}, BUT UNCERTAIN: the solver did not converge".format(answer["scene"], word.upper()))
    else:
        print_headline(answer["scene"], word)


def print_headline(scene: str, answer: str) -> None:
    """Name of a scene, and the answer in a word or two."""
    print("{}: {}".format(scene, answer.upper()))


def print_elastic(elastic: Optional[Dict[str, Any]]) -> None:
    """Displacements and stresses of deformable blocks, if there are any."""
    if elastic is None:
        return
    line = "  {elements} elements, {unknowns} unknowns; greatest displacement of a node {displacement_max:.4g} m"
    print(line.format(**elastic))
    print("  principal stress from {stress_min:.4g} to {stress_max:.4g} Pa, tension positive".format(**elastic))
    if elastic["cracked"]:
        print("  cracked: {}".format(shortened(elastic["cracked"])))


def print_warnings(warnings: Iterable[Dict[str, Any]]) -> None:
    """Warnings of a result or report, one line each."""
    for warning in warnings:
        print("  warning: {}".format(warning["message"]))


def shortened(names: Sequence[str], more: str = ", ...") -> str:
    """Names in one line; `more` follows if some were left out."""
    return ", ".join(names[:MOST_NAMES]) + (more if len(names) > MOST_NAMES else "")


def finite(value: float) -> Optional[float]:
    """None for infinity and nan, which JSON does not have."""
    return value if abs(value) < float("inf") else None


def print_tree(node: Dict[str, Any], indent: str = "") -> None:
    """Keys and values, one line each; nested dicts are indented."""
    for key, value in node.items():
        if isinstance(value, dict):
            print("{}{}".format(indent, key))
            print_tree(value, indent + "  ")
        else:
            print("{}{:12s} {}".format(indent, key, value))
