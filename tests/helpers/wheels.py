"""Wheels from PyPI whose files are read, and compared with ours, at test time."""

import subprocess
import sys

import pytest


def wheel(cache, requirement):
    """Path of a wheel, downloaded once and kept in pytest's cache; the test is skipped if PyPI cannot be reached."""
    name, version = requirement.split("==")
    folder = cache.mkdir("wheels")
    pattern = "{}-{}-*.whl".format(name, version)
    if not list(folder.glob(pattern)):
        flags = ["--no-deps", "--only-binary", ":all:", "--python-version", "3.11", "--retries", "1", "--timeout", "20"]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(folder)] + flags + [requirement]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240)
        if done.returncode != 0:
            pytest.skip("{} could not be fetched from PyPI: {}".format(requirement, done.stderr.strip()[-200:]))
    return next(iter(folder.glob(pattern)))
