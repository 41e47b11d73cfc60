"""The energy budget of motions with deformable blocks."""

import numpy as np


def budget(result):
    """Energy that is neither stored nor accounted for, over the greatest energy [-], at every frame."""
    energy = result.energy
    losses = energy["friction_loss"] + energy["impact_loss"] + energy["scheme_loss"] - energy["work"]
    total = energy["kinetic"] + energy["potential"] + energy["elastic"] + losses
    return np.abs(total - total[0]) / max(np.abs(each).max() for each in energy.values())
