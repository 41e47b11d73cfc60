"""The type hints of the client and of the engine's modules outside the kernels hold."""

import subprocess
import sys

import pytest

from places import ROOT


@pytest.mark.skipif(sys.version_info < (3, 10), reason="the current mypy needs Python 3.10")
@pytest.mark.timeout(600)
def test_mypy_finds_nothing(tmp_path):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--cache-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=str(ROOT), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
