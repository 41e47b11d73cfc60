"""How thin may a semicircular arch be? With 20 voussoirs 10.7 % of its radius (Milankovitch without joints: 10.75)."""

from compas_nscd import Engine
from compas_nscd.templates import arch

RADIUS = 5.0


def main():
    low, high = 0.08, 0.15  # falls, stands: thickness over radius
    with Engine() as engine:
        while high - low > 1e-4:
            middle = 0.5 * (low + high)
            structure = arch(span=2 * RADIUS, thickness=middle * RADIUS, blocks=20, friction=1.0)
            verdict = engine.static(structure).verdict
            print("t/R = {:.5f}: {}".format(middle, verdict))
            low, high = (low, middle) if verdict == "stable" else (middle, high)
    # 0.10735 by limit analysis of 20 straight-edged voussoirs.
    assert low <= 0.10735 <= high


if __name__ == "__main__":
    main()
