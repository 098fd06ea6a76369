#!/bin/sh
# train_digits_mpi on four ranks has the parameters of one process with four times the batch, up to a bound, and those of a run
# that goes on from a checkpoint, bit by bit: usage same_parameters.sh MPIRUN TRAIN_DIGITS_MPI
set -eu
mpirun=$1 train=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ranks() {
  n=$1
  shift
  if "$mpirun" --version | grep -q 'Open MPI'; then timeout 120 "$mpirun" --allow-run-as-root --oversubscribe -n "$n" "$train" "$@"
  else timeout 120 "$mpirun" -n "$n" "$train" "$@"; fi
}
fail() { cat "$folder/log"; echo "$1"; echo "0 passed, 1 failed"; exit 1; }
ranks 1 --batch 128 --epochs 2 --require-accuracy 60 --save "$folder/one.npz" > "$folder/log" 2>&1 || fail "one process does not train"
# Steps of momentum 0.9 add up what is rounded; 124 of them came to 2e-7 here.
ranks 4 --batch 32 --epochs 2 --checkpoint "$folder/state.npz" --checkpoint-every 70 --save "$folder/four.npz" --compare "$folder/one.npz" --bound 1e-5 > "$folder/log" 2>&1 ||
  fail "four ranks have other parameters"
grep 'parameters differ' "$folder/log"
ranks 4 --batch 32 --epochs 2 --checkpoint "$folder/state.npz" --resume --save "$folder/again.npz" > "$folder/log" 2>&1 || fail "the run does not go on"
grep -q 'goes on after step 70' "$folder/log" || fail "the run did not go on from its checkpoint"
cmp -s "$folder/four.npz" "$folder/again.npz" || fail "a run from a checkpoint has other parameters"
echo "1 passed, 0 failed"
