"""How much the engine and the readers of files take before they fail: `python -m benchmarks.reliability.run`."""
