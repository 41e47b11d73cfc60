"""The numerics of compas_nscd: contact detection and solvers, run in a process of its own."""
