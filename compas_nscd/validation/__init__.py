"""Cases with a known answer, computed through the public interface, and the book that shows them."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "Case": "case",
        "Outcome": "case",
        "Trial": "case",
        "render_book": "book",
        "run_cases": "runner",
        "select": "runner",
    },
)
