"""Deformable blocks in motion: their state, their step, and how a motion with them begins."""
