"""Start of the engine: what is loaded before it answers, and how compiling is made quicker."""

import gc
import subprocess
import sys

from numba import njit

from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.kernels.place import Place
from nscd_engine.service import libraries


def test_a_static_analysis_loads_neither_hulls_nor_special_functions_of_scipy():
    """They take a quarter of the time until the first answer."""
    loaded = "[name for name in sys.modules if name in ('scipy.spatial', 'scipy.special')]"
    code = "import sys, nscd_engine.statics.run; print({})".format(loaded)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.split() == [b"[]"]


def test_python_seldom_looks_for_garbage_while_it_compiles(monkeypatch):
    set_to = []
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.setattr(gc, "set_threshold", set_to.append)
    libraries.load()
    assert set_to == [libraries.GARBAGE]


def test_compiled_functions_have_no_entry_for_c():
    """numba makes one for each unless it is told not to; kernels and what they call have none."""
    add = njit(lambda x: x + 1)
    assert add(1) == 2
    names = [function.name for result in add.overloads.values() for function in result.library.get_defined_functions()]
    assert names and not any(name.startswith("cfunc") for name in names)


def test_a_kernel_is_kept_under_the_name_of_its_folder_whatever_its_path():
    place = rotation_matrices._cache._impl.locator
    assert isinstance(place, Place) and place.get_cache_path().endswith("geometry")
    moved = Place.from_function(rotation_matrices.py_func, "/somewhere/else.py")
    assert moved.get_cache_path() == place.get_cache_path()
    assert moved.get_source_stamp() == place.get_source_stamp()


def test_other_functions_stay_where_numba_keeps_them():
    def double(x):
        return 2.0 * x

    assert Place.from_function(double, __file__) is None
