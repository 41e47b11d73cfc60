"""Compiled contact detection."""
