"""One self-contained HTML page per result: verdict, picture, how far to trust it, and every joint."""

from html import escape

import numpy as np

from compas_nscd.picture import draw_static

STYLE = """
body{font:15px/1.5 'Helvetica Neue',Arial,sans-serif;color:#2b2926;max-width:980px;margin:2.5em auto;padding:0 1.5em}
h1{font-weight:600;font-size:26px;margin:0} .verdict{font-size:18px;margin:.2em 0 1.2em}
.stable{color:#2f6b3a} .collapse{color:#b8431f} svg{max-width:100%;height:auto;border:1px solid #e5e0d6}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(190px,1fr));gap:.8em 1.6em;margin:1.6em 0}
dt{font-size:12px;color:#77726a} dd{margin:0;font-size:17px;font-variant-numeric:tabular-nums}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:13px}
th,td{text-align:right;padding:.25em .6em;border-bottom:1px solid #ece8df} th{color:#77726a;font-weight:500}
th:nth-child(-n+2),td:nth-child(-n+2){text-align:left} .warning{color:#9a6a00}
"""

VERDICTS = {
    "stable": "It stands: the joints can carry the loads.",
    "collapse": "It falls: no forces in the joints can balance the loads.",
}


def render_report(result):
    """The page as text.

    Parameters
    ----------
    result : StaticResult

    Returns
    -------
    str
    """
    title = escape(str(result.structure.name))
    parts = [
        "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'>",
        f"<title>{title}</title><style>{STYLE}</style></head><body>",
        f"<h1>{title}</h1><p class='verdict {result.verdict}'>{VERDICTS[result.verdict]}</p>",
        draw_static(result),
        _numbers(result),
        "".join("<p class='warning'>{}</p>".format(escape(warning["message"])) for warning in result.warnings),
        _joints(result),
        "</body></html>\n",
    ]
    return "\n".join(parts)


def _numbers(result):
    s, time = result.summary, result.summary["time"]
    pairs = [
        ("Blocks (free)", "{} ({})".format(s["blocks"], s["free_blocks"])),
        ("Joints, contacts", "{}, {}".format(s["interfaces"], s["contacts"])),
        ("Weight of the free blocks", "{:.3f} kN".format(s["weight_total"] / 1e3)),
        ("Support reaction", "{:.3f}, {:.3f}, {:.3f} kN".format(*(f / 1e3 for f in s["support_reaction"]))),
        ("Solver, iterations", "{}, {}".format(s["solver"], s["iterations"])),
        ("Residual", "{:.1e}".format(s["residual"])),
        ("Worst block out of balance", "{:.1e} of its weight".format(s["unbalanced_max"])),
        ("Contacts found in, solved in", f"{1e3 * time['detect_s']:.1f} ms, {1e3 * time['solve_s']:.1f} ms"),
    ]
    return "<dl>" + "".join("<div><dt>{}</dt><dd>{}</dd></div>".format(*pair) for pair in pairs) + "</dl>"


def _joints(result):
    """Every joint: compression and friction, strongest first."""
    rows = []
    for joint in sorted(result.interfaces, key=lambda j: -np.linalg.norm(j.resultant)):
        normal = float(joint.resultant @ joint.normal)
        shear = float(np.linalg.norm(joint.resultant - normal * joint.normal))
        a, b = (escape(str(name)) for name in joint.blocks)
        cells = [a, b, f"{joint.area:.4f}", f"{normal / 1e3:.3f}", f"{shear / 1e3:.3f}", joint.status]
        rows.append("<tr><td>{}</td></tr>".format("</td><td>".join(cells)))
    head = "<tr><th>block a<th>block b<th>area [m2]<th>compression [kN]<th>friction [kN]<th>state</tr>"
    return "<table>{}{}</table>".format(head, "".join(rows))
