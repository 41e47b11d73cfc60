"""Draw the icons of the components: `python ghpython_components/draw_icons.py`.

One language for all of them: blocks are dark grey, what does not move is hatched, forces and what is broken are red,
loads and motions that the user gives blue, the thrust line and joints orange, answers green, files white pages.
"""

import math
from pathlib import Path

from raster import Raster, arc, png

SIZE = 24
BLOCK, LIGHT, GHOST, EDGE = (70, 75, 84), (128, 134, 144), (200, 204, 210), (38, 41, 47)
RED, BLUE, ORANGE, GREEN, WHITE = (214, 48, 49), (24, 110, 204), (240, 138, 20), (34, 154, 84), (255, 255, 255)


def voussoirs(r, x, y, inner, outer, count, colour, gap=0.09):
    """A semicircular arch; `gap` is the open part of a block's angle."""
    step = math.pi / count
    for i in range(count):
        start, end = (i + gap) * step, (i + 1 - gap) * step
        r.fill(arc(x, y, outer, start, end, 4) + arc(x, y, inner, end, start, 4), colour)


def ground(r, left, right, y, depth=3.0):
    r.line([(left, y), (right, y)], 1.2, EDGE)
    x = left + 1.5
    while x <= right:
        r.line([(x, y), (x - depth * 0.6, y + depth)], 0.8, EDGE)
        x += 2.8


def turned(x, y, width, height, angle):
    """Corners of a box turned clockwise about its lower right corner (x, y)."""
    c, s = math.cos(angle), math.sin(angle)
    corners = [(-width, -height), (0, -height), (0, 0), (-width, 0)]
    return [(x + u * c - v * s, y + u * s + v * c) for u, v in corners]


def page(r, x, y, width, height, fold=4.0):
    outline = [(x, y), (x + width - fold, y), (x + width, y + fold), (x + width, y + height), (x, y + height)]
    r.fill(outline, WHITE)
    r.line(outline + outline[:1], 1.1, EDGE)
    r.line([(x + width - fold, y), (x + width - fold, y + fold), (x + width, y + fold)], 1.0, EDGE)


def tick(r, x, y, size, width=2.4, colour=GREEN):
    r.line([(x, y + 0.5 * size), (x + 0.35 * size, y + 0.85 * size), (x + size, y)], width, colour)


def tray(r):
    r.line([(3, 15), (3, 21.5), (21, 21.5), (21, 15)], 2.0, BLOCK)


def block(r):
    r.fill([(12, 2), (22, 7), (12, 12), (2, 7)], GHOST)
    r.fill([(2, 7), (12, 12), (12, 23), (2, 18)], BLOCK)
    r.fill([(22, 7), (12, 12), (12, 23), (22, 18)], LIGHT)


def contact_law(r):
    r.box(2, 17.5, 20, 5, BLOCK)
    r.fill([(12, 17.5), (5, 3), (19, 3)], (250, 214, 160))
    r.line([(5, 3), (12, 17), (19, 3)], 1.5, ORANGE)
    r.arrow((12, 17), (15, 5.5), 1.9, RED)


def joint_law(r):
    r.box(2, 3, 20, 7, BLOCK)
    r.box(2, 14, 20, 7, BLOCK)
    r.line([(2, 12), (22, 12)], 2.4, ORANGE)
    r.box(10, 10, 4, 4, RED)


def elastic(r):
    r.box(2, 18.5, 20, 3.5, GHOST)
    r.fill([(5, 18), (3, 12), (5, 6), (19, 6), (21, 12), (19, 18)], BLOCK)
    r.arrow((12, 0.5), (12, 5.5), 1.9, RED)
    r.line([(7, 15), (9, 9), (11, 15), (13, 9), (15, 15), (17, 9)], 1.5, ORANGE)


def deform(r):
    r.box(1, 7, 8, 10, GHOST)
    r.arrow((9.5, 12), (14, 12), 1.9, ORANGE)
    r.fill([(15.5, 17), (14, 12), (15.5, 7), (21.5, 7), (23, 12), (21.5, 17)], BLOCK)


def modes(r):
    ground(r, 4, 20, 20.5, 2.5)
    for side in (-1, 1):
        bent = [(12 + side * 8.0 * (1 - math.cos(0.075 * z)), 20 - z) for z in range(0, 19)]
        r.line(bent, 1.5, GHOST if side < 0 else BLUE)
    r.line([(12, 20), (12, 2)], 3.4, BLOCK)


def submodel(r):
    r.box(1, 7.5, 5, 9, GHOST)
    r.box(18, 7.5, 5, 9, GHOST)
    r.box(6.5, 4, 11, 16, BLOCK)
    for k in (1, 2):
        r.line([(6.5 + 11 * k / 3, 4), (6.5 + 11 * k / 3, 20)], 0.8, ORANGE)
        r.line([(6.5, 4 + 16 * k / 3), (17.5, 4 + 16 * k / 3)], 0.8, ORANGE)
    r.arrow((12, 0), (12, 4.5), 1.9, RED)


def deformed_blocks(r):
    r.box(3, 1.5, 18, 10, GHOST)
    r.fill([(3, 3), (21, 3), (22, 12), (2, 12)], BLUE)
    r.fill([(2, 12.5), (22, 12.5), (21, 22), (3, 22)], BLOCK)
    r.line([(2, 12), (22, 12)], 1.5, RED)


def structure(r):
    voussoirs(r, 12, 19, 5.2, 10.8, 7, BLOCK)
    ground(r, 0.8, 23.2, 19.6)


def structure_from_file(r):
    page(r, 3.5, 1.5, 17, 21)
    voussoirs(r, 12, 19, 3.2, 6.6, 5, BLOCK)


def point_load(r):
    r.box(3, 14, 18, 8.5, BLOCK)
    r.arrow((12, 1), (12, 13.5), 2.8, BLUE)


def cable(r):
    r.box(1.5, 6, 6, 16, BLOCK)
    r.box(16.5, 6, 6, 16, BLOCK)
    r.line([(4.5, 11), (19.5, 11)], 1.9, RED)
    r.box(3, 9, 3, 4, RED)
    r.box(18, 9, 3, 4, RED)


def ground_motion(r):
    wave = [(x / 2, 8 - 6.5 * math.sin(x / 2 * 1.25) * math.exp(-(((x / 2 - 12) / 6.5) ** 2))) for x in range(2, 47)]
    r.line(wave, 1.5, BLUE)
    r.arrow((12, 17), (22.5, 17), 1.9, BLUE)
    r.arrow((12, 17), (1.5, 17), 1.9, BLUE)
    ground(r, 1.5, 22.5, 20.5, 2.5)


def support_motion(r):
    r.box(2, 8, 8.5, 7, BLOCK)
    ground(r, 1, 11, 15.8)
    r.box(13.5, 13, 8.5, 7, BLOCK)
    ground(r, 13, 23, 20.8, 2.5)
    r.arrow((17.8, 1.5), (17.8, 12), 2.4, BLUE)


def load_case(r):
    r.box(2, 13, 20, 4, BLOCK)
    for x in (5, 12, 19):
        r.arrow((x, 2.2), (x, 12.6), 1.9, BLUE)
    r.line([(3.8, 2), (20.2, 2)], 1.5, BLUE)
    wave = [(2 + x / 2, 20.6 - 2 * math.sin(x / 2 * 1.25)) for x in range(41)]
    r.line(wave, 1.3, BLUE)


def settings(r):
    for y, knob in ((5, 8), (12, 17), (19, 6)):
        r.line([(2.5, y), (21.5, y)], 2.0, LIGHT)
        r.disc(knob, y, 3.1, BLOCK)


def engine(r):
    points = []
    for i in range(9):
        middle = 2 * math.pi * i / 9
        for offset, radius in ((-0.22, 8.2), (-0.15, 11.4), (0.15, 11.4), (0.22, 8.2)):
            points.append((12 + radius * math.cos(middle + offset), 12 + radius * math.sin(middle + offset)))
    r.fill(points, BLOCK)
    r.disc(12, 12, 5.0, WHITE)
    r.fill([(10.3, 9), (10.3, 15), (15.4, 12)], GREEN)


def static(r):
    structure(r)
    r.line([(13.5, 17), (16, 19.6), (22.3, 10.5)], 4.6, WHITE)
    tick(r, 13.5, 10.5, 8.8, 2.8)


def dynamic(r):
    ground(r, 0.8, 23.2, 20)
    r.fill(turned(18.5, 19.4, 8, 14, 0.28), BLOCK)
    for radius in (0.0, 3.2):
        r.line(arc(18.5, 19.4, 18.3 - radius, 2.08, 2.62, 8), 1.6, BLUE)


def outputs(r):
    for y in (4, 12, 20):
        r.arrow((16.4, y), (23.4, y), 1.7, GREEN)


def deconstruct_static(r):
    voussoirs(r, 7.4, 15.4, 3.2, 7.0, 5, BLOCK)
    r.line([(0.8, 16.1), (14, 16.1)], 1.3, EDGE)
    outputs(r)


def deconstruct_dynamic(r):
    r.disc(7.4, 12, 7.2, BLOCK)
    r.disc(7.4, 12, 5.4, WHITE)
    r.line([(7.4, 8), (7.4, 12), (10, 13.6)], 1.5, BLUE)
    outputs(r)


def interfaces(r):
    r.fill([(1, 7), (7.5, 4), (7.5, 19), (1, 22)], BLOCK)
    r.fill([(16.5, 5), (23, 2), (23, 17), (16.5, 20)], BLOCK)
    r.fill([(9, 6), (15, 3), (15, 18), (9, 21)], ORANGE)


def thrust_line(r):
    voussoirs(r, 12, 20, 5.6, 11.4, 7, LIGHT)
    r.line([(12 + x, 10.7 + 0.133 * x * x) for x in (-8.6, -7, -5, -3, -1.5, 0, 1.5, 3, 5, 7, 8.6)], 2.1, ORANGE)
    r.line([(0.8, 20.6), (23.2, 20.6)], 1.2, EDGE)


def force_arrows(r):
    r.box(2, 1.5, 20, 7, BLOCK)
    r.box(2, 15.5, 20, 7, BLOCK)
    for x, length in ((5.5, 3.2), (12, 4.8), (18.5, 6.4)):
        r.arrow((x, 12 + length), (x, 12 - length), 2.0, RED)


def stress_crosses(r):
    r.box(1, 1, 22, 22, GHOST)
    c, s = math.cos(0.42), math.sin(0.42)
    for x, y in ((7, 7), (17, 7), (7, 17), (17, 17)):
        r.line([(x - 2.6 * c, y + 2.6 * s), (x + 2.6 * c, y - 2.6 * s)], 1.6, BLUE)
        r.line([(x - 4.3 * s, y - 4.3 * c), (x + 4.3 * s, y + 4.3 * c)], 1.9, RED)


def bricks(r, colour):
    for row in range(4):
        left = 1 - 3.6 * (row % 2)
        for column in range(5):
            start, end = max(1, left + 7.2 * column), min(23, left + 7.2 * column + 6.2)
            if end - start > 0.5:
                r.box(start, 1.5 + 5.4 * row, end - start, 4.5, colour)


def crack_map(r):
    bricks(r, LIGHT)
    crack = [(16.5, 0.8), (15.8, 6.6), (11.9, 6.9), (11.6, 12), (8.2, 12.4), (7.9, 17.4), (4.6, 17.8), (4.2, 23)]
    r.line(crack, 2.1, RED)


def displaced_blocks(r):
    for y in (3.6, 9.6, 15.6):
        r.box(1.5, y, 10, 5.2, GHOST)
    r.box(1.5, 15.6, 10, 5.2, BLOCK)
    r.box(5.5, 9.6, 10, 5.2, BLOCK)
    r.fill(turned(22, 10.4, 10, 5.2, 0.42), BLOCK)
    r.line([(1, 21.6), (23, 21.6)], 1.4, EDGE)


def animate(r):
    r.box(1, 3, 22, 18, BLOCK)
    for x in (2.5, 7.3, 12.1, 16.9):
        r.box(x, 4.2, 3, 2.2, WHITE)
        r.box(x, 17.6, 3, 2.2, WHITE)
    r.box(19.6, 4.2, 2.2, 2.2, BLOCK)
    r.fill([(8.6, 7.4), (8.6, 16.6), (17, 12)], WHITE)


def templates(r):
    voussoirs(r, 6, 10.2, 2.0, 5.0, 5, BLOCK)
    for row in range(3):
        for start, width in ((13.5, 5.4), (19.5, 3.4)) if row % 2 else ((13.5, 3.4), (17.5, 5.4)):
            r.box(start, 1.6 + 3.1 * row, width, 2.5, BLOCK)
    r.fill(arc(6, 22, 5, 0, math.pi, 16), BLOCK)
    r.line([(6, 17.2), (6, 22)], 0.8, GHOST)
    r.line(arc(6, 22, 2.6, 0, math.pi, 8), 0.8, GHOST)
    for y in (13, 15.6, 18.2):
        r.box(15.7, y, 5, 2.1, BLOCK)
    r.box(14.5, 20.8, 7.4, 1.8, BLOCK)


def save_result(r):
    tray(r)
    r.arrow((12, 1.5), (12, 17.5), 3.4, GREEN)


def load_result(r):
    tray(r)
    r.arrow((12, 17.5), (12, 1.5), 3.4, GREEN)


def html_report(r):
    r.box(1, 2.5, 22, 19.5, BLOCK)
    r.box(2.3, 7, 19.4, 13.7, WHITE)
    for x, colour in ((4, RED), (7, ORANGE), (10, GREEN)):
        r.disc(x, 4.8, 1.1, colour)
    voussoirs(r, 8.2, 18.6, 2.4, 5.2, 5, BLOCK)
    for y in (10, 13.5, 17):
        r.line([(15.4, y), (20, y)], 1.3, LIGHT)


def install(r):
    r.fill([(2, 9), (12, 13), (12, 23), (2, 19)], BLOCK)
    r.fill([(22, 9), (12, 13), (12, 23), (22, 19)], LIGHT)
    r.fill([(2, 9), (12, 5), (22, 9), (12, 13)], GHOST)
    r.arrow((12, 0.8), (12, 10.8), 2.8, GREEN)


def limit(r):
    for start, end, colour in ((1.0, 0.62, GREEN), (0.6, 0.32, ORANGE), (0.3, 0.0, RED)):
        first, last = start * math.pi, end * math.pi
        r.fill(arc(12, 17, 11, first, last, 10) + arc(12, 17, 6.8, last, first, 10), colour)
    r.line([(12, 17), (18.2, 8.4)], 1.9, EDGE)
    r.disc(12, 17, 2.4, EDGE)
    r.line([(2, 21.8), (22, 21.8)], 1.6, BLOCK)


def quasistatic(r):
    r.line([(2, 2), (2, 22), (22, 22)], 1.8, EDGE)
    r.line([(2, 22), (8, 9), (13, 5.5), (21, 4)], 2.4, RED)
    for x, y in ((8, 9), (13, 5.5), (21, 4)):
        r.disc(x, y, 1.9, EDGE)
    r.disc(14.5, 16, 3.4, BLOCK)
    r.disc(8.4, 17.4, 2.8, LIGHT)


def check(r):
    r.box(1, 13, 9.5, 9.5, BLOCK)
    r.box(12.5, 13, 9.5, 9.5, BLOCK)
    r.line([(11.5, 12), (11.5, 23)], 1.6, RED)
    r.line([(14.5, 10.5), (20.5, 16.5)], 4.2, WHITE)
    r.line([(14.5, 10.5), (20, 16)], 2.6, EDGE)
    r.disc(10.5, 7, 6.6, EDGE)
    r.disc(10.5, 7, 4.8, WHITE)
    tick(r, 7.8, 4.8, 5.4, 1.8)


def study(r):
    r.line([(2.5, 2), (2.5, 21.5), (22, 21.5)], 1.6, EDGE)
    curve = [(4 + 1.1 * k, 20 - 16.5 / (1.0 + math.exp(-0.75 * (k - 8)))) for k in range(17)]
    r.line(curve, 2.2, RED)
    for x, y in ((6.5, 17.5), (11, 15), (14.5, 8), (19.5, 5.5)):
        r.disc(x, y, 1.7, GREEN)


ICONS = {
    "Nscd_Animate": animate,
    "Nscd_Block": block,
    "Nscd_Cable": cable,
    "Nscd_Check": check,
    "Nscd_ContactLaw": contact_law,
    "Nscd_CrackMap": crack_map,
    "Nscd_DeconstructDynamic": deconstruct_dynamic,
    "Nscd_DeconstructStatic": deconstruct_static,
    "Nscd_DisplacedBlocks": displaced_blocks,
    "Nscd_Dynamic": dynamic,
    "Nscd_Engine": engine,
    "Nscd_ForceArrows": force_arrows,
    "Nscd_GroundMotion": ground_motion,
    "Nscd_HtmlReport": html_report,
    "Nscd_Install": install,
    "Nscd_Interfaces": interfaces,
    "Nscd_JointLaw": joint_law,
    "Nscd_Elastic": elastic,
    "Nscd_Deform": deform,
    "Nscd_Modes": modes,
    "Nscd_Submodel": submodel,
    "Nscd_Limit": limit,
    "Nscd_LoadCase": load_case,
    "Nscd_LoadResult": load_result,
    "Nscd_PointLoad": point_load,
    "Nscd_Quasistatic": quasistatic,
    "Nscd_SaveResult": save_result,
    "Nscd_Settings": settings,
    "Nscd_Static": static,
    "Nscd_StressCrosses": stress_crosses,
    "Nscd_DeformedBlocks": deformed_blocks,
    "Nscd_Structure": structure,
    "Nscd_StructureFromFile": structure_from_file,
    "Nscd_Study": study,
    "Nscd_SupportMotion": support_motion,
    "Nscd_Templates": templates,
    "Nscd_ThrustLine": thrust_line,
}


def icon(folder):
    """Pixels of the icon of a component."""
    raster = Raster(SIZE)
    ICONS[folder](raster)
    return raster.pixels()


def package_icon():
    """Pixels of the icon of the package: 64 x 64, what Rhino's package manager shows."""
    raster = Raster(SIZE)
    thrust_line(raster)
    return raster.pixels(step=3)


def contact_sheet(columns=7, zoom=8, margin=4):
    """All icons, large, on the grey of Grasshopper's toolbar: to look at."""
    cell = SIZE + margin
    rows = -(-len(ICONS) // columns)
    sheet = [[(235, 235, 235, 255)] * (columns * cell) for _ in range(rows * cell)]
    for i, folder in enumerate(ICONS):
        top, left = i // columns * cell + margin // 2, i % columns * cell + margin // 2
        for y, line in enumerate(icon(folder)):
            for x, (*colour, opacity) in enumerate(line):
                under = sheet[top + y][left + x]
                mixed = [round((c * opacity + u * (255 - opacity)) / 255) for c, u in zip(colour, under)]
                sheet[top + y][left + x] = (*mixed, 255)
    return [[pixel for pixel in line for _ in range(zoom)] for line in sheet for _ in range(zoom)]


def main():
    here = Path(__file__).resolve().parent
    for folder in ICONS:
        if (here / folder).is_dir():
            (here / folder / "icon.png").write_bytes(png(icon(folder)))
    (here / "icon.png").write_bytes(png(package_icon()))


if __name__ == "__main__":
    main()
