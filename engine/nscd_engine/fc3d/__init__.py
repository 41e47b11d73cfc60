"""Published frictional contact problems (W, q, mu)."""
