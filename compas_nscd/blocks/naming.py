"""Names of blocks, and finding blocks by index, name or guid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.errors import InputError, NscdError
from compas_nscd.geometry.findings import Finding, name_blocks


class BlockNames:
    """Unique names of blocks.

    A block without a name is called by its index. Blocks of the same name are numbered: "a (1)", "a (2)".

    Parameters
    ----------
    blocks : sequence of Block

    Attributes
    ----------
    names : list of str
        One per block, no two the same.
    repeated : frozenset of str
        Names that were given to more than one block.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = tuple(blocks)
        self.names, self.repeated = unique_names([block.given_name for block in self._blocks])

    def __len__(self) -> int:
        return len(self._blocks)

    def kept(self, rows: Sequence[int]) -> BlockNames:
        """Names of some of the blocks, by index, as they are called here."""
        part = BlockNames([self._blocks[i] for i in rows])
        part.names = [self.names[i] for i in rows]
        return part

    def renamed(self) -> tuple[int, ...]:
        """Indices of the named blocks that were numbered."""
        return tuple(i for i, block in enumerate(self._blocks) if block.given_name in self.repeated)

    def findings(self) -> list[Finding]:
        """The warning that blocks were numbered, if some were."""
        if not self.repeated:
            return []
        return [Finding("names", "warning", "Blocks of the same name were given numbers", self.renamed(), "")]

    @cached_property
    def _table(self) -> dict[str, int]:
        """Index of a block by guid or name; a name takes precedence."""
        guids = {block.given_guid: i for i, block in enumerate(self._blocks) if block.given_guid is not None}
        return dict(guids, **{name: i for i, name in enumerate(self.names)})

    def indices(self, blocks: Iterable[Any], error: type[NscdError] = InputError) -> list[int]:
        """Indices of blocks given by index, name or guid.

        Parameters
        ----------
        blocks : iterable of int, str or UUID
        error : type, optional
            Class of the error.

        Raises
        ------
        NscdError
            Of class `error`, naming the blocks that do not exist or whose name is ambiguous.
        """
        keys = [block if isinstance(block, (int, np.integer)) else str(block) for block in blocks]
        ambiguous = sorted({key for key in keys if isinstance(key, str) and key in self.repeated})
        if ambiguous:
            raise error(
                "More than one block is called {}.".format(", ".join(ambiguous)),
                remedy="Use the index, the guid, or the names in `structure.names`.",
                blocks=ambiguous,
            )
        found = [self._table.get(k) if isinstance(k, str) else int(k) if 0 <= k < len(self) else None for k in keys]
        missing = sorted({str(key) for key, i in zip(keys, found) if i is None})
        if missing:
            known = "blocks 0 to {}".format(len(self) - 1) if len(self) else "no blocks"
            raise error(
                "There is no {}.".format(name_blocks(missing)),
                remedy="The structure has {}; give an index, a name or a guid.".format(known),
                blocks=missing,
            )
        return [i for i in found if i is not None]


def unique_names(given: Sequence[str | None]) -> tuple[list[str], frozenset[str]]:
    """Names without repetition, and the names that were repeated.

    Parameters
    ----------
    given : sequence of str or None
        None: the block is called by its index.
    """
    wanted = [str(i) if name is None else name for i, name in enumerate(given)]
    if len(set(wanted)) == len(wanted):
        return wanted, frozenset()
    tally = Counter(wanted)
    repeated = frozenset(name for name, count in tally.items() if count > 1)
    taken: set[str] = set(tally)
    names: list[str] = []
    serial: Counter[str] = Counter()
    for name in wanted:
        numbered = name
        while name in repeated and numbered in taken:
            serial[name] += 1
            numbered = "{} ({})".format(name, serial[name])
        taken.add(numbered)
        names.append(numbered)
    return names, repeated
