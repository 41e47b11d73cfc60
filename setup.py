"""What pyproject.toml cannot say: the component folders, beside the package in a checkout, are inside it in a wheel."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

COMPONENTS = "ghpython_components"


class BuildWithComponents(build_py):
    def run(self):
        super().run()
        if not getattr(self, "editable_mode", False):
            target = Path(self.build_lib) / "compas_nscd" / COMPONENTS
            shutil.rmtree(str(target), ignore_errors=True)
            shutil.copytree(COMPONENTS, str(target), ignore=shutil.ignore_patterns("__pycache__"))


setup(cmdclass={"build_py": BuildWithComponents})
