#!/bin/sh
# Runs a study on several machines that can be reached by SSH.
# On each of them: the same version of compas_nscd[engine,studies] in the same Python, and
# `nscd doctor --warm` once, which compiles the kernels.
# usage: sh ssh.sh STUDY.json OUT HOST HOST ...
study=$1
out=$2
shift 2
dask ssh --nworkers -1 --nthreads 1 "$@" &
cluster=$!
trap 'kill $cluster' EXIT
sleep 5 # the scheduler runs on the first machine
nscd study run "$study" --out "$out" --scheduler "tcp://$1:8786"
