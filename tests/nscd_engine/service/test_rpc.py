"""The functions for compas.rpc give what the process gives, and refuse what the client refuses."""

import json
import threading

import numpy as np
import pytest
from compas.rpc import Dispatcher, Proxy, Server

from compas_nscd.client.engine import Engine
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from nscd_engine import rpc
from scene_requests import stack_scene

#: A block of 1 m3, 2000 kg/m3, under a load of 1 N on a slab [N].
CARRIED = 2000.0 * 9.81 + 1.0


@pytest.fixture
def scene():
    return stack_scene()


def millimetres():
    """Three blocks half in water on a slab, the upper ones bonded, tied by a cable; lengths in mm."""

    def box(k, low, high):
        (x, y, z), (a, b, c) = low, high
        vertices = [[x, y, z], [a, y, z], [a, b, z], [x, b, z], [x, y, c], [a, y, c], [a, b, c], [x, b, c]]
        faces = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
        return {"id": k, "vertices": vertices, "faces": faces, "support": k == 0, "density": 2000.0}

    blocks = [box(0, (-2000, -1000, -500), (2000, 1000, 0))]
    blocks += [box(k, (-500, -500, 600 * (k - 1)), (500, 500, 600 * k)) for k in (1, 2, 3)]
    cable = {"blocks": [3, None], "points": [[-500, 0, 1800], [-2000, 0, 0]], "stiffness": 1e7, "prestress": 1e3}
    bond = {"kind": "brittle", "friction": 0.7, "cohesion": 2e5, "tension": 1e5}
    return {
        "units": "mm, kg, s, N",
        "blocks": blocks,
        "law": {"kind": "coulomb", "friction": 0.6},
        "pair_laws": [{"blocks": [2, 3], "law": bond}],
        "loads": [{"block": 3, "point": [500, 0, 1500], "force": [1500.0, 0.0, 0.0]}],
        "cables": [cable],
        "water": {"level": 900.0},
    }


def test_a_scene_in_millimetres_with_laws_cables_and_water_gives_what_the_process_gives(tmp_path):
    path = tmp_path / "tower.json"
    path.write_text(json.dumps(millimetres()))
    answer = rpc.static(millimetres(), {"friction": "coulomb"})
    assert answer["ok"], answer
    with Engine(reuse=False) as engine:
        result = engine.static(Structure.from_file(str(path)), settings=Settings(friction="coulomb"))
    assert answer["verdict"] == result.verdict == "stable"
    assert answer["support_reaction"] == result.summary["support_reaction"]
    for key in ("contact_point", "contact_force", "cable_force"):
        np.testing.assert_array_equal(np.array(answer[key]), getattr(result, key))
    # 1.8 m3 of stone, 0.9 m3 of it under water, hold the cable down; in metres it would be 1e9 times as much.
    weight = 9.81 * (1.8 * 2000.0 - 0.9 * 1000.0)
    assert weight < answer["support_reaction"][2] < 1.2 * weight + 1e3


def test_functions_take_and_give_plain_lists(scene):
    answer = rpc.static(scene)
    assert answer["ok"] and answer["verdict"] == "stable" and isinstance(answer["contact_force"], list)
    assert sum(force[2] for force in answer["contact_force"]) == pytest.approx(CARRIED, rel=1e-6)
    assert rpc.ping()["ok"] and rpc.check(scene)["ok"]


def test_the_block_that_overhangs_falls():
    """Its centre is 0.25 m beyond the edge of the slab."""
    assert rpc.static(stack_scene(1.25))["verdict"] == "collapse"


def test_a_check_lists_defects_and_examines_the_rest(scene):
    scene["blocks"].append(dict(scene["blocks"][1], id="open", faces=scene["blocks"][1]["faces"][1:]))
    answer = rpc.check(scene)
    assert answer["ok"] and answer["open"] == ["open"] and answer["interfaces"] == 1 and answer["blocks"] == 3
    refused = rpc.static(scene)
    assert not refused["ok"] and refused["error"]["code"] == "GeometryError"


@pytest.mark.parametrize(
    "change, code, word",
    [
        ({"colour": 1}, "FileError", "colour"),
        ({"blocks": [{}]}, "FileError", "id"),
        ({"blocks": 3}, "FileError", "list"),
        ({"loads": [{}]}, "LoadError", "block"),
        ({"mu": None, "law": {"kind": "coulomb"}}, "MaterialError", "both"),
        ({"units": "furlong"}, "FileError", "furlong"),
    ],
)
def test_a_scene_with_unknown_or_missing_keys_is_refused(scene, change, code, word):
    answer = rpc.static(dict(scene, **change))
    assert not answer["ok"] and answer["error"]["code"] == code and word in answer["error"]["message"]
    assert "InputError" in answer["error"]["lineage"]


def test_a_missing_density_is_refused_and_names_the_block(scene):
    del scene["blocks"][1]["density"]
    answer = rpc.static(scene)
    assert not answer["ok"] and answer["error"]["code"] == "MaterialError" and "density" in answer["error"]["message"]


def test_unknown_settings_are_refused(scene):
    answer = rpc.static(scene, {"speed": "high"})
    assert not answer["ok"] and answer["error"]["code"] == "SettingsError"


def test_compas_rpc_can_call_it(scene):
    """With COMPAS' own server and proxy, on the loopback only: its service would listen on all interfaces."""
    server = Server(("127.0.0.1", 0), logRequests=False)
    server.register_instance(Dispatcher())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        proxy = Proxy("nscd_engine.rpc", port=server.server_address[1])
        assert proxy.static(scene)["verdict"] == "stable"
        assert "InputError" in proxy.static(dict(scene, blocks=[]))["error"]["lineage"]
    finally:
        server.shutdown()
        server.server_close()
