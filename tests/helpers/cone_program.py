"""An independent cone program: boxes along the axes, contacts by overlapping rectangles, forces by Clarabel.

Nothing of the engine is used: neither its detection of contacts, nor its assembly, nor its solvers.
"""

import clarabel
import numpy as np
from scipy import sparse

#: Distance below which two faces touch [m]; boxes of the assemblies meet exactly.
TOUCH = 1e-9


def contacts(structure):
    """(a, b, axis, point) of all corners of all rectangles in which two boxes touch; the normal points from a to b."""
    low = np.array([block.vertices.min(axis=0) for block in structure.blocks])
    high = np.array([block.vertices.max(axis=0) for block in structure.blocks])
    found = []
    for a in range(len(low)):
        for b in range(len(low)):
            lower, upper = np.maximum(low[a], low[b]), np.minimum(high[a], high[b])
            for axis in range(3):
                across = [k for k in range(3) if k != axis]
                if abs(high[a, axis] - low[b, axis]) < TOUCH and (upper[across] - lower[across] > TOUCH).all():
                    for corner in np.ndindex(2, 2):
                        point = np.empty(3)
                        point[axis] = high[a, axis]
                        point[across] = [(lower, upper)[side][k] for side, k in zip(corner, across)]
                        found.append((a, b, axis, point))
    return found


class Problem:
    """Forces in friction cones that balance the loads of a case."""

    def __init__(self, structure, case):
        self.structure = structure
        self.friction = structure.law.friction
        self.free = [k for k, block in enumerate(structure.blocks) if not block.support]
        self.centre = np.array([block.vertices.mean(axis=0) for block in structure.blocks])
        size = np.array([np.ptp(block.vertices, axis=0) for block in structure.blocks])
        self.mass = np.prod(size, axis=1) * [block.density for block in structure.blocks]
        self.contacts = contacts(structure)
        self.dead = self._wrench(self.mass[:, None] * np.asarray(case.gravity), case.loads)

    def _wrench(self, body_force, loads=()):
        """Force and moment about the centre of every free block, in a row."""
        wrench = np.zeros((len(self.centre), 6))
        wrench[:, :3] = body_force
        for load in loads:
            k = self.structure.indices([load.block])[0]
            wrench[k, :3] += load.force
            wrench[k, 3:] += np.cross(np.asarray(load.point) - self.centre[k], load.force)
        return wrench[self.free].ravel()

    def _balance(self):
        """Matrix that takes contact forces (normal, tangent, tangent), on b, to wrenches of the free blocks."""
        place = {k: row for row, k in enumerate(self.free)}
        matrix = np.zeros((6 * len(self.free), 3 * len(self.contacts)))
        for c, (a, b, axis, point) in enumerate(self.contacts):
            for k, sign in ((a, -1.0), (b, 1.0)):
                if k in place:
                    for column, direction in enumerate((axis, (axis + 1) % 3, (axis + 2) % 3)):
                        force = sign * np.eye(3)[direction]
                        moment = np.cross(point - self.centre[k], force)
                        matrix[6 * place[k] : 6 * place[k] + 6, 3 * c + column] = [*force, *moment]
        return matrix

    def _solve(self, live):
        """Solution of: maximise m so that contact forces balance dead + m live."""
        balance = self._balance()
        rows, forces = balance.shape
        scale = np.abs(self.dead).max()
        equal = sparse.csc_matrix(np.hstack([balance, live[:, None] / scale]))
        cone = sparse.csc_matrix((forces, forces + 1)).tolil()
        for c in range(len(self.contacts)):  # (mu n, t, t) in the cone of second order
            cone[3 * c, 3 * c] = -self.friction
            cone[3 * c + 1, 3 * c + 1] = cone[3 * c + 2, 3 * c + 2] = -1.0
        matrix = sparse.vstack([equal, cone.tocsc()], format="csc")
        right = np.concatenate([-self.dead / scale, np.zeros(forces)])
        cones = [clarabel.ZeroConeT(rows)] + [clarabel.SecondOrderConeT(3)] * len(self.contacts)
        cost = np.zeros(forces + 1)
        cost[-1] = -1.0 if live.any() else 0.0
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        nothing = sparse.csc_matrix((forces + 1, forces + 1))
        return clarabel.DefaultSolver(nothing, cost, matrix, right, cones, settings).solve()

    def stands(self):
        """Whether some forces balance the loads; None if the program cannot tell."""
        status = str(self._solve(np.zeros(len(self.dead))).status)
        return {"Solved": True, "PrimalInfeasible": False}.get(status)

    def most_acceleration(self, direction):
        """Greatest horizontal acceleration [g], inf if there is none, None if it does not stand."""
        live = self._wrench(9.81 * self.mass[:, None] * np.asarray(direction))
        found = self._solve(live)
        status = str(found.status)
        if status == "DualInfeasible":
            return np.inf
        return found.x[-1] if status == "Solved" else None
