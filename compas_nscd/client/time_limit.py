"""A time limit that stands still while the machine sleeps.

The monotonic clock of Windows goes on while a laptop sleeps: what waited would give up as soon as the lid is opened.
"""

import time

#: Most that counts between two looks at the limit [s]. Larger: a sleep counts for more. Smaller: on a machine that is
#: overloaded, and looks seldom, the wait takes longer than the limit.
LONGEST_LOOK_S = 2.0


class TimeLimit:
    """Runs out after a time during which somebody looks at it often.

    Parameters
    ----------
    seconds : float
        [s]
    """

    def __init__(self, seconds: float):
        self._left = seconds
        self._looked = time.monotonic()

    def is_over(self) -> bool:
        """True once the time has passed, sleep of the machine not counted."""
        now = time.monotonic()
        self._left -= min(now - self._looked, LONGEST_LOOK_S)
        self._looked = now
        return self._left < 0.0
