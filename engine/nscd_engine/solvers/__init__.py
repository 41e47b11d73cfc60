"""The contact problem and the methods that solve it."""
