from html.parser import HTMLParser

from compas_nscd.drawing import draw_structure
from compas_nscd.validation.book import render_book, render_tables
from compas_nscd.validation.case import Case, Comparison, Outcome
from compas_nscd.validation.solids import CUBE, SLAB, structure


def outcomes():
    def of(number, title, comparisons, pictures=(), **more):
        case = Case(
            number, title, "Chapter <1>", "D C", "closed form", "why", describe, True, "another code: 5", "the fill"
        )
        return Outcome(case, comparisons, list(pictures), 0.5, **more)

    def describe(trial):
        """A block | on a slab."""

    drawn = draw_structure(structure([SLAB, CUBE]), 200)
    good, bad = Comparison("a [m]", 1.0, 1.001, 0.001, 0.01, True), Comparison("b", "stable", "collapse", 1.0, 0.0)
    return [
        of("X1", "good", [good], [drawn]),
        of("X2", "bad & worse", [good, bad]),
        of("X3", "absent", [], left_out="needs x"),
    ]


class Text(HTMLParser):
    def __init__(self):
        super().__init__()
        self.text, self.tags = [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text.append(data)


def test_the_page_shows_what_agrees_what_differs_and_what_is_left_out():
    page = Text()
    page.feed(render_book(outcomes()))
    text = " ".join(page.text)
    assert [attributes["class"] for tag, attributes in page.tags if tag == "article"] == ["pass", "fail", "none"]
    assert [attributes["id"] for tag, attributes in page.tags if tag == "h3"] == ["X1", "X2", "X3"]
    for shown in (
        "1 cases agree",
        "1 differ",
        "1.001",
        "0.1 %",
        "bad & worse",
        "Chapter <1>",
        "another code: 5",
        "the fill",
        "needs x",
    ):
        assert shown in text, shown
    (picture,) = [attributes for tag, attributes in page.tags if tag == "svg"]
    assert "viewbox" in picture  # it scales with the page
    assert "http" not in "".join(str(a) for _, a in page.tags if "src" in a or "href" in a)  # one file


def test_the_tables_of_the_docs_have_a_row_for_every_quantity():
    text = render_tables(outcomes())
    assert text.count("| a [m] | 1 | 1.001 | 0.1 % | 1 % |") == 2
    assert "| b | stable | collapse | 1 | 0 | **differs**" in text and "### X3 absent: left out" in text
