"""The process: server, jobs, verbs, compiling ahead."""
