"""Measurements of compas_nscd and of other codes on the same structures. Part of the repository, not of the wheel."""
