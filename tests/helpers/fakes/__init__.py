"""Stand-ins for Rhino and Grasshopper that behave: they check threads, types and units where the real ones would.

`canvas.Application` holds them together; its `modules()` are what `import Rhino` and the others find.
"""
