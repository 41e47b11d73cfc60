"""Compile all kernels for the common processor and pack them: `python -m nscd_engine.service.ship_kernels`.

The archive is for this system and this Python; a wheel may have several. See `nscd_engine.shipped_kernels`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from typing import List

from nscd_engine import kernel_cache, shipped_kernels
from nscd_engine.core.monitor import Monitor
from nscd_engine.service import libraries, warm_up

#: This module, also where it runs as `__main__`.
MODULE = "nscd_engine.service.ship_kernels"


def main() -> int:
    """Compile in a new process, which chooses its processor before numba is loaded; return its exit status."""
    if shipped_kernels.ASKED in os.environ:
        return _in_deep_thread()
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, NSCD_HOME=folder, **{shipped_kernels.ASKED: "1"})
        return subprocess.call([sys.executable, "-m", MODULE], env=environment)


def _in_deep_thread() -> int:
    threading.stack_size(16 << 20)  # as in the engine: compiling recurses deeply
    status: List[int] = []
    worker = threading.Thread(target=lambda: status.append(_compile_and_pack()))
    worker.start()
    worker.join()
    return status[0] if status else 1


def _compile_and_pack() -> int:
    if os.environ.get("NUMBA_CPU_NAME") != shipped_kernels.processor():
        print("This machine does not run code of the common processor: no kernels are packed.", file=sys.stderr)
        return 1
    libraries.load()
    report = warm_up.run({}, Monitor())
    if report["failed"]:
        print("Not compiled: {}".format(report["failed"]), file=sys.stderr)
        return 1
    if report["left"]:
        print("Compiled when first used: {}".format(", ".join(report["left"])), file=sys.stderr)
    folder = str(kernel_cache.state["path"])
    path = shipped_kernels.archive(os.path.basename(folder))
    shipped_kernels.pack(folder, path)
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
