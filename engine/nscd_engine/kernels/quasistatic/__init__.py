"""Compiled contact forces with six components, their stiffness matrix, and Kishino's relaxation."""
