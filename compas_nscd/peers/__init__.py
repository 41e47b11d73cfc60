"""Other codes on the same scenes, for `nscd bench --peers`; each runs in a process of its own (extra `bench`).

``python -m compas_nscd.peers.NAME FILE`` prints one JSON row: code, time_s, unbalanced_max, verdict.
"""
