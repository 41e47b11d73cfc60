"""Make the page and the book of validation: `python docs/validation.py` computes every case.

`python docs/validation.py --skip V64,V65` leaves cases out; the page names them. validation.md and book.html are
written after every case, so that an interrupted run leaves a page.
"""

import argparse
from pathlib import Path

from compas_nscd import Engine
from compas_nscd.validation.book import render_book, render_tables
from compas_nscd.validation.runner import CASES, run_cases

DOCS = Path(__file__).resolve().parent
HEAD = """# Validation: cases with a known answer

Made by `python docs/validation.py`, which computes every case through the public interface. [The book](book.html) has
the same with pictures. `nscd validate` computes the cases again on your machine:

    nscd validate                                # all; exit status 1 if one differs
    nscd validate --only V20,V50 --json
    nscd validate --quick --report book.html     # those of a second or less

Each case has a reference with its source, what was computed, the error, and a tolerance with its reason. In motion the
tolerance follows from the time scheme. Cases whose models are not part of the project are left out where the models are
absent. What differs is shown: experiments differ where a model of rigid blocks leaves out what was measured, and "found
wrong" has what an independent check found on 2026-11-16. Where a publication and converged solutions disagree:
[unfinished solutions](studies/unfinished_solutions.md).
V71, stiffness and mass of single elements against scikit-fem, is a test of the engine
(tests/nscd_engine/deformable/test_elements.py): the public interface does not show matrices.

Some experiments are not in the book because their numbers could not be read in a source that was opened: dry-joint
walls under compression and shear (Lourenço et al. 2005), free rocking of steel blocks (Lipscombe and Pellegrino 1993),
the wobbling podium (226 shaking-table tests), tilting tables (Restrepo Vélez et al. 2014).
"""


def main():
    """Compute the cases and write the page and the book after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skip", default="", help="cases that are not computed")
    skipped = parser.parse_args().skip.upper().split(",")
    outcomes = []
    with Engine() as engine:
        for outcome in run_cases([case for case in CASES if case.id not in skipped], engine, pictures=True):
            outcomes.append(outcome)
            print("{:4} {} {:.1f} s".format(outcome.case.id, outcome.passed, outcome.time_s), flush=True)
            write(outcomes)


def not_computed(cases):
    """Section of cases that were skipped: what they compute and where their reference comes from."""
    if not cases:
        return ""
    rows = ["| {} | {} | {} | {} |".format(case.id, case.title, case.description, case.source) for case in cases]
    head = ["\n## Not computed in this run\n", "| # | case | what is computed | reference |", "|---|---|---|---|"]
    return "\n".join([*head, *rows]) + "\n"


def write(outcomes):
    """Write validation.md and book.html."""
    computed = {outcome.case.id for outcome in outcomes}
    missing = [case for case in CASES if case.id not in computed]
    text = "{}\n{}{}".format(HEAD, render_tables(outcomes), not_computed(missing))
    (DOCS / "validation.md").write_text(text, encoding="utf-8")
    (DOCS / "book.html").write_text(render_book(outcomes), encoding="utf-8")


if __name__ == "__main__":
    main()
