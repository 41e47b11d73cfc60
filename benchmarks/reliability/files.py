"""Damaged files of every format: read, or refused with a typed error, soon."""

import tempfile
from pathlib import Path
from typing import Callable, Dict, Iterator

import numpy as np

from benchmarks.reliability.outcome import Outcome, Size
from compas_nscd import ContactLaw, Engine, LoadCase, Structure
from compas_nscd.drawing.threedm import write_static
from compas_nscd.files.fc3d import read_problem
from compas_nscd.files.mesh_formats.write import write_obj, write_ply
from compas_nscd.ghfiles import archive, ghx
from compas_nscd.ghfiles.examples import examples
from compas_nscd.results.blockmodel.file import write_blockmodel
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.static import StaticResult
from compas_nscd.templates import stack
from nscd_engine.core.monitor import Monitor
from nscd_engine.motion import run as motion_run
from strategies import damage_bytes

#: Name of a file -> its reader.
Readers = Dict[str, Callable[[Path], object]]


def damaged(size: Size, seed: int = 2) -> Iterator[Outcome]:
    """One outcome a format."""
    with tempfile.TemporaryDirectory() as folder:
        readers = _sound_files(Path(folder))
        for name, read in readers.items():
            yield _attacked(Path(folder) / name, read, size, np.random.default_rng(seed))


def _attacked(path, read, size, rng):
    outcome, content = Outcome("damaged " + path.name, size.full), path.read_bytes()
    read(path)  # which is sound so far

    def attempt(_):
        path.write_bytes(damage_bytes(content, rng))
        read(path)

    outcome.attack(size, attempt)
    return outcome


def _structure(path):
    return Structure.from_file(path, supports="lowest", density=2000.0, law=ContactLaw(0.6))


def _plain(path):
    return Structure.from_file(path)


def _sound_files(folder: Path) -> Readers:
    """Write one file of every format; returns their readers."""
    structure = stack(blocks=3)
    solids = [(block.vertices, block.faces) for block in structure.blocks]
    with Engine() as engine:
        static = engine.static(structure)
        motion = engine.dynamic(structure, duration=0.02, time_step=5e-3, forces=True, probes=[1]).result()
    structure.to_scene(folder / "scene.json")
    write_blockmodel(static, folder / "blockmodel.json")
    write_obj(folder / "mesh.obj", structure.names, solids)
    write_ply(folder / "mesh.ply", solids)
    static.save(folder / "static.npz")
    static.save(folder / "static_result.json")
    motion.save(folder / "motion.npz")
    write_static(static, folder / "blocks.3dm")
    apart = [(vertices + [3.0 * k, 0.0, 0.0], faces) for k, (vertices, faces) in enumerate(solids)]
    (folder / "mesh.stl").write_bytes(_binary_stl(apart))
    eye = {"W_data": np.ones(3), "W_indices": np.arange(3), "W_indptr": np.arange(4)}
    np.savez(folder / "fc3d.npz", mu=np.array([0.5]), q=np.array([-1.0, 0.0, 0.0]), **eye)
    tree = next(iter(examples().values())).tree()
    (folder / "definition.ghx").write_text(ghx.dumps(tree), encoding="utf-8")
    (folder / "definition.gh").write_bytes(archive.dumps(tree))
    (folder / "checkpoint.bin").write_bytes(motion.checkpoint.tobytes())
    return {
        "scene.json": _plain,
        "blockmodel.json": _structure,
        "mesh.obj": _structure,
        "mesh.ply": _structure,
        "mesh.stl": _structure,
        "blocks.3dm": _plain,
        "static.npz": StaticResult.load,
        "static_result.json": StaticResult.load,
        "motion.npz": DynamicResult.load,
        "fc3d.npz": read_problem,
        "definition.ghx": lambda path: ghx.loads(path.read_bytes()),
        "definition.gh": lambda path: archive.loads(path.read_bytes()),
        "checkpoint.bin": _restart(structure),
    }


def _binary_stl(solids) -> bytes:
    rows = []
    for vertices, faces in solids:
        rows += [[vertices[f[0]], vertices[f[k]], vertices[f[k + 1]]] for f in faces for k in range(1, len(f) - 1)]
    table = np.zeros(len(rows), [("normal", "<f4", 3), ("corner", "<f4", (3, 3)), ("more", "<u2")])
    table["corner"] = rows
    return bytes(80) + np.uint32(len(rows)).tobytes() + table.tobytes()


def _restart(structure) -> Callable[[Path], object]:
    """Reader of a checkpoint whose seal is made to fit, so that its content is what is checked."""
    from compas_nscd.client.dynamic_request import dynamic_request
    from nscd_engine.motion.records import checkpoint

    def read(path):
        request = dynamic_request(structure, LoadCase(), 0.01, 5e-3)
        message = path.read_bytes()[: -checkpoint.SEAL]
        request["motion"]["restart"] = np.frombuffer(message + checkpoint._seal(message), np.uint8)
        return motion_run.run(request, Monitor())

    return read
