"""Folders that tests need, wherever they lie themselves."""

from pathlib import Path

HELPERS = Path(__file__).resolve().parent
ROOT = HELPERS.parents[1]
EXAMPLES = ROOT / "examples"
SHARED = ROOT.parent / "shared"
