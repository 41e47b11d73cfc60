"""Memory of the machine."""

from __future__ import annotations

import ctypes
import os
import sys

#: Taken where the system does not tell [bytes].
ASSUMED = 8 << 30


class _MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX of Windows, its first fields and the room of the others."""

    _fields_ = [
        ("length", ctypes.c_ulong),
        ("load", ctypes.c_ulong),
        ("total", ctypes.c_ulonglong),
        ("rest", ctypes.c_ulonglong * 6),
    ]


def physical_memory() -> int:
    """Memory of the machine [bytes]."""
    if sys.platform == "win32":
        status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
        told = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
        return int(status.total) if told else ASSUMED
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return ASSUMED
