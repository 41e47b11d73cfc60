"""Fixtures that several test files share."""

import pytest

from places import SHARED


def _shared(name):
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip("the benchmark folder ../shared/{} is not beside this checkout".format(name))
    return folder


@pytest.fixture(scope="session")
def shared_dir():
    """Folder of benchmark scenes, models of others and published problems."""
    return _shared("")


@pytest.fixture(scope="session")
def scenes_dir():
    """Folder of the benchmark scenes; tests that need it are skipped where it is absent."""
    return _shared("scenes")


@pytest.fixture(scope="session")
def fc3d_dir():
    """Folder of the published contact problems."""
    return _shared("fc3d")
