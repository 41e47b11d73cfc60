"""Formats of meshes: .obj, .ply, .stl, and folders of them."""
