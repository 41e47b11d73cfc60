"""What a group of attacks has come to."""

import time
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterator, List, NamedTuple

from compas_nscd.errors import NscdError
from compas_nscd.ghfiles.archive import ArchiveError

#: Longest time without an answer that is no hang [s].
HANG_S = 5.0
#: Typed errors.
REFUSALS = (NscdError, ArchiveError)


class Size(NamedTuple):
    """How many attacks a group makes: a number of them, or as many as there is time for."""

    full: int  # of the full size
    count: int
    seconds: float  # [s]

    def turns(self) -> Iterator[int]:
        """Number every attack, until there are enough or the time is over."""
        end = time.monotonic() + self.seconds
        for k in range(self.count):
            if time.monotonic() > end:
                return
            yield k


@dataclass
class Outcome:
    """Counts of one group. `faults` are exceptions that are no typed error, each told once."""

    name: str
    full: int  # number of attacks of the full size
    done: int = 0
    refused: int = 0  # with a typed error
    refusals: Dict[str, int] = field(default_factory=dict)  # by the class of the error, where it is noted
    deaths: int = 0  # of the engine, not by our hand
    hangs: int = 0
    worst_s: float = 0.0  # [s] longest wait for an answer
    memory: float = 0.0  # [-] growth of the resident memory, from after the first quarter to the end
    faults: Dict[str, int] = field(default_factory=dict)
    _memory_mb: List[float] = field(default_factory=list)

    def attack(self, size: Size, attempt: Callable[[int], object]) -> None:
        """Call attempt(k) in every turn, and take note of time, typed errors and faults."""
        for k in size.turns():
            began = time.perf_counter()
            try:
                attempt(k)
            except REFUSALS as error:
                self.note_refusal(error)
            except Exception as error:
                self.note_fault(error)
            self.note_time(began)
            self.done += 1

    def note_refusal(self, error: Exception) -> None:
        """Take note of a typed error."""
        self.refused += 1
        name = type(error).__name__
        self.refusals[name] = self.refusals.get(name, 0) + 1

    def note_time(self, began: float) -> None:
        """Take note of an answer to a question that was asked at a moment of `time.perf_counter` [s]."""
        took = time.perf_counter() - began
        self.worst_s = max(self.worst_s, took)
        self.hangs += took > HANG_S

    def note_fault(self, error: BaseException) -> None:
        """Take note of an exception that should not have come."""
        text = "{}: {:.120}".format(type(error).__name__, str(error))
        self.faults[text] = self.faults.get(text, 0) + 1

    def note_memory(self, megabytes: float) -> None:
        """Take note of the resident memory [MB]."""
        self._memory_mb.append(megabytes)
        quarter = self._memory_mb[len(self._memory_mb) // 4]
        self.memory = megabytes / quarter - 1.0

    def row(self) -> str:
        """A row of the table."""
        cells = [
            self.name,
            self.full,
            self.done,
            self.refused,
            self.deaths,
            self.hangs,
            "{:.2f} s".format(self.worst_s),
        ]
        cells += ["{:+.1f} %".format(100.0 * self.memory) if self._memory_mb else "", sum(self.faults.values())]
        return "| " + " | ".join(str(cell) for cell in cells) + " |"


HEADER = (
    "| attacks | full size | run | refused with a typed error | deaths of the engine | hangs over 5 s | longest wait "
    "| growth of the memory | faults of the program |\n" + "|---" * 9 + "|"
)
