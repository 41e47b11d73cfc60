/* python.exe: the interpreter itself is in python39.dll. */
#include <wchar.h>

__declspec(dllimport) int Py_Main(int, wchar_t **);

int wmain(int count, wchar_t **words) { return Py_Main(count, words); }
