"""Requests are read and checked here, and nowhere else."""
