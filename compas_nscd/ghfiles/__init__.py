"""Files of Grasshopper without Grasshopper: user objects, definitions, packages."""
