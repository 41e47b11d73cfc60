"""A hemispherical dome with an oculus: it stands, and every support carries the same share."""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine
from compas_nscd.drawing import draw_static
from compas_nscd.templates import dome


def main(folder="."):
    structure = dome(radius=5.0, thickness=0.5, courses=8, sectors=16, oculus=15.0)
    with Engine() as engine:
        result = engine.static(structure)
    reactions = np.array(list(result.support_reactions.values()))
    weight = result.summary["weight_total"]
    print("the dome", "stands" if result.verdict == "stable" else "falls")
    print("each of the {} supports carries {:.1f} kN".format(len(reactions), reactions[:, 2].mean() / 1e3))
    Path(folder, "dome.svg").write_text(draw_static(result), encoding="utf-8")

    assert result.verdict == "stable"
    assert np.allclose(reactions[:, 2], weight / 16, rtol=1e-6)  # sixteen equal sectors
    assert np.allclose(reactions.sum(axis=0), [0.0, 0.0, weight], atol=1e-8 * weight)


if __name__ == "__main__":
    main(*sys.argv[1:])
