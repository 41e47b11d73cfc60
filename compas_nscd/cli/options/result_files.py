"""The options --picture, --report and --3dm, and the files of results that commands write.

What draws and writes them is loaded when a file was asked for: it takes a quarter of the start of a command.
"""

from argparse import ArgumentParser, Namespace
from typing import Any, Callable, Iterable, Optional, Tuple

from compas_nscd.cli.options.outputs import write_picture, write_text
from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.options.saving import WRITERS, save_result
from compas_nscd.results.static import StaticResult

#: Path, or None if the file was not asked for; function that makes its content of a result; function that writes it.
Wanted = Tuple[Optional[str], Callable[[Any], str], Callable[[str, str], Any]]


def add_result_files(parser: ArgumentParser, picture: str, threedm: str) -> None:
    """Add --picture, --report, --3dm and --save with these help texts."""
    parser.add_argument("--picture", metavar="OUT.svg", help=picture)
    add_report_and_threedm(parser, threedm)
    parser.add_argument("--save", metavar="OUT", help="write the result: {}".format(", ".join(WRITERS)))


def add_report_and_threedm(parser: ArgumentParser, threedm: str) -> None:
    """Add --report and --3dm."""
    parser.add_argument("--report", metavar="OUT.html", help="write one self-contained page")
    parser.add_argument("--3dm", dest="threedm", metavar="OUT.3dm", help=threedm)


def write_result_files(options: Namespace, result: StaticResult, progress: Progress) -> None:
    """Write the files of a static or limit analysis."""
    if options.save:
        save_result(result, options.save)
        progress.say("wrote {}".format(options.save))
    write_wanted([(options.picture, _picture, write_picture), report_of(options)], result, progress)
    if options.threedm:
        from compas_nscd.drawing.threedm import write_static

        write_static(result, options.threedm)
        progress.say("wrote {}".format(options.threedm))


def report_of(options: Namespace) -> Wanted:
    """The page, if --report was given."""
    return options.report, _page, write_text


def write_wanted(wanted: Iterable[Wanted], result: Any, progress: Progress) -> None:
    """Write the files that were asked for."""
    for path, content, write_file in wanted:
        if path:
            write_file(path, content(result))
            progress.say("wrote {}".format(path))


def _picture(result: StaticResult) -> str:
    from compas_nscd.drawing.picture import draw_elastic, draw_static

    return draw_static(result) if result.elastic is None else draw_elastic(result)


def _page(result: Any) -> str:
    from compas_nscd.report.page import render_report

    return render_report(result)
