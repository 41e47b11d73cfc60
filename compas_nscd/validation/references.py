"""Reference values that cases and tests share."""

from __future__ import annotations

#: V20: smallest t/R of a semicircular arch without sliding, by number of voussoirs.
THINNEST_ARCH = {7: 0.09570, 10: 0.10701, 15: 0.10607, 20: 0.10735, 27: 0.10672, 50: 0.10744, 100: 0.10746}
#: V21: the same of the continuous arch, by friction.
THINNEST_SLIDING_ARCH = {0.395832: 0.107426, 0.38: 0.1216, 0.35: 0.1519, 0.32: 0.1856}
#: V21: friction below which no arch stands, and the t/R from which that holds.
LEAST_FRICTION, ITS_THICKNESS = 0.309215, 0.200637
#: V22: least and greatest thrust H/W of a semicircular arch, by t/R.
THRUST = [(0.15, 0.1759, 0.2270), (0.20, 0.1540, 0.2546)]
#: V23: rise b/a, smallest t/a and friction of an elliptical arch.
THINNEST_ELLIPSE = [(0.5, 0.0977, 1.0), (0.75, 0.1069, 1.0), (0.5, 0.2180, 0.6)]
#: V24: spread of the supports at collapse in % of 2 R, by t/R.
SPREAD = [(0.12, 1.68), (0.15, 5.42), (0.2, 15.27), (0.3, 26.1)]
#: V25: horizontal acceleration at collapse of the arch of Oppenheim [g].
OPPENHEIM = 0.3736
#: V26: smallest t/R of a hemispherical dome cut into lunes.
THINNEST_DOME = 0.0428
#: V27: least and greatest thrust of the arch of compas_cra for a specific weight of 1 [N].
THRUST_CRA = (0.8427, 0.9849)
#: V28: walls of Ferris and Tin-Loi: multipliers with associated friction and without dilatancy, by number.
FERRIS_TIN_LOI = {1: (0.64286, 0.640), 2: (0.58000, 0.563), 3: (0.40369, 0.356), 4: (0.33195, 0.264)}
#: V34: collapse loads of walls of 4 x 4 under a loaded beam, with friction in all joints and with smooth head joints.
BEAM_WALLS = {
    3: (11.419515, 11.305556),
    4: (11.227424, 10.967433),
    5: (11.251870, 11.043103),
    6: (11.286324, 10.967433),
    7: (11.554451, 10.544464),
}
#: V35: weight of the free blocks of the barrel vault of compas_dem [N].
BARREL_WEIGHT = 80156.44
#: V36: least and greatest thrust of the arch of compas_dem for a specific weight of 1 [N].
THRUST_DEM = (0.842678, 0.984871)
#: V37: shear strength of a mortar joint fully bonded, and bonded over 0.98 of its length [MPa].
MORTAR_SHEAR = (0.320384, 0.314984)
