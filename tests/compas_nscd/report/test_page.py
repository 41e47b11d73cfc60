"""The page of a result, without a browser: one file, the data of the result, no name that is taken for markup."""

import hashlib
from html.parser import HTMLParser

import numpy as np
import pytest

from compas_nscd.report.page import DATA, render_report
from compas_nscd.report.page_data import MOST_POSES, QUATERNION, dynamic_content, pack, unpack
from elastic_replies import squeezed
from page_results import NASTY, falling_arch, motion, nasty_pair, single_block, standing_arch
from places import ROOT


class Page(HTMLParser):
    """Elements, attributes and texts of a page."""

    def __init__(self, text):
        super().__init__()
        self.text, self.tags, self.content, self.comments, self._open = text, [], {}, [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "br", "input"):
            self._open.append(dict(attrs).get("id") or tag)

    def handle_endtag(self, tag):
        self._open.pop()

    def handle_comment(self, data):
        self.comments.append(data)

    def handle_data(self, data):
        for name in self._open:
            self.content[name] = self.content.get(name, "") + data

    def data(self):
        return unpack(self.content["result-header"], self.content["result-arrays"])


@pytest.fixture(scope="module")
def arch():
    return standing_arch()


@pytest.fixture(scope="module")
def fallen():
    return falling_arch()


@pytest.mark.short
def test_a_page_is_one_file(arch):
    page = Page(render_report(arch))
    assert [tag for tag, _ in page.tags].count("script") == 3
    assert not any("src" in attrs or tag == "link" for tag, attrs in page.tags)
    assert all(attrs.get("href", "#").startswith("#") for _, attrs in page.tags)
    policy = next(attrs["content"] for tag, attrs in page.tags if attrs.get("http-equiv"))
    assert "default-src 'none'" in policy and "http" not in policy
    assert page.text.startswith("<!DOCTYPE html>")
    assert page.content["header"].count("{{") == page.content["aside"].count("{{") == 0


def test_verdict_and_trust_can_be_read_without_the_script(arch, fallen):
    page = Page(render_report(arch))
    assert "It stands" in page.content["header"]
    for words in ("Residual of the solver", "Worst block out of balance", "Deepest overlap", "newton", "compas_nscd"):
        assert words in page.content["trust"]
    page = Page(render_report(fallen))
    assert "It falls" in page.content["header"]
    assert "First to move: {}".format(fallen.first_to_move(1)[0]) in page.content["header"]


@pytest.mark.parametrize("which", ["arch", "fallen"])
def test_the_data_of_the_page_are_those_of_the_result(which, request):
    result = request.getfixturevalue(which)
    header, arrays = Page(render_report(result)).data()
    poly, table, origin = result.structure.polyhedra, result.joints, np.array(header["origin"])
    single = np.float32
    expected = {
        "vertices": (poly.vertices - origin).astype(single),
        "face_vertices": poly.face_vertices,
        "face_start": poly.face_start,
        "joint_block": result.interface_body,
        "joint_force": table.resultant.astype(single),
        "joint_centre": (table.centre - origin).astype(single),
        "joint_status": table.status,
        "contact_force": result.contact_force.astype(single),
        "stress": result.stresses().principal.astype(single),
    }
    if result.mechanism is not None:
        expected["mechanism"] = result.mechanism.astype(single)
    for name, array in expected.items():
        assert np.array_equal(arrays[name], array, equal_nan=array.dtype.kind == "f"), name
    assert ("mechanism" in arrays) == (result.verdict == "collapse")
    assert header["names"] == list(result.structure.names) and header["verdict"] == result.verdict
    lines = result.thrust_lines()
    assert arrays["thrust_start"].tolist() == np.cumsum([0] + [len(line) for line in lines]).tolist()
    assert np.array_equal(arrays["thrust"], (np.concatenate(lines) - origin).astype(single))


@pytest.mark.short
def test_names_are_never_markup():
    result = nasty_pair()
    plain = Page(render_report(standing_arch()))
    page = Page(render_report(result))
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    assert page.comments == []
    assert page.content["title"] == page.content["h1"] == "tower " + NASTY
    header, _ = page.data()
    assert header["names"] == ["ground " + NASTY, "block " + NASTY] and header["name"] == "tower " + NASTY


def test_a_block_that_touches_nothing():
    result = single_block()
    header, arrays = Page(render_report(result)).data()
    assert result.verdict == header["verdict"] == "collapse"
    assert arrays["joint_block"].shape == (0, 2) and arrays["thrust"].shape == (0, 3)
    assert arrays["vertices"].shape == (8, 3)


def test_warnings_are_told_and_counted(arch):
    warnings = [{"code": "x", "message": "gap < 1 mm between <a> & b", "blocks": []}]
    arch._engine_warnings, kept = warnings, arch._engine_warnings
    try:
        page = Page(render_report(arch))
    finally:
        arch._engine_warnings = kept
    assert "gap < 1 mm between <a> & b" in page.content["trust"] and "1 warning" in page.content["p"]


@pytest.mark.parametrize("kind", ["f8", "f4", "i8", "i4", "i2", "u1"])
@pytest.mark.parametrize("shape", [(0, 3), (1,), (5, 3), (2, 3, 3)])
def test_packed_arrays_come_back(kind, shape):
    array = np.arange(np.prod(shape)).reshape(shape).astype(kind)
    odd = np.arange(3, dtype="u1")  # so that what follows it has to be aligned
    header, arrays = unpack(*pack({"name": "</script>"}, {"odd": odd, "array": array}))
    assert np.array_equal(arrays["array"], array) and arrays["array"].shape == shape
    assert header["arrays"]["array"]["offset"] % 4 == 0 and header["name"] == "</script>"


def test_models_far_from_zero_keep_their_digits():
    """Single precision resolves 0.03 m at 5e5 m; relative to the middle of the model, rounding is below 1e-6 m."""
    from analysed import box
    from compas_nscd import ContactLaw, Structure
    from compas_nscd.report.page_data import _common

    low = np.array([5e5, 4e6, 0.0])
    blocks = [box(low + [0, 0, k], low + [1.1, 1.3, k + 1], density=2000.0, support=k == 0) for k in range(2)]
    structure = Structure(blocks, ContactLaw(0.6))
    poly = structure.polyhedra

    class Bare:
        verdict, case, centroid, mass = "stable", None, np.zeros((2, 3)), np.ones(2)

    Bare.structure = structure
    header, arrays, _ = _common(Bare, "static")
    header, arrays = unpack(*pack(header, arrays))
    assert np.abs(arrays["vertices"] + np.array(header["origin"]) - poly.vertices).max() < 1e-6


def test_a_motion_keeps_its_poses():
    result = motion()
    header, arrays = Page(render_report(result)).data()
    assert header["analysis"] == "dynamic" and header["frames_recorded"] == 21
    assert np.array_equal(arrays["times"], result.times.astype(np.float32))
    assert np.abs(arrays["displacement"] - (result.position - result.centroid)).max() < 1e-6
    assert np.abs(arrays["orientation"] / QUATERNION - result.orientation).max() <= 0.5 / QUATERNION
    assert np.allclose(arrays["greatest_displacement"], [0.0, 0.2, 0.4], atol=1e-6)
    assert np.array_equal(arrays["probe_displacement"], result.probe_displacement.astype(np.float32))


def test_a_long_motion_of_many_blocks_stays_below_15_mb():
    """2,000 blocks, 400 frames of noise, which does not compress: the worst there is. First and last frame stay."""
    result = motion(2000, 400, noise=0.01)
    text = render_report(result)
    assert len(text.encode()) < 15e6
    _, arrays = Page(text).data()
    frames = arrays["times"]
    assert len(frames) * 2000 * 20 <= MOST_POSES and len(frames) >= 100
    assert frames[0] == 0.0 and frames[-1] == 1.0


def test_the_shipped_script_is_small_and_carries_its_licence():
    script = (DATA / "report.js").read_text(encoding="utf-8")
    assert len(script) < 800_000 and "</script" not in script.lower()
    assert "SPDX-License-Identifier: MIT" in script and "Three.js Authors" in script
    assert "MIT License" in (DATA / "three.LICENSE.txt").read_text(encoding="utf-8")


def test_the_shipped_script_was_built_from_the_sources():
    web = ROOT / "web"
    digest = hashlib.sha256()
    for path in [web / "package.json"] + sorted((web / "src").iterdir()):
        digest.update(path.read_bytes())
    assert digest.hexdigest() in (DATA / "report.js").read_text(encoding="utf-8")[:200]


@pytest.mark.parametrize(
    "outcome, answer, amber",
    [("stands", "It stands", False), ("moving", "It still moves", True), ("displaced", "It stands, displaced", True)],
)
def test_the_page_of_a_motion_says_how_it_ended_and_what_was_not_solved(outcome, answer, amber):
    result = motion()
    result.outcome = outcome
    result.summary.update(unconverged=3, unconverged_residual=0.25, unconverged_time=0.5)
    text = render_report(result)
    assert "<strong>{}</strong>".format(answer) in text and ("amber dynamic" in text.split("<header>")[0]) == amber
    assert "3 of {}, worst residual 0.25 at 0.5 s".format(result.summary["steps"]) in text


def test_deformed_shape_of_a_motion_is_at_its_end():
    """Nodes at rest in the pose of their block, displacements as they are told in world axes."""
    result = squeezed(motion())
    header, arrays = dynamic_content(result)
    assert all(kind["label"].endswith("at the end") for kind in header["deformed"]["scales"])
    position, rotation = result.pose(1.0)
    corners = result.structure.blocks[2].vertices - result.centroid[2]
    drawn = arrays["skin_vertex"] + header["origin"]
    assert drawn[16:24] == pytest.approx(corners @ rotation[2].T + position[2])
    assert arrays["skin_displacement"][8:] == pytest.approx(result.elastic.displacement)
