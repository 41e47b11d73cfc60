"""What `nscd bench --only limit` measures."""

from compas_nscd.templates import arch


def limits(engine, structure, repeat):
    """Best time of the greatest horizontal acceleration in the engine, and of the estimate without dilatancy."""
    runs = [engine.limit(structure, vary="acceleration:x", coulomb=False) for _ in range(repeat)]
    summary = runs[0].summary
    return {
        "vary": summary["vary"],
        "blocks": summary["blocks"],
        "contacts": summary["contacts"],
        "iterations": summary["iterations"],
        "multiplier": summary["multiplier_associated"],
        "solve_s": min(run.summary["time"]["solve_s"] for run in runs),
    }


def polar(engine, repeat):
    """Best time of a polar diagram of 24 directions on an arch of 60 blocks."""
    structure = arch(span=10.0, thickness=0.75, blocks=60)
    runs = [engine.limit(structure, vary="polar:24").summary for _ in range(repeat)]
    row = {key: runs[0][key] for key in ("vary", "blocks", "contacts", "iterations")}
    best = min(run["time"]["solve_s"] for run in runs)
    return dict(row, multiplier=runs[0]["multiplier_associated"], solve_s=best, scene="arch-60")
