"""Who may do what with a file or a pipe, on Windows. Imported there alone."""

import ctypes
import msvcrt
import re
from ctypes import wintypes

_KERNEL_OBJECT, _ACCESS_LIST = 6, 4
_security = ctypes.WinDLL("advapi32")
_security.GetSecurityInfo.argtypes = [wintypes.HANDLE, ctypes.c_int, wintypes.DWORD] + [ctypes.c_void_p] * 5
_convert = _security.ConvertSecurityDescriptorToStringSecurityDescriptorW
_convert.argtypes = [ctypes.c_void_p, wintypes.DWORD, wintypes.DWORD, ctypes.c_void_p, ctypes.c_void_p]


def allowed(handle):
    """Whom the access list of an open file or pipe lets do anything at all: numbers of users, `SY` for the system."""
    descriptor, text = ctypes.c_void_p(), ctypes.c_void_p()
    asked = _security.GetSecurityInfo(handle, _KERNEL_OBJECT, _ACCESS_LIST, *[None] * 4, ctypes.byref(descriptor))
    assert asked == 0, ctypes.WinError(asked)
    assert _convert(descriptor, 1, _ACCESS_LIST, ctypes.byref(text), None), ctypes.WinError()
    return {words.split(";")[5] for words in re.findall(r"\(([^)]*)\)", ctypes.wstring_at(text.value))}


def allowed_to_read(path):
    with open(path, "rb") as file:
        return allowed(msvcrt.get_osfhandle(file.fileno()))
