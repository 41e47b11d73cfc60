/* What `python -m venv` puts into an environment as Scripts\python.exe: on Windows it is not an interpreter but starts
   the one of which the environment was made, with the same handles, waits for it, and takes it along when it is killed.
   So whoever starts an engine from an environment is not its parent but its grandparent: that must be tested. */
#include <stdio.h>
#include <windows.h>

#define LONGEST 32768

static wchar_t own[LONGEST], home[LONGEST], command[LONGEST];

/* The line `home = FOLDER` of the pyvenv.cfg above the folder of this program; the file is UTF-8. */
static int read_home(void)
{
    wchar_t path[LONGEST];
    char line[LONGEST], *end;
    FILE *file;
    wcscpy(path, own);
    *wcsrchr(path, L'\\') = 0;
    wcscpy(wcsrchr(path, L'\\'), L"\\pyvenv.cfg");
    file = _wfopen(path, L"rb");
    while (file && fgets(line, LONGEST, file)) {
        if (strncmp(line, "home = ", 7) == 0) {
            end = line + strcspn(line, "\r\n");
            *end = 0;
            return fclose(file), MultiByteToWideChar(CP_UTF8, 0, line + 7, -1, home, LONGEST) > 0;
        }
    }
    return 0;
}

/* What follows the name of this program on its command line. */
static wchar_t *arguments(void)
{
    wchar_t *rest = GetCommandLineW();
    int quoted = 0;
    for (; *rest && (quoted || (*rest != L' ' && *rest != L'\t')); rest++)
        quoted ^= *rest == L'"';
    return rest;
}

int wmain(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {0};
    STARTUPINFOW start = {sizeof(start)};
    PROCESS_INFORMATION child;
    HANDLE job = CreateJobObjectW(NULL, NULL);
    DWORD status = 103;
    GetModuleFileNameW(NULL, own, LONGEST);
    if (!read_home())
        return 106;
    limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof(limit));
    swprintf(command, LONGEST, L"\"%ls\\python.exe\"%ls", home, arguments());
    SetEnvironmentVariableW(L"__PYVENV_LAUNCHER__", own);
    GetStartupInfoW(&start);
    start.dwFlags |= STARTF_USESTDHANDLES;
    start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
    start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    if (!CreateProcessW(NULL, command, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child))
        return 101;
    AssignProcessToJobObject(job, child.hProcess);
    WaitForSingleObject(child.hProcess, INFINITE);
    GetExitCodeProcess(child.hProcess, &status);
    return (int)status;
}
