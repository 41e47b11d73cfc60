"""What `ps`, SIGSTOP and SIGCONT do, on Windows. Imported there alone."""

import ctypes
from ctypes import wintypes

_READ, _SUSPEND, _STILL_ACTIVE, _THREADS = 0x0410, 0x0800, 259, 4

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_nt = ctypes.WinDLL("ntdll")
_kernel.OpenProcess.restype = _kernel.CreateToolhelp32Snapshot.restype = wintypes.HANDLE
_kernel.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
_kernel.CloseHandle.argtypes = _nt.NtSuspendProcess.argtypes = _nt.NtResumeProcess.argtypes = [wintypes.HANDLE]
_kernel.K32GetProcessMemoryInfo.argtypes = [wintypes.HANDLE, ctypes.c_void_p, wintypes.DWORD]
_kernel.GetExitCodeProcess.argtypes = [wintypes.HANDLE, ctypes.c_void_p]
_address, _size = ctypes.c_void_p, ctypes.c_size_t
_kernel.ReadProcessMemory.argtypes = [wintypes.HANDLE, _address, _address, _size, _address]
_nt.NtQueryInformationProcess.argtypes = [wintypes.HANDLE, ctypes.c_int, _address, wintypes.ULONG, _address]

#: True under Wine, which is not Windows everywhere.
WINE = hasattr(_nt, "wine_get_version")


def command_lines():
    """{process id: command line} of all processes that run and may be looked at.

    The Python of an environment is a program that starts the real one with the same words: it is left out.
    """
    pids, size = (wintypes.DWORD * 4096)(), wintypes.DWORD()
    _kernel.K32EnumProcesses(pids, ctypes.sizeof(pids), ctypes.byref(size))
    dead = _half_dead()
    found = {pid: _look(pid) for pid in pids[: size.value // ctypes.sizeof(wintypes.DWORD)] if pid not in dead}
    words = {pid: line.partition(".exe")[2].strip('" ') for pid, (line, _) in found.items() if line}
    launchers = {parent for pid, (_, parent) in found.items() if words.get(pid, pid) == words.get(parent)}
    return {pid: line for pid, (line, _) in found.items() if line and pid not in launchers}


def _half_dead():
    """Processes that Wine has ended but for a last thread, killed at a bad moment, which hangs in Wine itself."""
    if not WINE:
        return set()
    snapshot = wintypes.HANDLE(_kernel.CreateToolhelp32Snapshot(_THREADS, 0))
    entry = (wintypes.DWORD * 7)(ctypes.sizeof(wintypes.DWORD) * 7)
    owners, found = [], _kernel.Thread32First(snapshot, entry)
    while found:
        owners.append(entry[3])
        found = _kernel.Thread32Next(snapshot, entry)
    _kernel.CloseHandle(snapshot)
    return {pid for pid in owners if owners.count(pid) == 1}


def resident_mb(pid):
    """Working set of a process [MB]."""
    counters = (_size * 9)()  # PROCESS_MEMORY_COUNTERS: two numbers of 4 bytes, then sizes
    counters[0] = ctypes.sizeof(counters)
    handle = _kernel.OpenProcess(_READ, False, pid)
    try:
        if not _kernel.K32GetProcessMemoryInfo(handle, counters, ctypes.sizeof(counters)):
            raise ctypes.WinError(ctypes.get_last_error())
        return counters[2] / 2.0**20
    finally:
        _kernel.CloseHandle(handle)


def suspend(pid):
    _with(pid, _nt.NtSuspendProcess)


def resume(pid):
    _with(pid, _nt.NtResumeProcess)


def _with(pid, action):
    handle = _kernel.OpenProcess(_SUSPEND, False, pid)
    action(handle)
    _kernel.CloseHandle(handle)


class _Text(ctypes.Structure):
    """UNICODE_STRING"""

    _fields_ = [("bytes", wintypes.USHORT), ("room", wintypes.USHORT), ("start", ctypes.c_void_p)]


def _look(pid):
    """(command line, parent), or (None, None); from the memory of the process, at the places of 64-bit Windows."""
    handle = _kernel.OpenProcess(_READ, False, pid)
    if not handle:
        return None, None
    try:
        status, basic = wintypes.DWORD(), (ctypes.c_void_p * 6)()
        if not _kernel.GetExitCodeProcess(handle, ctypes.byref(status)) or status.value != _STILL_ACTIVE:
            return None, None
        if _nt.NtQueryInformationProcess(handle, 0, basic, ctypes.sizeof(basic), None) or not basic[1]:
            return None, None
        parameters = _peek(handle, basic[1] + 0x20, ctypes.c_void_p)
        text = _peek(handle, parameters.value + 0x70, _Text) if parameters else None
        line = _peek(handle, text.start, ctypes.c_wchar * (text.bytes // 2)) if text else None
        return (line.value, basic[5]) if line else (None, None)
    finally:
        _kernel.CloseHandle(handle)


def _peek(handle, address, kind):
    """Value of a type in the memory of another process, or None."""
    value = kind()
    done = _kernel.ReadProcessMemory(handle, address, ctypes.byref(value), ctypes.sizeof(value), None)
    return value if done else None
