"""Classic solvers, contact by contact or without a matrix: they stay selectable, and check Newton's method."""
