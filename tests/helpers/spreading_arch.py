"""Spreading of the supports of an arch by kinematics alone: rigid voussoirs that do not slip, infinitely slowly.

Of all motions that close no joint further than it is open and slip nowhere, the arch takes the one that lowers it most:
a linear program in the displacements from where it is, solved again after each move until nothing moves. Where it has
no bottom within reach, the arch falls. No step in time, no contact solver, no detection: nothing of the engine.
"""

import numpy as np
from scipy.optimize import linprog

#: Displacements within which the linear program looks for the lowest place, over the radius [-].
REACH = 0.02


class SpreadingArch:
    """A semicircle of radius 1 of straight voussoirs; angles from the right springing."""

    def __init__(self, count, thickness):
        self.count = count
        angle = np.linspace(0.0, np.pi, count + 1)
        ring = np.column_stack([np.cos(angle), np.sin(angle)])
        self.angle = angle
        self.corners = (1.0 - 0.5 * thickness) * ring, (1.0 + 0.5 * thickness) * ring  # inside, outside
        inside, outside = self.corners
        outlines = np.stack([inside[:-1], outside[:-1], outside[1:], inside[1:]], axis=1)
        found = [_area_and_centroid(outline) for outline in outlines]
        self.area = np.array([area for area, _ in found])
        #: Centres of all bodies: right support, voussoirs, left support.
        self.centre = np.vstack([[1.0, 0.0], [centre for _, centre in found], [-1.0, 0.0]])
        self.pose = np.zeros((count + 2, 3))  # displacement, turn

    def spread_until_it_falls(self, step, most=1.0):
        """Spread [-], over twice the radius, at which it falls, to one `step`."""
        for share in np.arange(step, most, step):
            if not self.spread(share):
                return share
        raise AssertionError("It never falls.")

    def spread(self, share):
        """Move the supports apart by a share of twice the radius; False if it falls."""
        self.pose[0, 0], self.pose[-1, 0] = share, -share
        for _ in range(50):
            way = self._lowest()
            self.pose[1:-1] += way
            if np.abs(way).max() > 0.9 * REACH:
                return False
            if np.abs(way).max() < 1e-10:
                return True
        raise AssertionError("It does not come to rest.")

    def turns(self):
        """Angles by which the joints are open (count + 1,): positive if the hinge is inside."""
        return np.diff(self.pose[:, 2])

    def _lowest(self):
        closing, gaps, slip, offset = [], [], [], []
        for k, angle in enumerate(self.angle + 0.5 * (self.pose[1:, 2] + self.pose[:-1, 2])):
            across = np.array([-np.sin(angle), np.cos(angle)])
            along = np.array([np.cos(angle), np.sin(angle)])
            pairs = [self._pair(k, side) for side in (0, 1)]
            for apart, arms in pairs:
                closing.append(-self._row(k, arms, across))
                gaps.append(apart @ across)
            apart, arms = min(pairs, key=lambda pair: pair[0] @ across)  # where the joint touches, it does not slip
            slip.append(self._row(k, arms, along))
            offset.append(-apart @ along)
        weight = np.zeros(3 * self.count)
        weight[1::3] = self.area
        found = linprog(weight, closing, gaps, slip, offset, bounds=(-REACH, REACH), method="highs")
        assert found.status == 0, found.message
        return found.x.reshape(-1, 3)

    def _pair(self, k, side):
        """Vector between the two corners of joint k on one side, and their arms from the centres."""
        places, arms = [], []
        for body in (k, k + 1):
            x, z, turn = self.pose[body]
            c, s = np.cos(turn), np.sin(turn)
            arm = np.array([[c, -s], [s, c]]) @ (self.corners[side][k] - self.centre[body])
            places.append(self.centre[body] + (x, z) + arm)
            arms.append(arm)
        return places[1] - places[0], arms

    def _row(self, k, arms, axis):
        """How displacements of the voussoirs change the distance of joint k along an axis."""
        row = np.zeros(3 * self.count)
        for body, arm, sign in ((k, arms[0], -1.0), (k + 1, arms[1], 1.0)):
            if 1 <= body <= self.count:
                row[3 * body - 3 : 3 * body] += sign * np.append(axis, axis @ (-arm[1], arm[0]))
        return row


def _area_and_centroid(polygon):
    (x, z), (u, w) = polygon.T, np.roll(polygon, -1, axis=0).T
    twice = x * w - u * z
    centroid = np.array([((x + u) * twice).sum(), ((z + w) * twice).sum()]) / (3.0 * twice.sum())
    return 0.5 * abs(twice.sum()), centroid
