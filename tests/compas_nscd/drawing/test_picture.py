"""Pictures: what is painted last is what the eye sees, and what a picture shows of a result."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from analysed import analyse, box
from compas_nscd import ContactLaw, LoadCase, Structure
from compas_nscd.drawing import depth_order, picture, shapes, svg
from compas_nscd.drawing.sheet import TALLEST, Sheet, fitting_sheet
from compas_nscd.drawing.sheet_layers import face_planes, free_place
from compas_nscd.drawing.static_layout import layout_static, layout_structure
from compas_nscd.templates import arch, dome, stack, wall
from dynamic_helpers import follow


def towers():
    """Far and near on a large slab, which lies behind one and before the other by its centre."""
    at = [(x, y) for x in (0.0, 8.0) for y in (0.0, 6.0)]
    blocks = [box((-1, -1, -0.4), (10, 8, 0), density=2000.0, support=True)]
    blocks += [box((x, y, 2 * k), (x + 1, y + 1, 2 * k + 2), density=2000.0) for x, y in at for k in (0, 1)]
    return Structure(blocks, ContactLaw(0.6))


STRUCTURES = {
    "towers on a slab": lambda: layout_structure(towers()).shapes,
    "arch": lambda: layout_structure(arch(blocks=11)).shapes,
    "wall on its plinth": lambda: layout_structure(wall(6, 4)).shapes,
    "dome": lambda: layout_structure(dome(courses=5, sectors=10)).shapes,
    "fallen arch": lambda: [s for s in layout_static(analyse(arch(thickness=0.4))).shapes if s.layer != "blocks"],
}


def nearest(shapes, planes, start, towards):
    """Block that a ray from the eye meets first, by cutting it with the half-spaces of every block; -1 for none."""
    best, found = -np.inf, -1
    for i, (normals, points) in enumerate(planes):
        along = normals @ towards
        height = np.einsum("ij,ij->i", normals, points - start)
        with np.errstate(divide="ignore", invalid="ignore"):
            cut = height / along
        leaves = cut[along > 1e-12].min(initial=np.inf)
        enters = cut[along < -1e-12].max(initial=-np.inf)
        outside = (height[np.abs(along) <= 1e-12] < 0.0).any()
        if not outside and enters < leaves - 1e-6 and leaves > best:
            best, found = leaves, i
    return found


@pytest.mark.parametrize("name", STRUCTURES)
def test_what_is_painted_last_is_what_the_eye_meets_first(name):
    shapes = STRUCTURES[name]()
    sheet = fitting_sheet(shapes, [], 600)
    planes = [face_planes(shape.vertices, shape.faces) for shape in shapes]
    paper = [sheet(shape.vertices) for shape in shapes]
    solids = [(shape.vertices, *own) for shape, own in zip(shapes, planes)]
    place = np.argsort(depth_order.order(solids, paper, sheet.towards))
    random = np.random.default_rng(3)
    middle = np.concatenate([shape.vertices for shape in shapes]).mean(axis=0)
    seen = wrong = 0
    for _ in range(150):
        shape = random.integers(len(shapes))
        inside = random.dirichlet(np.ones(len(paper[shape]))) @ shapes[shape].vertices
        covering = [i for i, own in enumerate(planes) if _covers(own, paper[i], shapes[i].faces, sheet, inside)]
        start = inside - ((inside - middle) @ sheet.towards) * sheet.towards
        first = nearest(shapes, planes, start, sheet.towards)
        if first >= 0 and first in covering:
            seen += 1
            wrong += max(covering, key=lambda i: place[i]) != first
    assert seen > 100
    # blocks that are drawn displaced cut into each other, so that either may be seen there
    assert wrong <= (0.02 * seen if "fallen" in name else 0)


def _covers(planes, paper, faces, sheet, point):
    """Whether a face of a block that is turned to the eye covers a point on paper, by more than rounding error."""
    x, y = sheet(point)[0]
    for face, normal in zip(faces, planes[0]):
        if normal @ sheet.towards > 1e-9:
            corner = paper[face]
            side = np.roll(corner, -1, axis=0) - corner
            turn = (side[:, 0] * (y - corner[:, 1]) - side[:, 1] * (x - corner[:, 0])) / np.linalg.norm(side, axis=1)
            if (turn > 1e-3).all() or (turn < -1e-3).all():
                return True
    return False


def strokes(text, colour):
    return [item for item in ElementTree.fromstring(text).iter() if item.get("stroke") == svg.hex_colour(colour)]


def test_an_arch_shows_its_thrust_line_and_a_wall_its_network():
    layers = shapes.LAYERS
    of_arch, of_wall = (picture.draw_static(analyse(structure)) for structure in (arch(), wall(4, 3)))
    assert len(strokes(of_arch, layers["thrust"])) == 1 and not strokes(of_arch, layers["network"])
    assert not strokes(of_wall, layers["thrust"]) and strokes(of_wall, layers["network"])
    assert len(strokes(of_arch, layers["reactions"])) == 2


def test_a_fall_marks_what_moves_first():
    result = analyse(arch(thickness=0.4))
    text = picture.draw_static(result)
    assert 1 <= text.count("moves first") <= 3 and "falls" in text  # labels that would meet are left out
    moving = [shape for shape in layout_static(result).shapes if shape.layer == "displaced"]
    first = {shape.name for shape in moving if shape.colour != shapes.LAYERS["displaced"]}
    assert first == set(result.first_to_move(3))


def test_forces_behind_the_blocks_are_not_drawn():
    """Of a dome, about half the reactions are seen."""
    result = analyse(dome(courses=4, sectors=16))
    shown = len(strokes(picture.draw_static(result), shapes.LAYERS["reactions"]))
    assert 4 <= shown <= 12


def test_everything_is_on_the_sheet():
    case = LoadCase()
    structure = arch()
    case.add_point_load("v10", structure.blocks[10].vertices.mean(axis=0), (0.0, 0.0, -2e5))
    tree = ElementTree.fromstring(picture.draw_static(analyse(structure, case)))
    width, height = float(tree.get("width")), float(tree.get("height"))
    numbers = [path.get("d")[1:].replace("L", " ").replace("Z", "").split() for path in tree.iter() if path.get("d")]
    points = np.array([float(n) for row in numbers for n in row]).reshape(-1, 2)
    assert (points > 0.0).all() and (points < [width, height]).all()


def test_given_curves_are_drawn_and_named_instead_of_the_flow():
    result = analyse(arch())
    curve = shapes.Curve("thrust", "by hand", result.centroid[:3], (1, 2, 3), False, 0.0)
    text = picture.draw_static(result, curves=[curve])
    assert len(strokes(text, (1, 2, 3))) == 1 and "by hand" in text
    assert not strokes(text, shapes.LAYERS["thrust"])


def test_blocks_that_stay_are_drawn_as_they_are():
    """Of two blocks side by side, one hangs in the air: it falls, and is drawn twice, faint and displaced."""
    blocks = [box((0, 0, -1), (1, 1, 0), density=2000.0, support=True), box((0, 0, 0), (1, 1, 1), density=2000.0)]
    blocks.append(box((1, 0, 0), (2, 1, 1), density=2000.0))
    tree = ElementTree.fromstring(picture.draw_static(analyse(Structure(blocks, ContactLaw(0.6)))))
    faint, solid = [group for group in tree if group.get("opacity")]
    assert (faint.get("opacity"), solid.get("opacity")) == ("0.25", "1.0")
    assert (len(faint), len(solid)) == (3, 9)  # three faces of every block are turned to the eye


def test_a_motion_is_drawn_over_the_structure_as_it_stood():
    structure = stack(blocks=2)
    case = LoadCase()
    case.set_velocity("b1", (2.0, 0.0, 0.0))
    result = follow(structure, case, 0.1, 5e-3, interval=0.05)
    tree = ElementTree.fromstring(picture.draw_dynamic(result, at=0.05, magnify=2.0))
    faint, solid = [[path.get("d") for path in group] for group in tree if group.get("opacity")]
    assert len(faint) == len(solid) == 9 and sum(path not in faint for path in solid) >= 3
    assert "at 0.05 s, displacements 2 times as large" in "".join(tree.itertext())


def test_a_picture_from_below_shows_the_undersides():
    text = picture.draw_structure(stack(blocks=1), view=(0.0, -90.0))
    paths = [item for item in ElementTree.fromstring(text).iter() if item.get("fill") and item.get("d")]
    assert len(paths) == 2  # one face of each block, squares


def test_labels_do_not_hide_one_another():
    """Three at one place go one below the other; where there is no room, or where they say all the same, one stays."""
    taken = []
    for _ in range(4):
        place = free_place(100.0, 50.0, 20.0, taken, 3)
        if place is not None:
            taken.append(place)
    assert [y for _, y, _ in taken] == [50.0, 64.0, 78.0]
    assert free_place(139.0, 50.0, 20.0, taken, 1) is None
    assert free_place(141.0, 50.0, 20.0, taken, 1) == (141.0, 50.0, 20.0)


def test_a_tower_fits_its_sheet_in_the_middle():
    tower = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 10.0]])
    sheet = Sheet(tower, 900, 0.0, 0.0)
    x, y = sheet(tower).T
    assert sheet.height == TALLEST * 900 and 0.0 < y.min() < y.max() < sheet.height
    assert x.mean() == pytest.approx(450.0)
