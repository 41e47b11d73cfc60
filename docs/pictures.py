"""Draw the pictures of the README and the docs: `python docs/pictures.py`."""

from pathlib import Path

from compas_nscd import Engine
from compas_nscd.picture import draw_static
from compas_nscd.templates import arch, dome

IMAGES = Path(__file__).resolve().parent / "images"


def main():
    structures = {"arch": arch(), "thin-arch": arch(thickness=0.5), "dome": dome(courses=8, sectors=16)}
    with Engine() as engine:
        for name, structure in structures.items():
            structure.name = name
            IMAGES.joinpath(name + ".svg").write_text(draw_static(engine.static(structure)), encoding="utf-8")
            print(IMAGES / (name + ".svg"))


if __name__ == "__main__":
    main()
