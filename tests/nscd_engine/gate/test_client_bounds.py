"""Client and gate refuse the same: bounds of settings and of options of a motion, kinds of contact laws."""

import numpy as np
import pytest

from compas_nscd.blocks import contact_law, elastic
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.client import dynamic_request
from compas_nscd.errors import SettingsError
from compas_nscd.model.settings import Settings
from nscd_engine.core.settings import Settings as EngineSettings
from nscd_engine.gate import elastic as elastic_gate
from nscd_engine.gate import laws, motion
from nscd_engine.gate.settings import read_settings

#: Values at both sides of every bound.
NUMBERS = [-1, 0, 1, 2, 1024, 1025, 10000, 10001, 10**7, 10**7 + 1, 2**63 - 1, 2**63]
NUMBERS += [0.0, 1e-300, 1e-3, 1.001e-3, 1e-2, 0.05, 0.0501, 0.1, 1.0, 1.001, 44.0, 44.1, 45.0, np.inf, np.nan]
WORDS = ["newton", "nlgs", "spg", "admm", "associated", "coulomb", "", "x"]
LISTS = [[], [1e-5], [1e-5, 1e-8], [1.0, 1e-8], [0.9, 0.1], [1e-8, 1e-5], [1e-5, 1e-5], [1e-5, 0.0], [1e-5, np.nan]]
LISTS += [[0.5**k for k in range(1, 100)]]


def accepts(check, *args, **kwargs):
    try:
        check(*args, **kwargs)
    except SettingsError:
        return False
    return True


def test_settings_are_the_same_with_the_same_defaults():
    given = Settings()
    assert set(Settings._FIELDS) == set(EngineSettings._fields)
    assert EngineSettings(**{key: getattr(given, key) for key in Settings._FIELDS}) == EngineSettings()


@pytest.mark.parametrize("key", EngineSettings._fields)
def test_settings_have_the_same_bounds(key):
    """What the client refuses the gate refuses, and the gate takes all that the client sends."""
    for value in NUMBERS + WORDS + LISTS + [None, True, False]:
        expected = accepts(Settings, **{key: value})
        sent = Settings(**{key: value}).__data__[key] if expected else value
        assert accepts(read_settings, {"settings": {key: sent}}) == expected, (key, value)


@pytest.mark.parametrize("key", sorted(motion.SHARES))
def test_options_of_a_motion_have_the_same_bounds(key):
    default, rule = dynamic_request.OPTIONS[key]
    assert motion.SHARES[key] == rule
    assert rule[0] <= default <= rule[1]


def test_lengths_of_a_motion_have_the_same_bounds():
    assert motion.POSITIVE["time_step"] == dynamic_request.LONGEST_STEP
    assert motion.POSITIVE["interval"] == dynamic_request.OPTIONS["interval"][1][1]
    assert set(motion.FLAGS) == {key for key, (_, rule) in dynamic_request.OPTIONS.items() if rule is bool}


def test_kinds_of_laws_have_the_same_keys():
    """A law always has a friction on the wire; the client adds that of ties and of joints that stick."""
    assert tuple(laws.KINDS) == ContactLaw.KINDS
    for kind, (needed, optional) in contact_law._KINDS.items():
        assert set(laws.KINDS[kind][0]) == {"friction", *needed}
        assert set(laws.KINDS[kind][1]) == set(optional)
    assert set(laws.COMMON) == set(contact_law._COMMON)
    assert {key for key, (_, positive) in contact_law._WORDS.items() if positive} == set(laws._POSITIVE)


@pytest.mark.parametrize("kind", laws.KINDS)
@pytest.mark.parametrize("softening", laws.SOFTENING)
def test_the_gate_reads_every_law_of_the_client(kind, softening):
    numbers = dict(cohesion=1e5, tension=1e4, normal_stiffness=1e9, tangential_stiffness=1e9, viscosity=1.0)
    numbers.update(normal_fracture=100.0, tangential_fracture=200.0, softening=softening)
    known = {key for keys in contact_law._KINDS[kind] for key in keys}
    law = ContactLaw(0.6, kind, **{key: value for key, value in numbers.items() if key in known})
    assert np.isfinite(laws.read_law(law.__data__, [])[0])


def test_elasticities_have_the_same_keys_words_and_bounds():
    client, gate = elastic.Elastic, elastic_gate
    assert (client.KEYS, client.ELEMENTS, client.MASSES, client.PLANES) == (
        gate.KEYS,
        gate.ELEMENTS,
        gate.MASSES,
        gate.PLANES,
    )
    bounds = ("MIN_YOUNG", "MAX_YOUNG", "MAX_REFINE")
    assert [getattr(elastic, name) for name in bounds] == [getattr(gate, name) for name in bounds]
