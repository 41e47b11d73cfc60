"""ADMM, the alternating direction method of multipliers, for the step problem (docs/methods.md, sections 5.5 and 5.6).

    y = J v + b shall be admissible
    v      minimises 1/2 |v - v_free|_M^2 - gamma . J v + 1/2 |J v + b - y|_R^2: one solve with M + J^T R J
    gamma <- P(gamma - R y'),  y' the relaxed mean of J v + b and the y before;  y is what P adds to that, over R

P projects on the friction cone if friction is associated. With Coulomb friction it projects the normal impulse on what
presses, and then the tangential impulse on the disc of radius mu times that: nothing is held by friction that no
normal impulse supplies, and blocks are not clamped between others (section 3.3).

The penalty R = 1 / (c w) of a contact is the same in every direction, so that the matrix does not depend on which
contacts slide or are open. The impulses that act on the blocks are gamma + R (y - J v - b): in balance with v
when the solve is exact, in the cones when the iterations have converged. The solve corrects v by the imbalance, so that
it may be in single precision.

Contacts are processed eight pairs of bodies at a time. A run is up to four contacts of two bodies in one frame. Eight
runs with about as many contacts are a group. The numbers of a group lie in memory field by field, one lane a run: loops
over eight lanes without branches, which processors do four or eight at a time. Multipliers are kept as l = gamma / R
[m/s]. Bodies are in the order in which the solve eliminates them.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.core.structs import Problem
from nscd_engine.kernels.jit import inner, merged
from nscd_engine.kernels.linalg.cholesky import FAST
from nscd_engine.kernels.linalg.packed_factor import backward_panel, forward_panel, solve_packed
from nscd_engine.kernels.linalg.padded_tile import WIDTH
from nscd_engine.kernels.solvers.operators import contact_velocity, relative_velocity, velocity_after
from nscd_engine.kernels.solvers.residuals import greatest_residual

#: Over-relaxation [-], between 1 and 2. Smaller: more iterations. Larger: the iterations oscillate.
RELAXATION = 1.6

#: Runs side by side [-]: the lanes of a group.
L = 8
#: Most contacts of a run [-].
LONGEST = 4
# Fields of a run, by their offset in a group; vectors have three components, in world axes or as n, t1, t2.
MOTION = 0  # [m/s, rad/s] of b relative to a at the centroid of b: velocity, angular velocity
IMPULSE = 6 * L  # [N s, N m s] sum over the contacts: impulse, moment about the centroid of b
RESIDUAL = 12 * L  # [N s] sum over the contacts
LEVER = 13 * L  # [m] from the centroid of a to that of b
FRAME = 16 * L  # by rows
HEAD = 25 * L  # length of these fields
SPIN_A = IMPULSE  # [rad/s] angular velocity of a, before there are impulses in that place
MOMENT_A = MOTION  # [N m s] moment about the centroid of a, when the motion is no longer needed
# Fields of a contact, by their offset in a block; the blocks of a group follow the fields of its runs.
BIAS = 0  # [m/s]
MULTIPLIER = 3 * L  # [m/s] gamma / R
Y = 6 * L  # [m/s]
ARM = 9 * L  # [m] from the centroid of b
FRICTION = 12 * L  # [-]
PENALTY = 13 * L  # [kg] R
STICK_N = 14 * L  # [-] 1 / e_n of a contact that sticks, e = 1 + R compliance
STICK_T = 15 * L  # [-] 1 / e_t of a contact that sticks
LIFT = 16 * L  # [-] normal over tangential velocity of a contact that slides: mu, with Coulomb friction 0
SLIDE = 17 * L  # [-] 1 / (e_n + LIFT mu e_t) of a contact that slides
BLOCK = 18 * L  # length of a block
GROUP = HEAD + LONGEST * BLOCK  # length of a group

#: As `substitution.fast`, but always inlined: offsets in a group must be constants, or compilers do not vectorise.
lanewise = njit(
    nogil=True, error_model="numpy", fastmath=FAST, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True
)


class AdmmProblem(NamedTuple):
    """A step problem as ADMM takes it. N bodies, C contacts."""

    problem: Problem
    penalty: np.ndarray  # [kg] (C,): R, 0 for contacts that are left out
    w: np.ndarray  # [1/kg] (C,): mobility
    inverse: np.ndarray  # [1/(kg m2)] (N, 3, 3): inverse of the inertia
    coulomb: bool  # Coulomb friction, else associated friction


class Lanes(NamedTuple):
    """G groups of runs. Lanes that fill up a group join the ground with itself, and carry nothing."""

    field: np.ndarray  # (G, GROUP)
    longest: np.ndarray  # (G,): contacts of the longest run
    body: np.ndarray  # (G, L, 2): in elimination order, N for the ground
    offset: np.ndarray  # (C,): of every contact in the flat fields, -1 if it is left out


@inner
def active_contacts(penalty):
    """The contacts whose penalty (C,) is not 0. NaN counts, so that it propagates."""
    found, count = np.empty(penalty.shape[0], np.int64), 0
    for c in range(penalty.shape[0]):
        if not penalty[c] == 0.0:
            found[count] = c
            count += 1
    return found[:count]


@inner
def share_run(problem, b, c):
    """Whether contacts b and c have the same bodies and the same frame."""
    if problem.body[c, 0] != problem.body[b, 0] or problem.body[c, 1] != problem.body[b, 1]:
        return False
    for i in range(3):
        for j in range(3):
            if problem.frame[c, i, j] != problem.frame[b, i, j]:
                return False
    return True


@inner
def find_runs(problem, contact, start):
    """Number of runs of the contacts; the positions at which they begin, and the end, go into `start`."""
    runs, count = 0, contact.shape[0]
    for k in range(count):
        if k == 0 or k - start[runs - 1] == LONGEST or not share_run(problem, contact[k - 1], contact[k]):
            start[runs] = k
            runs += 1
    start[runs] = count
    return runs


@inner
def longest_first(start, runs):
    """The runs by falling number of contacts, so that the runs of a group have about as many."""
    order, k = np.empty(runs, np.int64), 0
    for length in range(LONGEST, 0, -1):
        for r in range(runs):
            if start[r + 1] - start[r] == length:
                order[k] = r
                k += 1
    return order


@inner
def load_run(problem, rank, c, x, body):
    """Write the run of contact c into its lane x of a group; `rank` (N,) is the elimination order of the bodies."""
    for side in range(2):
        if problem.body[c, side] >= 0:
            body[side] = rank[problem.body[c, side]]
    for i in range(3):
        x[LEVER + L * i] = problem.arm[c, 0, i] - problem.arm[c, 1, i]
        for j in range(3):
            x[FRAME + L * (3 * i + j)] = problem.frame[c, i, j]


@inner
def load_contact(problem, c, R, gamma, u, coulomb, x):
    """Write contact c into its lane x of a block, with the multiplier gamma (3,), and y at J v = u (3,)."""
    mu, f, s, soft = problem.friction[c], problem.frame[c], problem.arm[c, 1], 1.0 / R
    for i in range(3):
        x[BIAS + L * i] = problem.bias[c, i]
        x[MULTIPLIER + L * i] = gamma[i] * soft
        x[Y + L * i] = u[i] + problem.bias[c, i]
        x[ARM + L * i] = f[i, 0] * s[0] + f[i, 1] * s[1] + f[i, 2] * s[2]
    x[FRICTION], x[PENALTY], x[LIFT] = mu, R, 0.0 if coulomb else mu
    x[STICK_N] = x[STICK_T] = x[SLIDE] = 1.0
    e_n, e_t = 1.0 + R * problem.compliance[c, 0], 1.0 + R * problem.compliance[c, 1]
    if not (coulomb and e_n == 1.0 and e_t == 1.0):  # divisions take a third of the time
        x[STICK_N], x[STICK_T], x[SLIDE] = 1.0 / e_n, 1.0 / e_t, 1.0 / (e_n + x[LIFT] * mu * e_t)


@inner
def load(problem, penalty, order, coulomb, v, gamma):
    """Lanes of the contacts at velocities v (N, 6), with multipliers from gamma (C, 3); `order` of elimination (N,)."""
    count, bodies = gamma.shape[0], order.shape[0]
    start, rank, u = np.empty(count + 1, np.int64), np.empty(bodies, np.int64), relative_velocity(problem, v)
    for i in range(bodies):
        rank[order[i]] = i
    contact = active_contacts(penalty)
    runs = find_runs(problem, contact, start)
    groups = (runs + L - 1) // L
    field, longest = np.empty((groups, GROUP)), np.empty(groups, np.int64)
    body, offset = np.full((groups, L, 2), bodies, np.uint32), np.full(count, -1)
    sorted_runs = longest_first(start, runs)
    for k in range(runs):
        group, lane, r = k // L, k % L, sorted_runs[k]
        if lane == 0:
            longest[group] = start[r + 1] - start[r]
            last = sorted_runs[min(k + L, runs) - 1]
            if k + L > runs or start[last + 1] - start[last] < longest[group]:  # lanes are left over
                field[group] = 0.0
        load_run(problem, rank, contact[start[r]], field[group, lane:], body[group, lane])
        for j in range(start[r], start[r + 1]):
            c, at = contact[j], HEAD + BLOCK * (j - start[r]) + lane
            offset[c] = GROUP * group + at
            load_contact(problem, c, penalty[c], gamma[c], u[c], coulomb, field[group, at:])
    return Lanes(field, longest, body, offset)


@lanewise
def relative_motion(x, body, v):
    """Motion of b relative to a for the runs x of a group, in their frames; impulses and residuals become 0."""
    for i in range(L):
        v_a, v_b = v[body[i, 0]], v[body[i, 1]]
        p, q, s = v_a[3], v_a[4], v_a[5]
        x[MOTION + i], x[MOTION + L + i], x[MOTION + 2 * L + i] = v_b[0] - v_a[0], v_b[1] - v_a[1], v_b[2] - v_a[2]
        x[MOTION + 3 * L + i], x[MOTION + 4 * L + i], x[MOTION + 5 * L + i] = v_b[3] - p, v_b[4] - q, v_b[5] - s
        x[SPIN_A + i], x[SPIN_A + L + i], x[SPIN_A + 2 * L + i] = p, q, s
    for i in range(L):
        n_0, n_1, n_2 = x[FRAME + i], x[FRAME + L + i], x[FRAME + 2 * L + i]
        s_0, s_1, s_2 = x[FRAME + 3 * L + i], x[FRAME + 4 * L + i], x[FRAME + 5 * L + i]
        t_0, t_1, t_2 = x[FRAME + 6 * L + i], x[FRAME + 7 * L + i], x[FRAME + 8 * L + i]
        p, q, s = x[SPIN_A + i], x[SPIN_A + L + i], x[SPIN_A + 2 * L + i]
        d_0, d_1, d_2 = x[LEVER + i], x[LEVER + L + i], x[LEVER + 2 * L + i]
        V_0 = x[MOTION + i] - q * d_2 + s * d_1
        V_1 = x[MOTION + L + i] - s * d_0 + p * d_2
        V_2 = x[MOTION + 2 * L + i] - p * d_1 + q * d_0
        W_0, W_1, W_2 = x[MOTION + 3 * L + i], x[MOTION + 4 * L + i], x[MOTION + 5 * L + i]
        x[MOTION + i] = n_0 * V_0 + n_1 * V_1 + n_2 * V_2
        x[MOTION + L + i] = s_0 * V_0 + s_1 * V_1 + s_2 * V_2
        x[MOTION + 2 * L + i] = t_0 * V_0 + t_1 * V_1 + t_2 * V_2
        x[MOTION + 3 * L + i] = n_0 * W_0 + n_1 * W_1 + n_2 * W_2
        x[MOTION + 4 * L + i] = s_0 * W_0 + s_1 * W_1 + s_2 * W_2
        x[MOTION + 5 * L + i] = t_0 * W_0 + t_1 * W_1 + t_2 * W_2
    x[IMPULSE : RESIDUAL + L] = 0.0


@lanewise
def update_block(x, at):
    """New multiplier and y of the contacts at `at` in group x; their impulses and residuals are added up."""
    for i in range(L):
        s_n, s_1, s_2 = x[at + ARM + i], x[at + ARM + L + i], x[at + ARM + 2 * L + i]
        W_n, W_1, W_2 = x[MOTION + 3 * L + i], x[MOTION + 4 * L + i], x[MOTION + 5 * L + i]
        mu, R = x[at + FRICTION + i], x[at + PENALTY + i]
        u_n = x[MOTION + i] + W_1 * s_2 - W_2 * s_1 + x[at + BIAS + i]
        u_1 = x[MOTION + L + i] + W_2 * s_n - W_n * s_2 + x[at + BIAS + L + i]
        u_2 = x[MOTION + 2 * L + i] + W_n * s_1 - W_1 * s_n + x[at + BIAS + 2 * L + i]
        y_n, y_1, y_2 = x[at + Y + i], x[at + Y + L + i], x[at + Y + 2 * L + i]
        x[RESIDUAL + i] += R * (abs(y_n - u_n) + abs(y_1 - u_1) + abs(y_2 - u_2))
        z_n = x[at + MULTIPLIER + i] - y_n + RELAXATION * (y_n - u_n)
        z_1 = x[at + MULTIPLIER + L + i] - y_1 + RELAXATION * (y_1 - u_1)
        z_2 = x[at + MULTIPLIER + 2 * L + i] - y_2 + RELAXATION * (y_2 - u_2)
        # Projection, both outcomes: stick, or slide with no impulse if it is open.
        r, stick_t, stuck_n = np.sqrt(z_1 * z_1 + z_2 * z_2), x[at + STICK_T + i], z_n * x[at + STICK_N + i]
        slid_n = (z_n + x[at + LIFT + i] * r) * x[at + SLIDE + i]
        stuck_n, slid_n = stuck_n if stuck_n > 0.0 else 0.0, slid_n if slid_n > 0.0 else 0.0
        sticks = r * stick_t <= mu * stuck_n
        l_n, t = stuck_n if sticks else slid_n, stick_t if sticks else mu * slid_n / (r if r > 0.0 else 1.0)
        l_1, l_2 = t * z_1, t * z_2
        y_n, y_1, y_2 = l_n - z_n, l_1 - z_1, l_2 - z_2
        q_n, q_1, q_2 = R * (l_n + y_n - u_n), R * (l_1 + y_1 - u_1), R * (l_2 + y_2 - u_2)
        x[at + MULTIPLIER + i], x[at + MULTIPLIER + L + i], x[at + MULTIPLIER + 2 * L + i] = l_n, l_1, l_2
        x[at + Y + i], x[at + Y + L + i], x[at + Y + 2 * L + i] = y_n, y_1, y_2
        x[IMPULSE + i] += q_n
        x[IMPULSE + L + i] += q_1
        x[IMPULSE + 2 * L + i] += q_2
        x[IMPULSE + 3 * L + i] += s_1 * q_2 - s_2 * q_1
        x[IMPULSE + 4 * L + i] += s_2 * q_n - s_n * q_2
        x[IMPULSE + 5 * L + i] += s_n * q_1 - s_1 * q_n


@lanewise
def update_blocks(x, longest):
    """`update_block` for the blocks of a group in use."""
    update_block(x, HEAD)
    if longest > 1:
        update_block(x, HEAD + BLOCK)
    if longest > 2:
        update_block(x, HEAD + 2 * BLOCK)
    if longest > 3:
        update_block(x, HEAD + 3 * BLOCK)


@lanewise
def subtract_group(x, body, g):
    """g (N + 1, 6) less the impulses on the bodies of a group; the sum of the residuals [N s]."""
    for i in range(L):
        n_0, n_1, n_2 = x[FRAME + i], x[FRAME + L + i], x[FRAME + 2 * L + i]
        s_0, s_1, s_2 = x[FRAME + 3 * L + i], x[FRAME + 4 * L + i], x[FRAME + 5 * L + i]
        t_0, t_1, t_2 = x[FRAME + 6 * L + i], x[FRAME + 7 * L + i], x[FRAME + 8 * L + i]
        f_n, f_s, f_t = x[IMPULSE + i], x[IMPULSE + L + i], x[IMPULSE + 2 * L + i]
        m_n, m_s, m_t = x[IMPULSE + 3 * L + i], x[IMPULSE + 4 * L + i], x[IMPULSE + 5 * L + i]
        f_0, m_0 = n_0 * f_n + s_0 * f_s + t_0 * f_t, n_0 * m_n + s_0 * m_s + t_0 * m_t
        f_1, m_1 = n_1 * f_n + s_1 * f_s + t_1 * f_t, n_1 * m_n + s_1 * m_s + t_1 * m_t
        f_2, m_2 = n_2 * f_n + s_2 * f_s + t_2 * f_t, n_2 * m_n + s_2 * m_s + t_2 * m_t
        d_0, d_1, d_2 = x[LEVER + i], x[LEVER + L + i], x[LEVER + 2 * L + i]
        x[IMPULSE + i], x[IMPULSE + L + i], x[IMPULSE + 2 * L + i] = f_0, f_1, f_2
        x[IMPULSE + 3 * L + i], x[IMPULSE + 4 * L + i], x[IMPULSE + 5 * L + i] = m_0, m_1, m_2
        x[MOMENT_A + i] = m_0 + d_1 * f_2 - d_2 * f_1
        x[MOMENT_A + L + i] = m_1 + d_2 * f_0 - d_0 * f_2
        x[MOMENT_A + 2 * L + i] = m_2 + d_0 * f_1 - d_1 * f_0
    residual = 0.0
    for i in range(L):
        residual += x[RESIDUAL + i]
        f_0, f_1, f_2 = x[IMPULSE + i], x[IMPULSE + L + i], x[IMPULSE + 2 * L + i]
        add(g[body[i, 1]], -f_0, -f_1, -f_2, -x[IMPULSE + 3 * L + i], -x[IMPULSE + 4 * L + i], -x[IMPULSE + 5 * L + i])
        add(g[body[i, 0]], f_0, f_1, f_2, x[MOMENT_A + i], x[MOMENT_A + L + i], x[MOMENT_A + 2 * L + i])
    return residual


@merged
def add(g, f_0, f_1, f_2, m_0, m_1, m_2):
    """Six sums at once: all are read before any is written, so that none waits for the one before."""
    f_0, f_1, f_2, m_0, m_1, m_2 = g[0] + f_0, g[1] + f_1, g[2] + f_2, g[3] + m_0, g[4] + m_1, g[5] + m_2
    g[0], g[1], g[2], g[3], g[4], g[5] = f_0, f_1, f_2, m_0, m_1, m_2


@merged
def update_contacts(lanes, low, high, v, g):
    """One iteration of the contacts of groups low:high at velocities v, and g less their impulses; the sum of the
    residuals [N s].

    The residual of a contact is the difference of the impulse that acted and gamma.
    """
    residual = 0.0
    for k in range(low, high):
        x, body = lanes.field[k], lanes.body[k]
        relative_motion(x, body, v)
        update_blocks(x, lanes.longest[k])
        residual += subtract_group(x, body, g)
    return residual


@merged
def correct_velocities(problem, order, low, high, z, v, g):
    """v less z, of WIDTH numbers a body; g = M (v - v_free); of bodies low:high in elimination order, as all but the
    problem is.
    """
    for i in range(low, high):
        k = order[i]
        for m in range(6):
            v[i, m] -= z[WIDTH * i + m]
            g[i, m] = v[i, m] - problem.v_free[k, m]
        mass, turn, p, q, s = problem.mass[k], problem.inertia[k], g[i, 3], g[i, 4], g[i, 5]
        for m in range(3):
            g[i, m] *= mass
            g[i, 3 + m] = turn[m, 0] * p + turn[m, 1] * q + turn[m, 2] * s


@inner
def acting_impulses(problem, lanes, v, acting):
    """Write the impulses that act at velocities v (N, 6) into `acting` (C, 3) [N s]."""
    field, frame, bias = lanes.field.reshape(lanes.field.size), problem.frame, problem.bias
    for c in range(acting.shape[0]):
        at = lanes.offset[c]
        if at < 0:
            acting[c, 0] = acting[c, 1] = acting[c, 2] = 0.0
            continue
        x, y, z = contact_velocity(problem, v, c)
        for i in range(3):
            u = frame[c, i, 0] * x + frame[c, i, 1] * y + frame[c, i, 2] * z
            short = field[at + Y + L * i] - u - bias[c, i]
            acting[c, i] = field[at + PENALTY] * (field[at + MULTIPLIER + L * i] + short)


@inner
def iterate(problem, lanes, sym, packed, most, tolerance, v):
    """Iterations from velocities v (N + 1, 6) in elimination order, the last those of the ground, in place; how many.

    They end when the sum of the residuals is below `tolerance` [N s]. Apart from `load`: in one function with it
    compilers keep fewer numbers in registers.
    """
    g, bodies = np.zeros_like(v), v.shape[0] - 1
    z = np.zeros(WIDTH * bodies, np.float32)
    correct_velocities(problem, sym.order, 0, bodies, z, v, g)
    for k in range(most):
        residual = update_contacts(lanes, 0, lanes.longest.shape[0], v, g)
        for i in range(bodies):
            for m in range(6):
                z[WIDTH * i + m] = g[i, m]
        solve_packed(packed, z)
        correct_velocities(problem, sym.order, 0, bodies, z, v, g)
        if k > 0 and residual <= tolerance:
            return k + 1
    return most


@njit(cache=True, nogil=True, error_model="numpy")
def begin(given, order, v, gamma):
    """Lanes at velocities v (N, 6) with multipliers from gamma (C, 3), and v as `iterate` takes them; `given` is an
    AdmmProblem, `order` that of elimination (N,).
    """
    moving = np.zeros((v.shape[0] + 1, 6))
    for i in range(v.shape[0]):
        moving[i] = v[order[i]]
    return load(given.problem, given.penalty, order, given.coulomb, v, gamma), moving


@njit(cache=True, nogil=True, error_model="numpy")
def end(given, order, lanes, moving, v, gamma):
    """Write the impulses that act after the iterations into gamma (C, 3), and the velocities that follow from them into
    v (N, 6); the greatest residual of a contact [N s].
    """
    for i in range(v.shape[0]):
        v[order[i]] = moving[i]
    acting_impulses(given.problem, lanes, v, gamma)
    after = velocity_after(given.problem, gamma, given.inverse)
    for i in range(v.shape[0]):
        for k in range(6):
            v[i, k] = after[i, k]
    u = relative_velocity(given.problem, v)
    return greatest_residual(given.problem, gamma, u, given.w, given.coulomb)


@njit(cache=True, nogil=True, error_model="numpy")
def solve_admm(given, factor, most, tolerance, v, gamma):
    """Iterate from velocities v (N, 6) and impulses gamma (C, 3), both in place; iterations, greatest residual [N s].

    `given` is an AdmmProblem, `factor` the AdmmFactor of M + J^T R J. The iterations end when the mean residual of the
    contacts is below `tolerance` [N s]; gamma are then the impulses that act, from which v is computed.
    """
    sym = factor.sym
    lanes, moving = begin(given, sym.order, v, gamma)
    done = iterate(given.problem, lanes, sym, factor.packed, most, tolerance * gamma.shape[0], moving)
    return done, end(given, sym.order, lanes, moving, v, gamma)


# -- iterations in parts, which several threads may take ---------------------------------------------------------------


class Tree(NamedTuple):
    """What a solve in parts reads of a `Symbolic`, with the same names."""

    order: np.ndarray
    first: np.ndarray
    schedule: np.ndarray
    task_start: np.ndarray


class Iterate(NamedTuple):
    """Arrays of iterations in parts: N bodies in elimination order, P parts of the groups, T tasks of the factor."""

    v: np.ndarray  # [m/s, rad/s] (N + 1, 6): the last those of the ground
    g: np.ndarray  # [N s, N m s] (N + 1, 6): M (v - v_free)
    pushed: np.ndarray  # [N s, N m s] (P, N + 1, 6): less the impulses of every part
    x: np.ndarray  # (T, WIDTH N) float32: the solve as every task sees it: its own bodies, and those of the last task


@njit(cache=True, nogil=True, error_model="numpy")
def begin_parts(problem, order, now):
    """Set g of an Iterate at its velocities."""
    correct_velocities(problem, order, 0, order.shape[0], now.x[0], now.v, now.g)


@njit(cache=True, nogil=True, error_model="numpy")
def update_part(lanes, low, high, now, part):
    """`update_contacts` of groups low:high, which are a part; the sum of their residuals [N s]."""
    now.pushed[part] = 0.0
    return update_contacts(lanes, low, high, now.v, now.pushed[part])


@merged
def bodies_of(tree, task, k):
    """Supernode k of a task, and the ends of its bodies."""
    s = tree.schedule[tree.task_start[task] + k]
    return s, tree.first[s], tree.first[s + 1]


@merged
def gather(low, high, now, x):
    """Imbalance of bodies low:high, the impulses of the parts in turn, into x."""
    for i in range(low, high):
        for m in range(6):
            total = now.g[i, m]
            for part in range(now.pushed.shape[0]):
                total += now.pushed[part, i, m]
            x[WIDTH * i + m] = total


@njit(cache=True, nogil=True, error_model="numpy")
def forward_part(tree, packed, task, now):
    """Forward substitution for the bodies of a task that is not the last; what it adds to those of the last one is
    kept apart, in its row of x.
    """
    x, last = now.x[task], tree.task_start.shape[0] - 2
    for k in range(tree.task_start[last + 1] - tree.task_start[last]):
        _, low, high = bodies_of(tree, last, k)
        x[WIDTH * low : WIDTH * high] = 0.0
    for k in range(tree.task_start[task + 1] - tree.task_start[task]):
        _, low, high = bodies_of(tree, task, k)
        gather(low, high, now, x)
    for k in range(tree.task_start[task + 1] - tree.task_start[task]):
        forward_panel(packed, bodies_of(tree, task, k)[0], x)


@merged
def backward_task(problem, tree, packed, task, now):
    """Backward substitution for the bodies of a task, and their velocities."""
    x = now.x[task]
    for k in range(tree.task_start[task + 1] - tree.task_start[task] - 1, -1, -1):
        s, low, high = bodies_of(tree, task, k)
        backward_panel(packed, s, x)
        correct_velocities(problem, tree.order, low, high, x, now.v, now.g)


@njit(cache=True, nogil=True, error_model="numpy")
def solve_last(problem, tree, packed, now):
    """Both substitutions for the last task, after those forward of all others, which are added in turn."""
    last = tree.task_start.shape[0] - 2
    x = now.x[last]
    for k in range(tree.task_start[last + 1] - tree.task_start[last]):
        _, low, high = bodies_of(tree, last, k)
        gather(low, high, now, x)
        for task in range(last):
            for i in range(WIDTH * low, WIDTH * high):
                x[i] += now.x[task, i]
    for k in range(tree.task_start[last + 1] - tree.task_start[last]):
        forward_panel(packed, bodies_of(tree, last, k)[0], x)
    backward_task(problem, tree, packed, last, now)


@njit(cache=True, nogil=True, error_model="numpy")
def backward_part(problem, tree, packed, task, now):
    """Backward substitution for the bodies of a task that is not the last, after `solve_last`."""
    last = tree.task_start.shape[0] - 2
    for k in range(tree.task_start[last + 1] - tree.task_start[last]):
        _, low, high = bodies_of(tree, last, k)
        now.x[task, WIDTH * low : WIDTH * high] = now.x[last, WIDTH * low : WIDTH * high]
    backward_task(problem, tree, packed, task, now)
