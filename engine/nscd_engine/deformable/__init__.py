"""Deformable blocks: meshes, finite elements, stresses, vibration modes, sub-models."""
