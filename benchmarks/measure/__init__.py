"""What `nscd bench` measures, one module a group; functions of a running, warm Engine."""
