"""Compiled time steps."""
