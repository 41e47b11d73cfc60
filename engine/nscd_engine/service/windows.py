"""What only Windows needs: watching the parent without reading, access lists where a mode means nothing.

Imported on Windows alone.
"""

import _winapi
import ctypes
import msvcrt
import os
from ctypes import wintypes
from multiprocessing import connection

#: Only this user, and the system itself, may do anything (A;;GA); nothing is inherited (P).
_ACCESS = "D:P(A;;GA;;;{})(A;;GA;;;SY)"
_TOKEN_QUERY, _TOKEN_USER, _CREATE_NEW, _REJECT_REMOTE = 0x8, 1, 1, 0x8
_INVALID = ctypes.c_void_p(-1).value

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_security = ctypes.WinDLL("advapi32", use_last_error=True)
_kernel.GetCurrentProcess.restype = wintypes.HANDLE
_kernel.LocalFree.argtypes = [ctypes.c_void_p]
_kernel.CreateFileW.restype = wintypes.HANDLE
_kernel.CreateFileW.argtypes = [
    wintypes.LPCWSTR,
    wintypes.DWORD,
    wintypes.DWORD,
    ctypes.c_void_p,
    wintypes.DWORD,
    wintypes.DWORD,
    wintypes.HANDLE,
]
_security.OpenProcessToken.argtypes = [wintypes.HANDLE, wintypes.DWORD, ctypes.POINTER(wintypes.HANDLE)]
_security.GetTokenInformation.argtypes = [
    wintypes.HANDLE,
    ctypes.c_int,
    ctypes.c_void_p,
    wintypes.DWORD,
    ctypes.POINTER(wintypes.DWORD),
]
_security.ConvertSidToStringSidW.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
_security.ConvertStringSecurityDescriptorToSecurityDescriptorW.argtypes = [
    wintypes.LPCWSTR,
    wintypes.DWORD,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_void_p,
]


def pipe_ended(descriptor=0):
    """True once nobody holds the other end of a pipe.

    It must not be read: while a thread waits in a read of standard input, the C library of another that loads numpy
    waits for it, for ever (numpy issue 24290).
    """
    try:
        _winapi.PeekNamedPipe(msvcrt.get_osfhandle(descriptor), 0)
    except OSError:
        return True
    return False


def leave():
    """End this process in good order. `os._exit` hangs at times: it waits for a library that a thread was loading."""
    _winapi.TerminateProcess(_winapi.GetCurrentProcess(), 0)


def create_private(path):
    """Descriptor of a new file that only this user can read, from its first moment."""
    with _attributes() as attributes:
        handle = _kernel.CreateFileW(path, _winapi.GENERIC_WRITE, 0, attributes.address, _CREATE_NEW, 0, None)
    if handle == _INVALID:
        raise ctypes.WinError(ctypes.get_last_error())
    return msvcrt.open_osfhandle(handle, os.O_WRONLY)


class PrivatePipe(connection.PipeListener):
    """Listens at a named pipe that only this user can open, and only from this machine."""

    @property
    def address(self):
        """Name of the pipe."""
        return self._address

    def _new_handle(self, first=False):
        access = _winapi.PIPE_ACCESS_DUPLEX | _winapi.FILE_FLAG_OVERLAPPED
        if first:  # nobody else may have taken the name
            access |= _winapi.FILE_FLAG_FIRST_PIPE_INSTANCE
        mode = _winapi.PIPE_TYPE_MESSAGE | _winapi.PIPE_READMODE_MESSAGE | _winapi.PIPE_WAIT | _REJECT_REMOTE
        size = connection.BUFSIZE
        with _attributes() as attributes:
            return _winapi.CreateNamedPipe(
                self._address, access, mode, _winapi.PIPE_UNLIMITED_INSTANCES, size, size,
                _winapi.NMPWAIT_WAIT_FOREVER, attributes.address,
            )  # fmt: skip


class _attributes(ctypes.Structure):
    """SECURITY_ATTRIBUTES of what is for this user alone."""

    _fields_ = [("length", wintypes.DWORD), ("descriptor", ctypes.c_void_p), ("inherited", wintypes.BOOL)]

    @property
    def address(self):
        """Name of the pipe."""
        return ctypes.addressof(self)

    def __enter__(self):
        self.length = ctypes.sizeof(self)
        found = ctypes.c_void_p()
        convert = _security.ConvertStringSecurityDescriptorToSecurityDescriptorW
        _require(convert(_ACCESS.format(_user()), 1, ctypes.byref(found), None))
        self.descriptor = found.value
        return self

    def __exit__(self, *exception):
        _kernel.LocalFree(self.descriptor)


def _user():
    """Number of the user, S-1-5-..., to whom this process belongs."""
    token, size, text = wintypes.HANDLE(), wintypes.DWORD(), ctypes.c_void_p()
    _require(_security.OpenProcessToken(_kernel.GetCurrentProcess(), _TOKEN_QUERY, ctypes.byref(token)))
    try:
        room = ctypes.create_string_buffer(256)
        _require(_security.GetTokenInformation(token, _TOKEN_USER, room, len(room), ctypes.byref(size)))
    finally:
        _winapi.CloseHandle(token.value)
    _require(_security.ConvertSidToStringSidW(ctypes.c_void_p.from_buffer(room), ctypes.byref(text)))
    try:
        return ctypes.wstring_at(text.value)
    finally:
        _kernel.LocalFree(text)


def _require(done):
    if not done:
        raise ctypes.WinError(ctypes.get_last_error())
