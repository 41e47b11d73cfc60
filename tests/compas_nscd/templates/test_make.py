"""`nscd make`: every template, with options from its signature and docstring."""

import json

import pytest

from compas_nscd import templates
from compas_nscd.cli import main
from compas_nscd.model.structure import Structure


@pytest.mark.short
def test_options_are_the_parameters(tmp_path, capsys):
    path = tmp_path / "arch.json"
    words = ["--span", "8", "--blocks", "15", "--shape", "pointed", "-o", str(path), "--json"]
    assert main(["make", "arch"] + words) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"template": "arch", "blocks": 17, "supports": 2, "output": str(path)}
    read, made = Structure.from_file(path), templates.arch(span=8.0, blocks=15, shape="pointed")
    assert read.names == made.names
    assert read.law == made.law
    for one, other in zip(read.blocks, made.blocks):
        assert (one.vertices == other.vertices).all()
        assert (one.faces, one.density, one.support) == (other.faces, other.density, other.support)


def test_flags_and_lists(tmp_path):
    dome, wall = tmp_path / "dome.json", tmp_path / "wall.json"
    assert main(["make", "dome", "--key", "--sectors", "8", "--courses", "3", "-o", str(dome)]) == 0
    assert "key" in Structure.from_file(dome).names
    assert main(["make", "wall", "--columns", "6", "--openings", "[[2, 2, 2, 3]]", "-o", str(wall)]) == 0
    assert "lintel0" in Structure.from_file(wall).names


@pytest.mark.parametrize("name", templates.__all__)
def test_every_template_is_written_and_read(name, tmp_path, capsys):
    path = tmp_path / "scene.json"
    small = {"arena_bay": ["--storeys", "1", "--course", "0.5", "--length", "1"]}
    assert main(["make", name] + small.get(name, []) + ["-o", str(path)]) == 0
    assert "supports -> " in capsys.readouterr().out
    structure = Structure.from_file(path)
    assert structure.name == name and structure.warnings == []


def test_list_names_every_template(capsys):
    assert main(["make", "--list"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in told] == templates.__all__
    assert main(["make", "--list", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["templates"]) == templates.__all__


@pytest.mark.parametrize("name", templates.__all__)
def test_help_tells_every_parameter_with_unit_and_default(name, capsys):
    import inspect

    with pytest.raises(SystemExit) as left:
        main(["make", name, "--help"])
    assert left.value.code == 0
    told = " ".join(capsys.readouterr().out.split())
    for parameter, described in inspect.signature(getattr(templates, name)).parameters.items():
        assert "--" + parameter.replace("_", "-") in told
        if isinstance(described.default, float):
            assert "(default {})".format(described.default) in told


def test_impossible_parameters_end_with_status_2(tmp_path, capsys):
    path = tmp_path / "x.json"
    assert main(["make", "arch", "--thickness", "11", "-o", str(path)]) == 2
    assert "thickness is 11.0; it must be at least 0.001 and under 10" in capsys.readouterr().err
    assert main(["make"]) == 2
    assert not path.exists()


def test_picture_is_drawn(tmp_path):
    picture = tmp_path / "stack.svg"
    assert main(["make", "stack", "-o", str(tmp_path / "stack.json"), "--picture", str(picture)]) == 0
    text = picture.read_text(encoding="utf-8")
    assert text.startswith("<svg") and "stack: 11 blocks" in text


def test_limits_and_shapes_are_found_from_the_package():
    """As in docs/templates.md and in an example; `import compas_nscd.templates.limits` of version 0.1.0 still works."""
    seen = []
    with templates.limits.watched(lambda blocks, done: seen.append(done), interval=0.0):
        templates.wall(columns=40, courses=30)
    assert set(seen) == {"laid"}
    vertices, faces = templates.shapes.box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    assert len(vertices) == 8 and len(faces) == 6
    assert not {"limits", "shapes"} & set(templates.__all__)
