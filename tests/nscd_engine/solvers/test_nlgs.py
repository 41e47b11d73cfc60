"""Non-linear Gauss-Seidel and projected gradient: closed forms, each other, Newton; the random order of contacts."""

import numpy as np
import pytest

from block_problems import CORNERS, GRAVITY, ground, incline, resultant, stack
from compas_nscd.errors import CancelledError
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.kernels.solvers.one_contact import associated, coulomb
from nscd_engine.solvers import newton
from nscd_engine.solvers.classic import nlgs, spg
from nscd_engine.solvers.solution import Warm
from plain_python import plain_python

SOLVERS = pytest.mark.parametrize("solver", [nlgs, spg], ids=["nlgs", "spg"])


def settings(**changes):
    return Settings(**dict({"friction": "coulomb", "tolerance": 1e-10, "max_iterations": 50000}, **changes))


def natural_map(w, y, g, mu, exact):
    """|g - P_K(g - rho (u + mu |u_t| n))| rho^-1 / |y| with rho = 1/trace(W): zero exactly at a solution."""
    u = w @ g + y
    u[0] += mu * np.hypot(u[1], u[2]) if exact else 0.0
    z = g - u / np.trace(w)
    t = np.hypot(z[1], z[2])
    if t > mu * z[0]:
        n = max(0.0, (z[0] + mu * t) / (1.0 + mu * mu))
        z = np.array([n, mu * n * z[1] / t, mu * n * z[2] / t])
    return np.linalg.norm(g - z) * np.trace(w) / np.linalg.norm(y)


@pytest.mark.short
@pytest.mark.parametrize("law, exact", [(coulomb, True), (associated, False)])
def test_one_contact_satisfies_its_law(law, exact):
    """2,000 random blocks W of condition up to 1e6: rounding times condition is 1e-10."""
    random = np.random.default_rng(1)
    for _ in range(2000):
        a = random.normal(size=(3, 4)) * np.exp(random.normal(size=(3, 1)))
        y, mu = random.normal(size=3), abs(random.normal())
        g = np.array(law(a @ a.T, y[0], y[1], y[2], mu))
        assert natural_map(a @ a.T, y, g, mu, exact) < 1e-8


@pytest.mark.parametrize(
    "y, expected",
    [
        ((1.0, 5.0, 0.0), (0.0, 0.0, 0.0)),  # the gap opens: no force, whatever the slip
        ((-2.0, 0.6, 0.0), (1.0, -0.3, 0.0)),  # sticks: g = -y / w
        ((-2.0, 3.0, 4.0), (1.0, -0.3, -0.4)),  # slides: friction mu g_n against the slip
    ],
)
def test_one_contact_with_a_plain_mass(y, expected):
    """W = 2 I, mu = 0.5: normal and tangent do not mix, and the answer can be read off."""
    assert np.allclose(coulomb(2.0 * np.eye(3), *y, 0.5), expected, rtol=0.0, atol=1e-13)


def test_one_contact_associated_slide_opens():
    """W = I: the answer is the projection of -y on the cone."""
    g = associated(np.eye(3), -2.0, 3.0, 0.0, 0.5)
    assert np.allclose(g, [2.8, -1.4, 0.0], atol=1e-12)


@SOLVERS
@pytest.mark.short
def test_block_slides_down_an_incline(solver):
    """V1: 20 degrees, mu 0.3: a = g (sin - mu cos) = 0.5897 m/s2; no turning, no lifting off."""
    problem = ground(CORNERS, incline(20.0), friction=0.3)
    _, report = solver.solve(problem, None, settings())
    angle = np.radians(20.0)
    expected = GRAVITY * (np.sin(angle) - 0.3 * np.cos(angle))
    assert report.status == "converged"
    assert np.allclose(report.velocity[0], [expected, 0, 0, 0, 0, 0], atol=1e-8)
    assert expected == pytest.approx(0.5897, abs=1e-4)


@SOLVERS
def test_block_slides_and_opens_with_associated_friction(solver):
    """Velocity is the projection of gravity on the cone of slopes mu: up by mu times the slip."""
    problem = ground(CORNERS, incline(20.0), friction=0.3)
    _, report = solver.solve(problem, None, settings(friction="associated"))
    g = incline(20.0)
    slip = (g[0] + 0.3 * g[2]) / (1.0 + 0.3**2)
    assert np.allclose(report.velocity[0], [slip, 0, 0.3 * slip, 0, 0, 0], atol=1e-8)


@SOLVERS
def test_block_sticks_on_a_gentler_incline(solver):
    """V1: sticks from mu = tan 20 deg = 0.36397 on; the contacts carry the weight."""
    problem = ground(CORNERS, incline(20.0), friction=0.3640)
    impulses, report = solver.solve(problem, None, settings(tolerance=1e-11))
    assert np.abs(report.velocity).max() < 1e-7
    assert np.allclose(resultant(problem, impulses, slice(None))[:3], -1000.0 * incline(20.0), atol=1e-4)


@SOLVERS
@pytest.mark.short
def test_three_point_table_is_statically_determinate(solver):
    """V33: the centroid is above that of the three points, so each carries a third."""
    points = ((0.0, 0.4), (-0.4, -0.2), (0.4, -0.2))
    impulses, _ = solver.solve(ground(points), None, settings())
    assert np.allclose(impulses[:, 0], 1000.0 * GRAVITY / 3.0, rtol=1e-8)


def test_seeds_give_other_forces_with_the_same_totals():
    """V33, V46: a cube on four corners is redundant once over in the normals alone."""
    problem = ground(CORNERS, incline(5.0))
    answers = [nlgs.solve(problem, None, settings(seed=seed))[0] for seed in (None, 1, 2, 3)]
    totals = [resultant(problem, a, slice(None)) for a in answers]
    scale = 1000.0 * GRAVITY
    assert all(np.abs(t - totals[0]).max() < 1e-7 * scale for t in totals)
    apart = [np.abs(a - b).max() / scale for i, a in enumerate(answers) for b in answers[:i]]
    assert min(apart) > 1e-3


def test_the_same_seed_gives_the_same_bits():
    problem = stack(2)
    first, second = (nlgs.solve(problem, None, settings(seed=7, max_iterations=30))[0] for _ in range(2))
    assert (first == second).all()


@SOLVERS
@pytest.mark.parametrize("friction", ["coulomb", "associated"])
@pytest.mark.parametrize("degrees, mu", [(4.0, 0.6), (15.0, 0.2)], ids=["stands", "slides"])
def test_agrees_with_newton_on_a_stack(solver, friction, degrees, mu):
    """Velocities are unique; so are the resultants of interfaces of a chain of blocks. Only the lowest joint slides:
    with equal friction all joints would be just at their limit, where Gauss-Seidel takes for ever."""
    problem = stack(3, incline(degrees))
    problem.friction[:4] = mu
    choice = settings(friction=friction)
    impulses, report = solver.solve(problem, None, choice)
    reference, other = newton.solve(problem, Warm(), choice)
    assert report.status == "converged" and other.residual < 1e-8
    assert np.abs(report.velocity - other.velocity).max() < 1e-6 * GRAVITY
    for k in range(3):
        contacts = slice(4 * k, 4 * k + 4)
        gap = resultant(problem, impulses, contacts) - resultant(problem, reference, contacts)
        assert np.abs(gap).max() < 1e-5 * 3000.0 * GRAVITY


@SOLVERS
def test_compliant_contacts_share_the_load_like_springs(solver):
    """Normal compliance e: equal springs under an off-centre pull; forces linear in the lever arm, v = -e gamma."""
    problem = ground(CORNERS, (0.0, 0.0, -GRAVITY), compliance=1e-3)
    problem.v_free[0, 4] = 1.0  # turned about y: the side at +x is pressed harder
    impulses, report = solver.solve(problem, None, settings(tolerance=1e-12))
    x = np.array(CORNERS)[:, 0]
    press = -(report.velocity[0, 2] - report.velocity[0, 4] * x)
    assert np.allclose(impulses[:, 0], press / 1e-3, rtol=1e-6)
    assert impulses[:, 0].sum() == pytest.approx(1000.0 * (report.velocity[0, 2] + GRAVITY), rel=1e-9)


@SOLVERS
@pytest.mark.parametrize(
    "problem",
    [
        ground(CORNERS + CORNERS),
        ground(CORNERS, friction=0.0),
        ground(CORNERS, incline(30.0), friction=5.0),
        ground(CORNERS[:1]),
        stack(2, masses=[1.0, 1e6]),
        stack(2, masses=[1e6, 1.0]),
    ],
    ids=["twice the same contacts", "no friction", "mu 5", "one vertex", "heavy above light", "light above heavy"],
)
def test_degenerate_problems_stay_finite_and_honest(solver, problem):
    """Converged means what it says; otherwise the status is not `converged`."""
    impulses, report = solver.solve(problem, None, settings(tolerance=1e-9, max_iterations=2000))
    assert np.isfinite(impulses).all() and np.isfinite(report.velocity).all()
    assert (report.residual <= 1e-9) == (report.status == "converged")
    assert report.cone_violation < 1e-12


@SOLVERS
def test_gives_up_honestly_and_goes_on_from_a_warm_start(solver):
    problem = stack(4, incline(5.0))
    impulses, short = solver.solve(problem, None, settings(max_iterations=20))
    assert short.status == "exhausted" and short.iterations == 20 and short.residual > 1e-10
    whole = solver.solve(problem, None, settings())[0]
    again = solver.solve(problem, Warm(impulses=whole), settings())[1]
    assert again.status == "converged" and again.iterations == 0


@SOLVERS
def test_can_be_cancelled(solver):
    monitor = Monitor()
    monitor.cancelled = True
    with pytest.raises(CancelledError):
        solver.solve(stack(2), None, settings(), monitor)


@SOLVERS
def test_without_contacts_bodies_fall_freely(solver):
    problem = ground(())
    impulses, report = solver.solve(problem, None, settings())
    assert impulses.shape == (0, 3) and report.status == "converged"
    assert (report.velocity == problem.v_free).all()


@pytest.mark.parametrize("solver", ["nlgs", "spg"])
def test_kernels_run_without_compiler(solver):
    """The same numbers to rounding with the kernels as plain Python."""
    code = (
        "from nscd_engine.solvers.classic import {0}; from nscd_engine.core.settings import Settings;"
        "from block_problems import *;"
        "r = {0}.solve(ground(CORNERS, incline(20.0), 0.3), None, Settings(friction='coulomb', tolerance=1e-10))[1];"
        "print(r.status, *r.velocity[0, :3])"
    ).format(solver)
    status, *velocity = plain_python(code, __file__).split()
    angle = np.radians(20.0)
    assert status == "converged"
    assert float(velocity[0]) == pytest.approx(GRAVITY * (np.sin(angle) - 0.3 * np.cos(angle)), abs=1e-8)
