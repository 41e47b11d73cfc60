"""Other codes on the same scenes, for `nscd bench --peers` (extra `bench`).

``python -m benchmarks.peers.NAME FILE`` prints one JSON row: code, time_s, unbalanced_max, verdict.
"""
