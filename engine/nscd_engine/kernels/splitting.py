"""Alternating direction method of multipliers for the step problem, with Coulomb's law updated on the way.

    y = J v + b + s n shall be admissible, s = mu |y_t| (De Saxce's opening, METHODS M3; 0 if friction is associated)
    v      minimises 1/2 |v - v_free|_M^2 - gamma . J v + 1/2 |J v + b + s n - y|_R^2: one solve with M + J^T R J
    gamma <- P(gamma - R y'),  y' the relaxed mean of J v + b + s n and the y before;  y is what P adds to that, over R

R = 1 / (c w) is the same in every direction, so that the matrix does not depend on which contacts slide or are open.
What acts on the blocks is gamma + R (y - J v - b - s n), in balance with v when the solve is exact, in the cones when
done. The solve corrects v by what is out of balance, so that it may be in single precision.

Contacts are kept eight by eight, field by field, and multipliers as l = gamma / R [m/s]: a loop over eight contacts
without branches, which processors do four or eight at a time.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from .assembly import inertial_gradient
from .cholesky import fast
from .inner import inner
from .measures import greatest_miss, relative_velocity, velocity_after
from .packed_factor import STRIP, solve_packed

#: Over-relaxation [-], between 1 and 2.
RELAXATION = 1.6
#: Share of the change of the opening that is taken over in an iteration [-]: all of it goes round in circles.
OPENING_SHARE = 0.4

#: Contacts side by side.
L = 8
# Fields of a contact, by their place in a block of L contacts; those with three components are n, 1, 2.
U = 0  # [m/s] J v; then [N s] what pushes the blocks
BIAS = 3 * L  # [m/s]
MULTIPLIER = 6 * L  # [m/s] gamma / R
Y = 9 * L  # [m/s]
ARM = 12 * L  # [m] from the centroid of b, in the frame of the contact
OPENING = 15 * L  # [m/s] s
FRICTION = 16 * L  # [-]
HARDNESS = 17 * L  # [kg] R
STICK_N, STICK_T = 18 * L, 19 * L  # [-] 1 / e of a contact that sticks, e = 1 + R compliance
SLIDE = 20 * L  # [-] 1 / (e_n + mu^2 e_t), of one that slides
GIVE = 21 * L  # [-] e_t - 1: what a soft contact gives does not slide
BLOCK = 22 * L
#: Runs whose contacts are done together, while they are in the fast memory.
BATCH = 64


class Lanes(NamedTuple):
    """Contacts in blocks of L, and runs of contacts that share their bodies and their frame."""

    field: np.ndarray  # numbers, BLOCK for every L contacts
    start: np.ndarray  # (r + 1,): contacts of every run
    body: np.ndarray  # (r, 2)
    frame: np.ndarray  # (r, 12): from the centroid of a to that of b [m], and the frame by rows


@inner
def starts_run(problem, c):
    """Whether contact c has other bodies or another frame than the one before."""
    if c == 0 or problem.body[c, 0] != problem.body[c - 1, 0] or problem.body[c, 1] != problem.body[c - 1, 1]:
        return True
    for i in range(3):
        for j in range(3):
            if problem.frame[c, i, j] != problem.frame[c - 1, i, j]:
                return True
    return False


@inner
def load_runs(problem, start, body, frame):
    """Fill the runs; how many there are."""
    runs, count = 0, problem.friction.shape[0]
    for c in range(count):
        if starts_run(problem, c):
            start[runs], body[runs, 0], body[runs, 1] = c, problem.body[c, 0], problem.body[c, 1]
            for i in range(3):
                frame[runs, i] = problem.arm[c, 0, i] - problem.arm[c, 1, i]
                for j in range(3):
                    frame[runs, 3 + 3 * i + j] = problem.frame[c, i, j]
            runs += 1
    start[runs] = count
    return runs


@inner
def load(problem, hardness, gamma):
    """Lanes of the contacts, with multipliers from gamma (C, 3). Contacts that fill the last block carry nothing."""
    count = gamma.shape[0]
    field = np.zeros((count + L - 1) // L * BLOCK)
    for c in range(count):
        x = field[c // L * BLOCK + c % L :]
        R, mu, f, s = hardness[c], problem.friction[c], problem.frame[c], problem.arm[c, 1]
        e_n, e_t = 1.0 + R * problem.compliance[c, 0], 1.0 + R * problem.compliance[c, 1]
        for i in range(3):
            x[BIAS + L * i] = problem.bias[c, i]
            x[MULTIPLIER + L * i] = gamma[c, i] / R
            x[ARM + L * i] = f[i, 0] * s[0] + f[i, 1] * s[1] + f[i, 2] * s[2]
        x[FRICTION], x[HARDNESS], x[GIVE] = mu, R, e_t - 1.0
        x[STICK_N], x[STICK_T], x[SLIDE] = 1.0 / e_n, 1.0 / e_t, 1.0 / (e_n + mu * mu * e_t)
    start, body, frame = np.empty(count + 1, np.int64), np.empty((count, 2), np.int64), np.empty((count, 12))
    runs = load_runs(problem, start, body, frame)
    return Lanes(field, start[: runs + 1], body[:runs], frame[:runs])


@fast
def move(lanes, v, still, first, last):
    """J v of the contacts of some runs; `still` (6,) are the velocities of the ground.

    At a point s from the centroid of b, body b moves against a with V + W x s, here in the frame of the run; d is from
    the centroid of a to that of b.
    """
    for r in range(first, last):
        a, b, f = lanes.body[r, 0], lanes.body[r, 1], lanes.frame[r]
        v_b = v[b] if b >= 0 else still
        v_a = v[a] if a >= 0 else still
        d_0, d_1, d_2 = f[0], f[1], f[2]
        p, q, s = v_a[3], v_a[4], v_a[5]
        V_0 = v_b[0] - v_a[0] - q * d_2 + s * d_1
        V_1 = v_b[1] - v_a[1] - s * d_0 + p * d_2
        V_2 = v_b[2] - v_a[2] - p * d_1 + q * d_0
        W_0, W_1, W_2 = v_b[3] - p, v_b[4] - q, v_b[5] - s
        V_n = f[3] * V_0 + f[4] * V_1 + f[5] * V_2
        V_s = f[6] * V_0 + f[7] * V_1 + f[8] * V_2
        V_t = f[9] * V_0 + f[10] * V_1 + f[11] * V_2
        W_n = f[3] * W_0 + f[4] * W_1 + f[5] * W_2
        W_s = f[6] * W_0 + f[7] * W_1 + f[8] * W_2
        W_t = f[9] * W_0 + f[10] * W_1 + f[11] * W_2
        for c in range(lanes.start[r], lanes.start[r + 1]):
            x = lanes.field[(c // L) * BLOCK + c % L :]
            s_n, s_s, s_t = x[ARM], x[ARM + L], x[ARM + 2 * L]
            x[U] = V_n + W_s * s_t - W_t * s_s
            x[U + L] = V_s + W_t * s_n - W_n * s_t
            x[U + 2 * L] = V_t + W_n * s_s - W_s * s_n


@fast
def begin(field, coulomb, first, last):
    """Opening and y of the first iteration, at which J v is: there are none yet."""
    for k in range(first, last):
        x = field[k * BLOCK : (k + 1) * BLOCK]
        for i in range(L):
            u_1, u_2 = x[U + L + i] + x[BIAS + L + i], x[U + 2 * L + i] + x[BIAS + 2 * L + i]
            slip_1 = u_1 + x[GIVE + i] * x[MULTIPLIER + L + i]
            slip_2 = u_2 + x[GIVE + i] * x[MULTIPLIER + 2 * L + i]
            opening = x[FRICTION + i] * np.sqrt(slip_1 * slip_1 + slip_2 * slip_2) if coulomb else 0.0
            x[OPENING + i] = opening
            x[Y + i], x[Y + L + i], x[Y + 2 * L + i] = x[U + i] + x[BIAS + i] + opening, u_1, u_2


@fast
def renew(field, share, first, last):
    """New multiplier, y and opening of some blocks, and what then pushes; the sum of what acted less gamma [N s]."""
    missed = 0.0
    for k in range(first, last):
        x = field[k * BLOCK : (k + 1) * BLOCK]
        for i in range(L):
            opening, mu, R = x[OPENING + i], x[FRICTION + i], x[HARDNESS + i]
            u_n = x[U + i] + x[BIAS + i] + opening
            u_1, u_2 = x[U + L + i] + x[BIAS + L + i], x[U + 2 * L + i] + x[BIAS + 2 * L + i]
            y_n, y_1, y_2 = x[Y + i], x[Y + L + i], x[Y + 2 * L + i]
            missed += R * (abs(y_n - u_n) + abs(y_1 - u_1) + abs(y_2 - u_2))
            z_n = x[MULTIPLIER + i] - y_n + RELAXATION * (y_n - u_n)
            z_1 = x[MULTIPLIER + L + i] - y_1 + RELAXATION * (y_1 - u_1)
            z_2 = x[MULTIPLIER + 2 * L + i] - y_2 + RELAXATION * (y_2 - u_2)
            # Projection on the cone (kernels/cone.py), both outcomes: stick, or slide with nothing if it is open.
            r, stuck_n = np.sqrt(z_1 * z_1 + z_2 * z_2), z_n * x[STICK_N + i]
            slid_n = (z_n + mu * r) * x[SLIDE + i]
            slid_n = slid_n if slid_n > 0.0 else 0.0
            slid_t = mu * slid_n / (r if r > 0.0 else 1.0)
            sticks = r * x[STICK_T + i] <= mu * stuck_n
            l_n, t = stuck_n if sticks else slid_n, x[STICK_T + i] if sticks else slid_t
            l_1, l_2 = t * z_1, t * z_2
            y_n, y_1, y_2 = l_n - z_n, l_1 - z_1, l_2 - z_2
            slip_1, slip_2 = y_1 + x[GIVE + i] * l_1, y_2 + x[GIVE + i] * l_2
            wider = share * (mu * np.sqrt(slip_1 * slip_1 + slip_2 * slip_2) - opening)
            x[U + i] = R * (l_n + y_n - u_n)
            x[U + L + i], x[U + 2 * L + i] = R * (l_1 + y_1 - u_1), R * (l_2 + y_2 - u_2)
            x[MULTIPLIER + i], x[MULTIPLIER + L + i], x[MULTIPLIER + 2 * L + i] = l_n, l_1, l_2
            x[Y + i], x[Y + L + i], x[Y + 2 * L + i] = y_n + wider, y_1, y_2
            x[OPENING + i] = opening + wider
    return missed


@fast
def push(lanes, first, last, g):
    """g (N, 6) less what pushes the bodies."""
    for r in range(first, last):
        a, b, f = lanes.body[r, 0], lanes.body[r, 1], lanes.frame[r]
        f_n = f_s = f_t = m_n = m_s = m_t = 0.0  # force, and moment about the centroid of b
        for c in range(lanes.start[r], lanes.start[r + 1]):
            x = lanes.field[(c // L) * BLOCK + c % L :]
            s_n, s_s, s_t = x[ARM], x[ARM + L], x[ARM + 2 * L]
            q_n, q_s, q_t = x[U], x[U + L], x[U + 2 * L]
            f_n, f_s, f_t = f_n + q_n, f_s + q_s, f_t + q_t
            m_n, m_s, m_t = m_n + s_s * q_t - s_t * q_s, m_s + s_t * q_n - s_n * q_t, m_t + s_n * q_s - s_s * q_n
        f_0 = f[3] * f_n + f[6] * f_s + f[9] * f_t
        f_1 = f[4] * f_n + f[7] * f_s + f[10] * f_t
        f_2 = f[5] * f_n + f[8] * f_s + f[11] * f_t
        m_0 = f[3] * m_n + f[6] * m_s + f[9] * m_t
        m_1 = f[4] * m_n + f[7] * m_s + f[10] * m_t
        m_2 = f[5] * m_n + f[8] * m_s + f[11] * m_t
        if b >= 0:
            add(g[b], -1.0, f_0, f_1, f_2, m_0, m_1, m_2)
        if a >= 0:
            d_0, d_1, d_2 = f[0], f[1], f[2]
            m_0, m_1, m_2 = m_0 + d_1 * f_2 - d_2 * f_1, m_1 + d_2 * f_0 - d_0 * f_2, m_2 + d_0 * f_1 - d_1 * f_0
            add(g[a], 1.0, f_0, f_1, f_2, m_0, m_1, m_2)


@inner
def add(g, sign, f_0, f_1, f_2, m_0, m_1, m_2):
    g[0] += sign * f_0
    g[1] += sign * f_1
    g[2] += sign * f_2
    g[3] += sign * m_0
    g[4] += sign * m_1
    g[5] += sign * m_2


@inner
def renew_all(lanes, coulomb, fresh, v, still, g):
    """One iteration of all contacts at velocities v, and g less what pushes; the sum of what acted less gamma [N s]."""
    missed, runs, block, pushed = 0.0, lanes.body.shape[0], 0, 0
    for first in range(0, runs, BATCH):
        last = min(first + BATCH, runs)
        move(lanes, v, still, first, last)
        end = lanes.start[last] // L if last < runs else lanes.field.shape[0] // BLOCK  # blocks that are complete
        if fresh:
            begin(lanes.field, coulomb, block, end)
        missed += renew(lanes.field, OPENING_SHARE if coulomb else 0.0, block, end)
        block, done = end, pushed
        while done < last and lanes.start[done + 1] <= end * L:
            done += 1
        push(lanes, pushed, done, g)
        pushed = done
    return missed


@inner
def unload(lanes, v, still, acting):
    """What acts at velocities v, into `acting` (C, 3)."""
    move(lanes, v, still, 0, lanes.body.shape[0])
    for c in range(acting.shape[0]):
        x = lanes.field[c // L * BLOCK + c % L :]
        for i in range(3):
            u = x[U + L * i] + x[BIAS + L * i] + (x[OPENING] if i == 0 else 0.0)
            acting[c, i] = x[HARDNESS] * (x[MULTIPLIER + L * i] + x[Y + L * i] - u)


@inner
def alternate(problem, hardness, sym, packed, coulomb, most, tolerance, v, gamma):
    """Iterate from velocities v (N, 6), in place, and impulses gamma (C, 3), which become what acts; the iterations.

    `hardness` (C,) is R, `packed` the factor of M + J^T R J. It is done when what acts is closer than `tolerance` [N s]
    to the cones in the mean.
    """
    lanes = load(problem, hardness, gamma)
    g, d, still = np.empty_like(v), np.empty_like(v), np.zeros(6)
    work = np.empty(12 * v.shape[0] + STRIP, np.float32)
    done = 0
    for k in range(most):
        inertial_gradient(problem, v, g)
        missed = renew_all(lanes, coulomb, k == 0, v, still, g)
        solve_packed(sym, packed, g, work, d)
        for i in range(v.shape[0]):
            for m in range(6):
                v[i, m] -= d[i, m]
        done = k + 1
        if k > 0 and missed <= tolerance * gamma.shape[0]:
            break
    unload(lanes, v, still, gamma)
    return done


@njit(cache=True, nogil=True, error_model="numpy")
def descend(problem, softness, w, inverse, sym, packed, coulomb, most, tolerance, v, gamma):
    """As `alternate`, with velocities that balance what acts; iterations, and what a contact misses at worst [N s].

    `softness` is 1 / (R w) [-].
    """
    done = alternate(problem, 1.0 / (softness * w), sym, packed, coulomb, most, tolerance, v, gamma)
    v[:] = velocity_after(problem, gamma, inverse)
    return done, greatest_miss(problem, gamma, relative_velocity(problem, v), w, coulomb)
