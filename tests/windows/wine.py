"""Windows on a Linux machine, for the tests: a CPython for Windows under Wine, made from package registries alone.

    python tests/windows/wine.py [--all] [ARGUMENTS OF PYTEST]

Wine and a compiler come from the distribution, everything else from PyPI. The libraries of CPython for Windows are in
the wheel of panda3d, which brings them for the games made with it; what of the standard library is written in Python is
that of a CPython of the same version on this machine. All of it lies in `folder()`, outside the checkout, and is reused
until what it should contain changes.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))
from start import find_python, say  # noqa: E402

#: Exit status where there is no Wine and none can be installed.
NO_WINE = 10
#: The version inside Rhino 8.
VERSION = "3.9"
#: numpy later than 2.0.2 calls functions that the Wine of Debian 12 does not have; the others are those that fit it.
PACKAGES = (
    "numpy==2.0.2", "scipy==1.13.1", "numba==0.60.0", "compas>=2.8", "rhino3dm>=8.4",
    "pytest>=8", "pytest-timeout", "hypothesis>=6.100", "colorama",
)  # fmt: skip
DEBIAN = ("wine", "wine64", "gcc-mingw-w64-x86-64")
COMPILER = "x86_64-w64-mingw32-gcc"
#: To be counted up when it is made in another way.
LAYOUT = 1
#: Folder of the user there; the name has letters beyond ASCII and a space, as people's names have.
PROFILE = r"C:\users\Jörg Ñandú"
#: Longest time for all tests [s]: what hangs is to be seen, not waited for.
LONGEST_S = 3000.0


class NoWine(Exception):
    """Why it cannot be done on this machine, in one line."""


def folder():
    """Where Wine's drive, the interpreter and the compiled kernels are."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(os.environ.get("NSCD_WINDOWS") or os.path.join(cache, "compas_nscd", "windows-" + VERSION))


class Windows:
    """A Windows machine in a folder.

    Parameters
    ----------
    where : Path
    """

    def __init__(self, where):
        self.where = where
        self.python = where / "python"
        self.wheels = where / "wheels"

    def set_up(self):
        """Make it, unless it is there as it should be."""
        self.where.mkdir(parents=True, exist_ok=True)
        with open(self.where / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            stamp = self.where / "installed"
            wanted = self._wanted()
            if stamp.exists() and stamp.read_text() == wanted:
                return
            began = time.time()
            _install_wine()
            host = find_python(VERSION)
            if host is None:
                raise NoWine("its standard library is that of Python {}, which is not installed here".format(VERSION))
            stamp.unlink(missing_ok=True)
            for part in (self.python, self.wheels, self.where / "prefix"):
                shutil.rmtree(part, ignore_errors=True)
            self._download(host)
            self._unpack(host)
            self._compile()
            self._install()
            stamp.write_text(wanted)
            say("Windows Python {} is set up in {:.0f} s.".format(VERSION, time.time() - began))

    def pack(self):
        """Build the wheel of this checkout beside the others; False if that cannot be done."""
        for old in self.wheels.glob("compas_nscd-*.whl"):
            old.unlink()
        say("building the wheel ...")
        command = [sys.executable, "-m", "pip", "wheel", "-qq", "--disable-pip-version-check", "--no-deps"]
        return subprocess.run([*command, "--wheel-dir", str(self.wheels), str(ROOT)]).returncode == 0

    def variables(self):
        """Environment variables with which Python there runs this checkout, and writes nothing into it."""
        return {
            "PYTHONPATH": ";".join(drive(path) for path in (ROOT, ROOT / "engine", HERE)),
            "PYTHONUNBUFFERED": "1",
            "PYTHONPYCACHEPREFIX": drive(self.where / "pycache"),
        }

    def run(self, *words, environment=None, timeout=LONGEST_S, quiet=False):
        """Run Python there; its output is shown. Returns the exit status."""
        return self.wine(str(self.python / "python.exe"), *words, environment=environment, timeout=timeout, quiet=quiet)

    def wine(self, *words, environment=None, timeout=LONGEST_S, quiet=False):
        process = subprocess.Popen(
            ["wine", *map(str, words)],
            cwd=str(ROOT),
            env=dict(self._environment(), **(environment or {})),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,  # Wine may fail to start where its output is a file or a terminal
            stderr=subprocess.STDOUT,
        )
        # Services of Windows that start with it may keep the pipe open for longer than the program runs.
        reader = threading.Thread(target=_show, args=(process.stdout, quiet), daemon=True)
        reader.start()
        try:
            return process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._switch_off()
            return process.wait()
        finally:
            reader.join(2.0)

    def _switch_off(self):
        """End every program of this Windows, and of this only."""
        say("it takes too long: Windows is switched off.")
        subprocess.run(["wineserver", "-k"], env=self._environment())

    def _environment(self):
        values = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "DISPLAY") if name in os.environ}
        values.update(WINEPREFIX=str(self.where / "prefix"), WINEARCH="win64", WINEDEBUG="-all")
        # Else it asks whether to install .NET and a browser.
        values.update(LC_ALL="C.UTF-8", WINEDLLOVERRIDES="mscoree,mshtml=")
        return values

    def _wanted(self):
        """Changes when it has to be made again."""
        total = hashlib.sha256(repr((LAYOUT, VERSION, PACKAGES)).encode("utf-8"))
        for path in sorted(HERE.glob("*.c")):
            total.update(path.read_bytes())
        return total.hexdigest()

    def _download(self, host):
        say("fetching Windows wheels ...")
        # Those for Windows, chosen by a Python of the same version: it reads the conditions in requirements as theirs.
        options = ["--platform", "win_amd64", "--only-binary=:all:", "--dest", str(self.wheels)]
        command = [host, "-m", "pip", "download", "-qqq", "--disable-pip-version-check", *options]
        for what in (["--no-deps", "panda3d"], PACKAGES):
            if subprocess.run([*command, *what]).returncode != 0:
                raise NoWine("the wheels for Windows cannot be fetched from PyPI")

    def _unpack(self, host):
        """python39.dll, its neighbours and the standard library, laid out as the installer of python.org does."""
        for name in ("DLLs", "Lib/site-packages"):
            (self.python / name).mkdir(parents=True)
        tag = "cp" + VERSION.replace(".", "")
        with zipfile.ZipFile(next(self.wheels.glob("panda3d-*-{}-*.whl".format(tag)))) as wheel:
            for name in wheel.namelist():
                base = name.rpartition("/")[2]
                if not name.startswith("deploy_libs/") or not base or base.startswith("api-ms-win"):
                    continue
                beside = base.lower().startswith(("python", "vcruntime"))
                (self.python / ("" if beside else "DLLs") / base).write_bytes(wheel.read(name))
        code = "import sysconfig; print(sysconfig.get_path('stdlib'))"
        library = subprocess.run([host, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        skip = shutil.ignore_patterns("site-packages", "lib-dynload", "__pycache__", "config-*", "test", "idlelib")
        shutil.copytree(library, str(self.python / "Lib"), ignore=skip, dirs_exist_ok=True)

    def _compile(self):
        """The two programs of a CPython for Windows that panda3d does not bring."""
        library = self.python / "python{}.dll".format(VERSION.replace(".", ""))
        for name, libraries in (("python", [library]), ("venvlauncher", [])):
            source, program = HERE / (name + ".c"), self.python / (name + ".exe")
            subprocess.run([COMPILER, "-municode", "-O1", "-o", program, source, *libraries], check=True)

    def _install(self):
        say("starting Windows and installing the packages ...")
        self.wine("wineboot", "-i", quiet=True)
        self.wine("winecfg", "-v", "win10", quiet=True)
        self.run("-m", "ensurepip", quiet=True)
        names = [package.split("=")[0].split(">")[0] for package in PACKAGES]
        options = ["--quiet", "--no-index", "--find-links", self.wheels, "--no-warn-script-location"]
        if self.run("-m", "pip", "install", *options, *names) != 0:
            raise NoWine("the packages cannot be installed there")


def _show(lines, quiet):
    for line in lines:
        if not quiet:
            sys.stdout.buffer.write(line.replace(b"\r\n", b"\n"))
            sys.stdout.flush()


def _install_wine():
    if shutil.which("wine") and shutil.which(COMPILER):
        return
    if not shutil.which("apt-get") or os.geteuid() != 0:
        raise NoWine("install {} first".format(", ".join(DEBIAN)))
    say("installing {} ...".format(", ".join(DEBIAN)))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(["apt-get", "update"], **quiet)
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *DEBIAN]
    done = subprocess.run(command, env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"), **quiet)
    if done.returncode != 0 or not shutil.which("wine"):
        raise NoWine("the distribution does not give {}".format(", ".join(DEBIAN)))


def drive(path):
    """Path of a file of this machine as Windows programs see it."""
    return "Z:" + str(path).replace("/", "\\")


def main(words):
    windows = Windows(folder())
    try:
        windows.set_up()
    except NoWine as why:
        say("no tests under Windows: {}.".format(why))
        return NO_WINE
    environment, chosen = windows.variables(), ["-m", "not slow"]
    if "--all" in words:
        words, chosen = [word for word in words if word != "--all"], []
        if windows.pack():
            environment["NSCD_WHEELS"] = drive(windows.wheels)
    say("running the tests under Windows Python {} ...".format(VERSION))
    kept = "cache_dir=" + drive(windows.where / "pytest")
    command = [drive(HERE / "inside.py"), PROFILE, "-o", kept, *chosen, *words]
    return windows.run(*command, environment=environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
