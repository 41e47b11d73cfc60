"""Plain data that every part of the engine shares; no compiled code."""
