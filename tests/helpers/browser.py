"""Headless Chromium or Chrome, driven through the DevTools protocol over a pipe; for tests and the scripts of docs."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
)


def find():
    """Path of a browser, or None; None on Windows, where a process has no such pipes."""
    if os.name == "nt":
        return None
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One browser with one page. Use as a context manager."""

    def __init__(self, path, width=1280, height=800):
        self._profile = tempfile.mkdtemp(prefix="nscd-browser-")
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()

        def place_pipes():  # the browser reads from 3 and writes to 4; first out of the way of either
            a, b = os.dup(to_read), os.dup(to_write)
            while min(a, b) <= 4:
                a, b = os.dup(a), os.dup(b)
            os.dup2(a, 3)
            os.dup2(b, 4)

        command = [path, *FLAGS, "--user-data-dir=" + self._profile, f"--window-size={width},{height}", "about:blank"]
        self._process = subprocess.Popen(
            command,
            preexec_fn=place_pipes,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_read)
        os.close(to_write)
        self._buffer, self._number, self._session, self.problems = b"", 0, None, []
        target = next(t for t in self("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self._session = self("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self(domain + ".enable")
        size = dict(width=width, height=height, deviceScaleFactor=1, mobile=False)
        self("Emulation.setDeviceMetricsOverride", **size)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._session = None
            self("Browser.close")
        except (OSError, TimeoutError):
            pass
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)
        shutil.rmtree(self._profile, ignore_errors=True)

    def __call__(self, method, timeout=60.0, **params):
        """Send a command and wait for its answer; exceptions of the page are kept in `problems`."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + timeout
        while True:
            answer = self._receive(end)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError("{}: {}".format(method, answer["error"]["message"]))
                return answer["result"]
            if answer.get("method") == "Runtime.exceptionThrown":
                self.problems.append(str(answer["params"]["exceptionDetails"])[:2000])
            entry = answer.get("params", {}).get("entry", {})
            if answer.get("method") == "Log.entryAdded" and entry.get("level") == "error":
                self.problems.append(entry["text"])

    def _receive(self, end):
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], max(end - time.monotonic(), 0.0))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self._read, 1 << 16)
            if not part:
                raise OSError("the browser has ended")
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def evaluate(self, expression):
        """Value of a JavaScript expression; awaits promises."""
        answer = self("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "?"))
        return answer["result"].get("value")

    def open(self, path, timeout=60.0):
        """Load a page of ours and wait until it is drawn; milliseconds until the first frame."""
        self("Page.navigate", url=path.as_uri())
        end = time.monotonic() + timeout
        state = "(d => ({href: location.href, ready: d?.ready ?? null, failed: d?.failed ?? null}))"
        while time.monotonic() < end:
            now = self.evaluate(state + "(document.documentElement?.dataset)")
            if now["href"] == path.as_uri() and now["failed"]:
                raise RuntimeError(now["failed"])
            if now["href"] == path.as_uri() and now["ready"]:
                self.frame()
                return float(now["ready"])
            time.sleep(0.05)
        raise TimeoutError("the page was not drawn in {} s".format(timeout))

    def frame(self):
        """Wait until what was asked for is drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def click(self, x, y):
        for kind, held in (("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)):
            self("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=held, clickCount=1)
        self.frame()

    def drag(self, start, end):
        """Press at a place, move in a few steps, let go [px]."""
        (x, y), (u, v) = start, end
        way = [("mouseMoved", 0.0, 0), ("mousePressed", 0.0, 1), ("mouseMoved", 0.5, 1), ("mouseMoved", 1.0, 1)]
        for kind, part, held in way + [("mouseReleased", 1.0, 0)]:
            at = dict(x=x + part * (u - x), y=y + part * (v - y))
            self("Input.dispatchMouseEvent", type=kind, button="left", buttons=held, clickCount=1, **at)
        self.frame()

    def click_on(self, selector):
        """Click the middle of an element."""
        box = "document.querySelector({}).getBoundingClientRect()".format(json.dumps(selector))
        self.click(*self.evaluate("(b => [b.left + b.width / 2, b.top + b.height / 2])({})".format(box)))

    def text(self, selector):
        return self.evaluate("document.querySelector({}).innerText".format(json.dumps(selector)))

    def screenshot(self, path, size=None):
        """Write the window as PNG; only the upper left corner of `size` [px] (2,) if it is given."""
        part = {} if size is None else {"clip": dict(x=0, y=0, width=size[0], height=size[1], scale=1)}
        data = self("Page.captureScreenshot", format="png", **part)["data"]
        path.write_bytes(base64.b64decode(data))
