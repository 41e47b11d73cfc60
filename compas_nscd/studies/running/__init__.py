"""How a study is run: keys of runs, workers and where they are, finished runs on disk, progress."""
