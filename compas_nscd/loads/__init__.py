"""Loads: forces, accelerations, water, cables, motions of supports and of the ground."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "BodyAcceleration": "body_acceleration",
        "Cable": "cable",
        "GroundMotion": "ground_motion",
        "LoadCase": "case",
        "PointLoad": "point_load",
        "SupportMotion": "support_motion",
        "Water": "water",
        "sampled": "body_acceleration",
    },
)
