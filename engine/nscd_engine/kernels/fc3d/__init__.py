"""Compiled iterations for published contact problems (W, q, mu)."""
