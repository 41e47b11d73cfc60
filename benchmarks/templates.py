"""Times of the templates at about 10,000 blocks, as in docs/templates.md: `python benchmarks/templates.py`."""

import time

from compas_nscd import templates

#: Parameters for about 10,000 blocks.
LARGE = {
    "apse": dict(courses=150, sectors=30, dome_courses=170),
    "aqueduct": dict(course=0.078, length=0.156, voussoirs=41, upper_voussoirs=31),
    "arch": dict(blocks=10000),
    "arena_bay": dict(course=0.17, length=0.38),
    "barrel_vault": dict(courses=100, blocks=100),
    "biaxial": dict(elements=10000, pattern="hexagonal"),
    "bridge": dict(course=0.12, length=0.25, voussoirs=41),
    "buttressed_arch": dict(blocks=5000, courses=2500),
    "column": dict(drums=10000),
    "corbelled_arch": dict(courses=80, height=0.02, length=0.1, jamb=160),
    "cupola": dict(courses=100, blocks=20),
    "cylinder": dict(courses=50, sectors=50, rings=4),
    "dome": dict(courses=100, sectors=100),
    "facade": dict(course=0.076, length=0.152, voussoirs=41),
    "flat_arch": dict(blocks=10000),
    "groin_vault": dict(courses=99, length=0.05),
    "nave_wall": dict(course=0.076, length=0.152, voussoirs=41),
    "packing": dict(elements=10000, pattern="hexagonal"),
    "pattern_wall": dict(repeat=1430),
    "rock_mass": dict(width=22.0, depth=22.0, height=16.0),
    "rock_slope": dict(height=25.0, bench=16.0, depth=46.0),
    "spandrel_wall": dict(course=0.05, length=0.1, voussoirs=61),
    "stack": dict(blocks=10000),
    "triaxial": dict(elements=10000, pattern="square"),
    "wall": dict(columns=100, courses=100),
}
#: Runs of which the best counts.
REPEAT = 3


def main():
    """Print one row a template."""
    print("| template | blocks | made [s] | with all checks [s] |\n|---|---|---|---|")
    for name in templates.__all__:
        made, checked = [], []
        for _ in range(REPEAT):
            began = time.process_time()
            structure = getattr(templates, name)(**LARGE[name])
            made.append(time.process_time() - began)
            structure.validate()
            checked.append(time.process_time() - began)
        print("| `{}` | {} | {:.2f} | {:.2f} |".format(name, len(structure), min(made), min(checked)), flush=True)


if __name__ == "__main__":
    main()
