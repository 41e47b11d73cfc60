"""Small pictures without a library: polygons and lines, smoothed by drawing eight times too large; written as PNG."""

import math
import struct
import zlib

SCALE = 8  # samples a pixel, each way


class Raster:
    """A transparent square picture. Coordinates are pixels, y down; colours are (red, green, blue)."""

    def __init__(self, size):
        self.size = size
        self.samples = [[None] * (size * SCALE) for _ in range(size * SCALE)]

    def fill(self, points, colour):
        """A closed polygon, by the even-odd rule at the centres of the samples."""
        side = self.size * SCALE
        points = [(x * SCALE, y * SCALE) for x, y in points]
        edges = list(zip(points, points[1:] + points[:1]))
        top = max(0, int(min(y for _, y in points)))
        bottom = min(side, int(max(y for _, y in points)) + 1)
        for row in range(top, bottom):
            y = row + 0.5
            crossed = [(a, b) for a, b in edges if (a[1] <= y) != (b[1] <= y)]
            cuts = sorted(x0 + (y - y0) * (x1 - x0) / (y1 - y0) for (x0, y0), (x1, y1) in crossed)
            for left, right in zip(cuts[::2], cuts[1::2]):
                first, last = max(0, math.ceil(left - 0.5)), min(side, math.ceil(right - 0.5))
                self.samples[row][first:last] = [colour] * max(0, last - first)

    def line(self, points, width, colour):
        """A line through points, round at its ends and corners."""
        for (x0, y0), (x1, y1) in zip(points, points[1:]):
            length = math.hypot(x1 - x0, y1 - y0)
            dx, dy = (y0 - y1) / length * width / 2, (x1 - x0) / length * width / 2
            self.fill([(x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy)], colour)
        for x, y in points:
            self.disc(x, y, width / 2, colour)

    def disc(self, x, y, radius, colour):
        self.fill(arc(x, y, radius, 0.0, 2 * math.pi, 32)[:-1], colour)

    def box(self, x, y, width, height, colour):
        self.fill([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], colour)

    def arrow(self, start, end, width, colour):
        """An arrow; its head is three widths wide."""
        (x0, y0), (x1, y1) = start, end
        length = math.hypot(x1 - x0, y1 - y0)
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        head = 2.2 * width
        neck = (x1 - ux * head, y1 - uy * head)
        self.line([start, neck], width, colour)
        side = 1.5 * width
        self.fill([end, (neck[0] - uy * side, neck[1] + ux * side), (neck[0] + uy * side, neck[1] - ux * side)], colour)

    def pixels(self, step=SCALE):
        """Rows of (red, green, blue, opacity), 0 to 255; a smaller `step`, in samples, gives a larger picture."""
        starts = range(0, self.size * SCALE, step)
        return [[self._pixel(top, left, step) for left in starts] for top in starts]

    def _pixel(self, top, left, step):
        samples = [sample for line in self.samples[top : top + step] for sample in line[left : left + step]]
        painted = [sample for sample in samples if sample is not None]
        if not painted:
            return 0, 0, 0, 0
        mean = tuple(round(sum(sample[k] for sample in painted) / len(painted)) for k in range(3))
        return mean + (round(255 * len(painted) / step**2),)


def arc(x, y, radius, start, end, steps):
    """Points on a circle; angles in radians from the right, anticlockwise on the screen."""
    angles = [start + (end - start) * i / steps for i in range(steps + 1)]
    return [(x + radius * math.cos(a), y - radius * math.sin(a)) for a in angles]


def png(pixels):
    """The bytes of a PNG file."""
    rows = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in pixels)
    header = struct.pack(">2I5B", len(pixels[0]), len(pixels), 8, 6, 0, 0, 0)  # 8 bits, red green blue opacity
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts
    )
