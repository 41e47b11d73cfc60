"""A user's first hour with Rhino 8, played by stand-ins for Rhino and Grasshopper in the Python that Rhino brings.

    python rhino_session.py FOLDER_OF_THE_HELPERS

Prints what is done and what the canvas shows. An exit status other than 0 means that something did not go as it should.
"""

import os
import sys
import time

sys.path.append(sys.argv[1])
# Inside Rhino `sys.executable` is Rhino; it has to be so before compas_nscd is imported.
sys.executable = r"C:\Program Files\Rhino 8\System\Rhino.exe"

from fakes.application import Application  # noqa: E402
from fakes.canvas import Definition, Wire  # noqa: E402

from compas_nscd.client.interpreters import environment  # noqa: E402
from compas_nscd.ghpython.shared_engine import session  # noqa: E402
from compas_nscd.templates import arch  # noqa: E402
from process_tools import kill  # noqa: E402

#: Longest time to wait for something on the canvas [s]: the environment is installed, and kernels are compiled.
LONG_S = 900.0


def say(text):
    print(text, flush=True)


class Desk:
    """Rhino with a definition: an arch whose thickness is a slider, its static analysis, and a motion."""

    def __init__(self):
        self.rhino = Application()
        sys.modules.update(self.rhino.modules())
        self.canvas = Definition(self.rhino)
        self.engine = self.canvas.add("Nscd_Engine")
        self.arch = self.canvas.put(arch(span=20.0, thickness=1.5))
        self.static = self.canvas.add("Nscd_Static", structure=Wire(self.arch, "value"), compute=False)
        sine = self.canvas.add("Nscd_GroundMotion", acceleration=1.0, frequency=2.0)
        case = self.canvas.add("Nscd_LoadCase", ground=Wire(sine, "ground"))
        given = {"structure": Wire(self.arch, "value"), "case": Wire(case, "case")}
        self.motion = self.canvas.add("Nscd_Dynamic", duration=1000.0, compute=False, **given)
        self.shown = []

    def solve(self, component, **inputs):
        """Change inputs of a component."""
        component.set(**inputs)
        self.canvas.solve()

    def thicken(self, thickness):
        """Move the slider; returns the arch of this thickness [m]."""
        made = arch(span=20.0, thickness=thickness)
        self.arch.set(made)
        self.canvas.solve()
        return made

    def wait(self, component, condition, what):
        """Until a condition holds; what is shown below the component meanwhile is noted."""

        def look():
            if component.Message not in self.shown[-1:]:
                self.shown.append(component.Message)
            return condition()

        assert self.rhino.idle(look, LONG_S), (what, component.Message, component.told)
        assert component.messages("Error") == [], component.told
        say("{}; shown: {}".format(what, self.shown[-1]))


def install(desk):
    """The button `install` of the component Engine makes the environment."""
    desk.solve(desk.engine, install=True)
    desk.wait(desk.engine, lambda: desk.engine["ready"], "environment")
    info = desk.engine["info"]
    assert info[0].startswith("python: " + environment.folder()), info
    assert any("Successfully installed" in text for text in desk.shown), desk.shown  # what pip says
    assert not any(text.startswith("[") for text in desk.shown), desk.shown  # but not what programs tell each other
    desk.solve(desk.engine, install=False)


def first_static(desk):
    """It compiles, says so, and shows the verdict."""
    began = time.monotonic()
    desk.solve(desk.static, compute=True)
    desk.wait(desk.static, lambda: desk.static["result"] is not None, "first static")
    say("after {:.1f} s".format(time.monotonic() - began))
    assert desk.static["stands"] is True and desk.static.Message == "stands"
    assert any("compiling" in text for text in desk.shown), desk.shown


def drag(desk):
    """Sixty moves of the slider, thirty a second; the answer is that of the last one."""
    held = []
    for k in range(60):
        last = desk.thicken(1.5 + 1e-3 * k)
        held.append(desk.static.longest)
        desk.rhino.idle(lambda: False, 1.0 / 30.0)
    desk.wait(desk.static, lambda: desk.static.Message == "stands", "slider dragged")
    assert desk.static["result"].structure is last
    say("canvas held for {:.1f} ms at most".format(1e3 * max(held)))


def cancel_a_motion(desk):
    """It gives what was computed until then."""
    desk.solve(desk.motion, compute=True)
    desk.wait(desk.motion, lambda: desk.motion.Message.startswith("moving"), "motion")
    desk.solve(desk.motion, compute=False)
    desk.wait(desk.motion, lambda: desk.motion["result"] is not None, "motion cancelled")
    assert 0.0 < desk.motion["result"].times[-1] < 1000.0
    assert any("Cancelled" in text for text in desk.motion.messages("Remark"))


def kill_the_engine(desk):
    """The next change of the slider has its answer from another one."""
    victim = session.engine().info["pid"]
    kill(victim)
    made = desk.thicken(1.4)
    desk.wait(desk.static, lambda: desk.static["result"].structure is made, "engine killed")
    assert session.engine().info["pid"] != victim and desk.static["stands"] is True


def main():
    desk = Desk()
    desk.canvas.solve()
    for step in (install, first_static, drag, cancel_a_motion, kill_the_engine):
        step(desk)
    desk.solve(desk.motion, compute=True)  # Rhino is closed in the middle of something
    desk.wait(desk.motion, lambda: "%" in desk.motion.Message, "another motion")
    began = time.monotonic()
    desk.rhino.close()
    say("Rhino closed in {:.1f} s".format(time.monotonic() - began))
    assert desk.rhino.trespasses == [], desk.rhino.trespasses
    assert os.environ["USERPROFILE"] in environment.folder()


if __name__ == "__main__":
    main()
