#!/bin/sh
# Programs on several ranks: usage run.sh MPIRUN COLLECTIVES TRAIN
# Four ranks train like one process with four times the batch, up to the bound that train.cpp states; a rank that is killed
# ends all, and a run from the checkpoint gives the same bits; ranks of different programs all end with one sentence.
set -eu
mpirun=$1 collectives=$2 train=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
verdict() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$2"; fi; }
# ranks N COMMAND...: within two minutes, since what is tested is also that nothing waits forever.
ranks() {
  n=$1
  shift
  if "$mpirun" --version | grep -q 'Open MPI'; then timeout 120 "$mpirun" --allow-run-as-root --oversubscribe -n "$n" "$@"
  else timeout 120 "$mpirun" -n "$n" "$@"; fi
}

for n in 1 2 3 4; do
  mkdir "$folder/$n"
  output=$(ranks "$n" "$collectives" "$folder/$n" 2>&1) && status=0 || status=$?
  echo "$n ranks: $output"
  verdict "$status" "collectives fail on $n ranks"
done

steps=100
one=$folder/one four=$folder/four again=$folder/again killed=$folder/killed
mkdir "$one" "$four" "$again" "$killed"
ranks 1 "$train" "$one" $steps whole > "$one/log" 2>&1 || { cat "$one/log"; verdict 1 "one process does not train"; }
ranks 4 "$train" "$four" $steps > "$four/log" 2>&1 || { cat "$four/log"; verdict 1 "four ranks do not train"; }
"$train" compare "$one/last.npz" "$four/last.npz" $steps "$(sed -n 's/.*largest gradient //p' "$one/log")" && status=0 || status=$?
verdict $status "four ranks do not train like one process with four times the batch"
ranks 4 "$train" "$again" $steps > "$again/log" 2>&1 || true
cmp -s "$four/last.npz" "$again/last.npz" && status=0 || status=1
verdict $status "two runs differ"

ranks 4 "$train" "$killed" $steps kill 2 57 > "$killed/log" 2>&1 && status=1 || status=$?
[ $status != 1 ] && [ $status != 124 ] && [ ! -e "$killed/last.npz" ] && [ -e "$killed/checkpoint.npz" ] && status=0 || status=1
verdict $status "a killed rank does not end the run, or leaves no checkpoint"
ranks 4 "$train" "$killed" $steps resume > "$killed/log" 2>&1 || true
grep -q '^steps 50 to 100' "$killed/log" && cmp -s "$four/last.npz" "$killed/last.npz" && status=0 || { status=1; cat "$killed/log"; }
verdict $status "a run from the checkpoint is not the run that was not killed"

output=$(ranks 4 "$train" "$one" $steps throw 1 5 2>&1) && status=0 || status=$?
[ $status = 1 ] && [ "$(printf '%s\n' "$output" | grep -c 'rank 1: etch: a fault of this rank')" = 1 ] && status=0 || { status=1; echo "$output"; }
verdict $status "what one rank throws does not end all of them"

for n in 2 4; do
  output=$(ranks "$n" "$train" "$one" $steps other 2>&1) && status=0 || status=$?
  [ $status = 1 ] && [ "$(printf '%s\n' "$output" | grep -c 'etch: the ranks run different programs: rank 0 has')" = 1 ] && status=0 || { status=1; echo "$output"; }
  verdict $status "different programs on $n ranks are not one error"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
