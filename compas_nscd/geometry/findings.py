"""What checks find: kinds of defects, the blocks that have them, and the words for both."""

from collections import Counter
from typing import NamedTuple


class Finding(NamedTuple):
    """One kind of defect and the blocks that have it."""

    code: str
    severity: str  # "error", "warning" or "note"
    what: str  # the defect, without the blocks
    blocks: tuple  # of int
    remedy: str

    def message(self, names):
        where = ": " + name_blocks([names[i] for i in self.blocks]) if self.blocks else ""
        return "{}{}.".format(self.what, where)

    def to_data(self, names):
        return {"code": self.code, "message": self.message(names), "blocks": [names[i] for i in self.blocks]}


def name_blocks(names, limit=5):
    """Name the first few blocks and count the others: 'blocks 4, 7 and 9 more'."""
    shown = ", ".join(str(name) for name in names[:limit])
    more = " and {} more".format(len(names) - limit) if len(names) > limit else ""
    return "block{} {}{}".format("s" if len(names) > 1 else "", shown, more)


class Report:
    """What `check` found.

    Attributes
    ----------
    findings : list of Finding
    names : list of str
    polyhedra : Polyhedra or None
        The repaired blocks, with outward faces; None if a block is beyond repair.
    size : (B,) array
        Diagonal of each block [m].
    """

    #: Lists of `nscd check`, and the codes that belong to each.
    LISTS = {
        "open": ("open",),
        "inverted": ("inverted",),
        "degenerate": ("not-finite", "index", "empty", "degenerate", "flat", "radius"),
        "concave": ("concave",),
        "warped": ("warped", "folded"),
    }

    def __init__(self, names, findings, polyhedra, size):
        self.names = list(names)
        self.findings = findings
        self.polyhedra = polyhedra
        self.size = size

    def extended(self, findings):
        """The same report with further findings."""
        return Report(self.names, self.findings + findings, self.polyhedra, self.size)

    def of(self, *severities):
        return [f for f in self.findings if f.severity in severities]

    @property
    def ok(self):
        return not self.of("error")

    def bad_blocks(self):
        """Indices of the blocks that cannot be analysed."""
        return sorted({i for f in self.of("error") for i in f.blocks})

    def lists(self):
        """Names of blocks by kind of defect, as `nscd check --json` prints them."""
        return {key: self._named(codes) for key, codes in self.LISTS.items()}

    def _named(self, codes):
        return [self.names[i] for i in sorted({i for f in self.findings if f.code in codes for i in f.blocks})]

    def lines(self):
        """One sentence per finding, errors first."""
        rank = ("error", "warning", "note")
        ordered = sorted(self.findings, key=lambda f: rank.index(f.severity))
        return ["{}: {} {}".format(f.severity, f.message(self.names), f.remedy).strip() for f in ordered]


def unique_names(given):
    """Names without repetition, unnamed blocks called by their index, and the set of names that were repeated."""
    wanted = [str(i) if name is None else name for i, name in enumerate(given)]
    if len(set(wanted)) == len(wanted):
        return wanted, frozenset()
    tally = Counter(wanted)
    repeated = frozenset(name for name, count in tally.items() if count > 1)
    taken, names, serial = set(tally), [], Counter()
    for name in wanted:
        numbered = name
        while name in repeated and numbered in taken:
            serial[name] += 1
            numbered = "{} ({})".format(name, serial[name])
        taken.add(numbered)
        names.append(numbered)
    return names, repeated
