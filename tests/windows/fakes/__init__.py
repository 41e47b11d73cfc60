"""Rhino and Grasshopper in plain Python, for `rhino_session.py`: Wine has no .NET, so `helpers/rhino_net` cannot run.

Here are only the members that components without geometry use, with one branch of data on every wire. What depends on
the types of .NET is tested with `rhino_net`.
"""
