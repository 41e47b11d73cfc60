"""The page in a real browser: click blocks and joints, toggle layers, move the sliders, sort, and read the numbers."""

import re

import numpy as np
import pytest

import browser
from analysed import analyse, stack
from compas_nscd import LoadCase
from compas_nscd.geometry.vectors import quaternion_matrices
from compas_nscd.report.page import render_report
from dynamic_helpers import follow
from elastic_replies import squeezed, squeezed_stack
from page_results import NASTY, falling_arch, motion, nasty_pair, single_block, standing_arch, tied_posts

#: Pixels that differ before the drawing counts as another one: a handful may be rounding, an arrow has more.
CHANGED = 200


@pytest.fixture(scope="module")
def chromium():
    path = browser.find()
    if path is None:
        pytest.skip("no Chromium or Chrome is installed: the page is not tried in a browser")
    with browser.Browser(path) as opened:
        yield opened


@pytest.fixture
def show(chromium, tmp_path):
    """Write and open the page of a result; nothing may go wrong in it until the test has ended."""

    def open_page(result):
        path = tmp_path / "page.html"
        path.write_text(render_report(result), encoding="utf-8")
        chromium.problems.clear()
        chromium.open(path)
        return chromium

    yield open_page
    assert chromium.problems == []


@pytest.fixture(scope="module")
def standing():
    return standing_arch()


@pytest.fixture(scope="module")
def falling():
    return falling_arch()


def pixels(page, name):
    """Keep what the canvas shows now in the page, under a name."""
    page.evaluate(
        "(() => { nscd.view.paint(); const c = nscd.view.canvas, t = document.createElement('canvas');"
        "t.width = c.width; t.height = c.height; const k = t.getContext('2d', {willReadFrequently: true});"
        "k.drawImage(c, 0, 0); (window.kept ??= {})['%s'] = k.getImageData(0, 0, c.width, c.height).data; })()" % name
    )


def differing(page, before, after):
    """Number of pixels that differ by more than a shade between two pictures that were kept."""
    return page.evaluate(
        "((a, b) => { let n = 0; for (let i = 0; i < a.length; i += 4) n += Math.max(Math.abs(a[i] - b[i]),"
        "Math.abs(a[i + 1] - b[i + 1]), Math.abs(a[i + 2] - b[i + 2])) > 8; return n; })(kept['%s'], kept['%s'])"
        % (before, after)
    )


def block_at(page, block):
    """Where the middle of a block is in the window [px]."""
    return page.evaluate("(p => [p.x, p.y])(nscd.view.project(nscd.blocks.centre({})))".format(block))


def vertices(page):
    """Vertices as they are drawn now, in the coordinates of the model [m]."""
    flat = page.evaluate("Array.from(nscd.blocks.position.array)")
    return np.reshape(flat, (-1, 3)) + page.evaluate("nscd.data.origin")


def number_after(text, label):
    return float(re.search(re.escape(label) + r"\s+([\d.−]+)", text).group(1).replace("−", "-"))


def set_slider(page, part):
    page.evaluate("(s => { s.value = %r * s.max; s.dispatchEvent(new Event('input')); })(amount)" % part)
    page.frame()


def select(page, name, value):
    page.evaluate("(s => { s.value = '%s'; s.dispatchEvent(new Event('change')); })(%s)" % (value, name))
    page.frame()


def test_a_click_on_a_block_tells_its_weight(show, standing):
    page = show(standing)
    block = 4
    for name in ("thrust", "reactions"):  # otherwise a joint may be nearer
        if page.evaluate("document.getElementById('layer-{}').checked".format(name)):
            page.click_on("#layer-" + name)
    page.click(*block_at(page, block))
    text = page.text("#selection")
    assert page.text("#selection h3") == standing.structure.names[block]
    beside = [other for pair in standing.interface_body for other in pair if block in pair and other != block]
    listed = page.evaluate("Array.from(document.querySelectorAll('#selection li span:first-child'), s => s.innerText)")
    assert sorted(listed) == sorted(standing.structure.names[other] for other in beside)
    assert number_after(text, "Weight") == pytest.approx(9.81e-3 * standing.mass[block], rel=6e-3)  # three digits shown
    page.click(*page.evaluate("(b => [b.left + 30, b.top + 90])(nscd.view.canvas.getBoundingClientRect())"))
    assert "Click a block" in page.text("#selection")


def test_a_click_on_the_thrust_line_tells_the_forces_of_the_joint(show, standing):
    page = show(standing)
    joint = int(np.argsort(standing.interface_centroid[:, 2])[-3])
    page.click(
        *page.evaluate(
            "(p => [p.x, p.y])(nscd.view.project(nscd.view.controls.target.clone().fromArray("
            "nscd.a.joint_centre, 3 * {})))".format(joint)
        )
    )
    assert page.evaluate("nscd.chosen.joint") == joint
    text, item = page.text("#selection"), standing.interfaces[joint]
    assert number_after(text, "Compression") == pytest.approx(item.normal_force / 1e3, rel=6e-3)
    assert number_after(text, "Friction used") == pytest.approx(100 * item.friction_utilisation, abs=0.51)
    assert number_after(text, "Eccentricity") == pytest.approx(100 * item.section_utilisation, abs=0.51)


def test_layers_come_and_go(show, standing):
    page = show(standing)
    for name in ("blocks", "thrust", "forces", "reactions", "stress", "network"):
        pixels(page, "before")
        page.click_on("#layer-" + name)
        pixels(page, "after")
        assert differing(page, "before", "after") > CHANGED, name
        page.click_on("#layer-" + name)
        pixels(page, "again")
        assert differing(page, "before", "again") == 0, name


def test_the_slider_moves_the_blocks_along_the_mechanism(show, falling):
    page = show(falling)
    for part in (0.0, 0.4, 1.0):
        set_slider(page, part)
        way = page.evaluate("nscd.motion.amount")
        assert way == pytest.approx(part * page.evaluate("nscd.motion.high"))
        expected = np.concatenate(falling.displaced_vertices(way))
        assert np.abs(vertices(page) - expected).max() < 1e-5  # single precision of a model of 10 m
    assert "moved {:.3g}".format(1e3 * way if way < 1 else way) in page.text("#readout")
    page.click_on("#layer-displaced")
    assert np.abs(vertices(page) - falling.structure.polyhedra.vertices).max() < 1e-5


def test_play_moves_and_stops(show, falling):
    page = show(falling)
    page.click_on("#play")
    assert page.text("#play") == "Pause"
    page.evaluate("new Promise(done => setTimeout(done, 400))")
    page.click_on("#play")
    there = page.evaluate("nscd.motion.amount")
    page.frame()
    assert page.text("#play") == "Play" and page.evaluate("nscd.motion.amount") == there
    assert there != pytest.approx(0.5 * page.evaluate("nscd.motion.high"), rel=1e-6)


def test_a_drag_turns_the_view_and_chooses_nothing(show, standing):
    page = show(standing)
    x, y = block_at(page, 4)
    eye = "nscd.view.camera.position.toArray()"
    before = np.array(page.evaluate(eye))
    page.drag((x, y), (x + 120, y + 40))
    after = np.array(page.evaluate(eye))
    assert np.linalg.norm(after - before) > 0.1 * np.linalg.norm(before)
    assert np.linalg.norm(after) == pytest.approx(np.linalg.norm(before))
    assert page.evaluate("nscd.chosen") is None


def test_without_webgl_the_page_says_so_and_keeps_its_verdict(chromium, tmp_path, standing):
    path = tmp_path / "page.html"
    path.write_text(render_report(standing), encoding="utf-8")
    script = chromium(
        "Page.addScriptToEvaluateOnNewDocument", source="HTMLCanvasElement.prototype.getContext = () => null"
    )
    try:
        with pytest.raises(RuntimeError, match="WebGL"):
            chromium.open(path)
    finally:
        chromium("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
    assert "needs WebGL" in chromium.text("#message") and "It stands" in chromium.text("header")


def test_the_table_sorts_and_chooses(show, standing):
    page = show(standing)
    page.click_on("#drawer")
    first = "document.querySelector('#table .row').dataset.row"
    compression = standing.joints.normal_force.astype(np.float32)
    assert compression[int(page.evaluate(first))] == compression.max()
    page.click_on("#table .head button:nth-child(3)")
    assert compression[int(page.evaluate(first))] == compression.min()
    row = int(page.evaluate(first))
    page.click_on("#table .row")
    assert page.evaluate("nscd.chosen.joint") == row
    assert page.text("#selection h3") == "{} – {}".format(*standing.interfaces[row].blocks)


def test_the_histogram_counts_every_loaded_joint(show, standing):
    page = show(standing)
    counts = page.evaluate("Array.from(document.querySelectorAll('#charts rect title'), t => parseInt(t.textContent))")
    assert sum(counts) == int(standing.joints.loaded.sum())


def test_colours_tell_the_stress(show, standing):
    page = show(standing)
    pixels(page, "before")
    select(page, "tint", "stress")
    pixels(page, "after")
    assert differing(page, "before", "after") > 10 * CHANGED
    greatest = -np.nanmin(standing.stresses().principal[:, 0])
    shown = number_after(page.text("#legend"), "0") * (1e6 if "MPa" in page.text("#legend") else 1e3)
    assert shown == pytest.approx(greatest, rel=6e-3)


def test_names_are_shown_as_they_are(show):
    page = show(nasty_pair())
    page.evaluate("nscd.choose({block: 1})")
    assert page.evaluate("document.querySelector('#selection h3').textContent") == "block " + NASTY
    assert page.evaluate("document.querySelector('h1').textContent") == "tower " + NASTY


def test_a_page_without_joints(show):
    page = show(single_block())
    assert "It falls" in page.text("header") and page.evaluate("document.getElementById('drawer').disabled")
    assert "No joint carries a force" in page.text("#charts")
    page.click(*block_at(page, 0))
    assert page.text("#selection h3") == "alone"


def test_a_motion_is_where_it_was_at_any_time(show):
    result = motion()
    page = show(result)
    for part in (0.0, 0.525, 1.0):
        set_slider(page, part)
        expected = np.concatenate(result.vertices(part))
        # 16 bits of a quaternion turn a vertex 1 m away by at most a few 1e-5 m
        assert np.abs(vertices(page) - expected).max() < 1e-4
    assert "1.00 s" in page.text("#readout")
    select(page, "magnify", "5")
    angle = 0.5 * 5 * 0.1 * np.arange(3)  # half the angle at 1 s, five times as large
    zero = np.zeros(3)
    turn = quaternion_matrices(np.column_stack([np.cos(angle), zero, np.sin(angle), zero]))
    to = result.centroid + [0.0, 0.05, 0.0] + 5 * 0.2 * np.arange(3)[:, None] * [1.0, 0.0, 0.0]
    given = [block.vertices for block in result.structure.blocks]
    expected = np.concatenate([(v - c) @ r.T + x for v, c, r, x in zip(given, result.centroid, turn, to)])
    assert np.abs(vertices(page) - expected).max() < 5e-4
    assert page.evaluate("document.querySelectorAll('#charts svg').length") == 2


def test_what_moves_first_is_named_where_it_is(show, falling):
    page = show(falling)
    first = falling.first_to_move(3)
    labels = page.evaluate("Array.from(document.querySelectorAll('#labels span'), s => s.textContent)")
    assert sorted(labels) == sorted("{} moves first".format(name) for name in first)
    set_slider(page, 1.0)
    block = falling.structure.index(first[0])
    place = page.evaluate("nscd.layer('first').labels[0].at.toArray()") + np.array(page.evaluate("nscd.data.origin"))
    way = page.evaluate("nscd.motion.amount") * falling.mechanism[block, :3]
    assert place == pytest.approx(falling.centroid[block] + way, abs=1e-4)
    page.click_on("#layer-first")
    page.frame()
    assert page.evaluate("document.querySelectorAll('#labels span').length") == 0


def test_labels_do_not_cover_each_other(show, falling):
    page = show(falling)
    page.click_on("#layer-reactions")
    page.evaluate("nscd.view.look(90, 0)")  # from the side, where all labels crowd
    page.frame()
    boxes = page.evaluate(
        "Array.from(document.querySelectorAll('#labels span'), s => (b => [b.left, b.top, b.right, b.bottom])"
        "(s.getBoundingClientRect()))"
    )
    assert len(boxes) >= 5
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert min(a[2], b[2]) - max(a[0], b[0]) <= 1 or min(a[3], b[3]) - max(a[1], b[1]) <= 1


def test_forces_of_a_motion_are_those_of_the_moment(show):
    result = follow(stack(2), LoadCase(), 0.05, 5e-3, forces=True, interval=0.01)
    page = show(result)
    set_slider(page, 1.0)  # at the beginning no step has been made, and no force is known
    pixels(page, "before")
    page.click_on("#layer-forces")
    pixels(page, "after")
    assert differing(page, "before", "after") > CHANGED
    last = slice(*page.evaluate("[nscd.a.force_start.at(-2), nscd.a.force_start.at(-1)]"))
    force = np.reshape(page.evaluate("Array.from(nscd.a.force)"), (-1, 3))[last]
    # over each joint stands what is above it; a step of the motion is exact to a thousandth
    assert force[:, 2] == pytest.approx(9.81 * result.mass[1] * np.array([2.0, 1.0]), rel=1e-3)
    point = np.reshape(page.evaluate("Array.from(nscd.a.force_point)"), (-1, 3))[last]
    point = point + page.evaluate("nscd.data.origin")
    assert point == pytest.approx(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.4]]), abs=1e-3)


def test_cables_are_shown_with_their_forces(show):
    """Two posts tied to each other: a tie that pulls 2 kN, one that yields, one that is slack."""
    page = show(analyse(*tied_posts()))
    labels = page.evaluate("nscd.layer('cables').labels.map(l => l.text)")
    assert [float(text.split()[0]) for text in labels[:2]] == [2.0, 1.0] and labels[2] == "slack"
    pixels(page, "before")
    page.click_on("#layer-cables")
    pixels(page, "after")
    assert differing(page, "before", "after") > CHANGED
    assert "cable 1" in page.evaluate("document.querySelector('dl.key').textContent")


def test_cables_go_with_the_blocks_and_have_a_history(show):
    structure, case = tied_posts()
    case.velocities = {"right": ((0.5, 0, 0), (0, 0, 0))}
    result = follow(structure, case, 0.02, 1e-3, interval=2e-3, quiet=False)
    page = show(result)
    assert page.evaluate("[...document.querySelectorAll('#charts h2')].some(h => h.textContent.startsWith('Cables'))")
    set_slider(page, 1.0)
    page.evaluate("window.lines = nscd.layer('cables').object.geometry")
    ends = page.evaluate("Array.from(lines.attributes.instanceStart.data.array)")
    ends = np.reshape(ends, (-1, 2, 3)) + page.evaluate("nscd.data.origin")
    assert ends == pytest.approx(result.cable_ends(0.02), abs=1e-4)
    text = page.evaluate("nscd.layer('cables').labels[0].text")
    assert float(text.split()[0]) == pytest.approx(result.cable_forces[-1, 0] / 1e3, rel=5e-3)


def test_deformed_shape_follows_its_slider_and_colours(show):
    page = show(squeezed_stack())
    assert page.evaluate("nscd.deformed.group.visible && !nscd.blocks.mesh.visible")
    top = "Math.max(...nscd.deformed.nodes.array.filter((_, i) => i % 3 === 2))"
    assert page.evaluate("document.getElementById('deformation-factor').textContent") == "× 500"
    drawn = page.evaluate(top)
    page.evaluate(
        "(s => { s.value = 0; s.dispatchEvent(new Event('input')); })(document.getElementById('deformation'))"
    )
    assert page.evaluate(top) - drawn == pytest.approx(500 * 1e-4 * 1.2, rel=1e-4)
    page.evaluate("nscd.tint('tension')")
    legend = page.evaluate("document.getElementById('legend').textContent")
    assert legend == "Greatest principal stress [MPa]04tension positive, red; compression negative, blue"
    page.evaluate("nscd.tint('plain')")
    assert page.evaluate("!nscd.deformed.group.visible && nscd.blocks.mesh.visible")


def test_motion_shows_the_deformed_shape_at_its_end(show):
    """Stress colours take the time to the end, where the nodes are known; another time takes the colours away."""
    page = show(squeezed(motion()))
    assert page.evaluate("!nscd.deformed.group.visible && nscd.deformed.bar.hidden")
    page.evaluate("nscd.tint('principal')")
    assert page.evaluate("nscd.deformed.group.visible && !nscd.deformed.bar.hidden && !nscd.blocks.mesh.visible")
    assert page.evaluate("nscd.motion.amount") == 1.0
    assert "at the end" in page.evaluate("document.getElementById('legend').textContent")
    page.evaluate("nscd.motion.set(0.5)")
    assert page.evaluate("!nscd.deformed.group.visible && nscd.blocks.mesh.visible")
    assert page.evaluate("document.getElementById('tint').value") == "plain"
