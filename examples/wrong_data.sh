#!/bin/sh
# wrong_data: data and options that train_digits cannot use. Each ends with status 2 and one line on stderr.
# Usage: wrong_data.sh PROGRAM
program=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

refuses() {
  why=$1
  shift
  "$program" "$@" >"$work/out" 2>"$work/err"
  status=$?
  lines=$(wc -l <"$work/err")
  if [ "$status" -eq 2 ] && [ "$lines" -eq 1 ]; then
    sed 's/^/ok: /' "$work/err"
  else
    echo "$why: status $status and $lines lines on stderr, not 2 and 1"
    cat "$work/err"
    failures=1
  fi
}

# A directory with a t10k pair: header and entries of the images, then of the labels, as printf writes them.
pair() {
  mkdir -p "$work/$1"
  printf "$2" >"$work/$1/t10k-images-idx3-ubyte"
  printf "$3" >"$work/$1/t10k-labels-idx1-ubyte"
}
two_images='\0\0\010\003\0\0\0\002\0\0\0\001\0\0\0\001ab'
two_labels='\0\0\010\001\0\0\0\002\003\004'

mkdir "$work/empty"
pair small "$two_images" "$two_labels"
pair text 'some text, not images' "$two_labels"
pair truncated '\0\0\010\003\0\0\0\002\0\0\0\001\0\0\0\001a' "$two_labels"
pair surplus "${two_images}c" "$two_labels"
pair huge '\0\0\010\003\377\377\377\377\377\377\377\377\377\377\377\377' "$two_labels"
pair label "$two_images" '\0\0\010\001\0\0\0\002\003\012'
pair counts "$two_images" '\0\0\010\001\0\0\0\001\003'
pair gzip '\037\213\010damaged' "$two_labels"
pair half "$two_images" "$two_labels"
rm "$work/half/t10k-labels-idx1-ubyte"
pair train "$two_images" "$two_labels"
: >"$work/train/train-labels-idx1-ubyte"
pair folder '' "$two_labels"
rm "$work/folder/t10k-images-idx3-ubyte"
mkdir "$work/folder/t10k-images-idx3-ubyte"
pair few '\0\0\010\003\0\0\0\002\0\0\0\034\0\0\0\034' "$two_labels"
head -c 1568 /dev/zero >>"$work/few/t10k-images-idx3-ubyte"

refuses 'no such directory' --data "$work/nowhere"
refuses 'an empty name' --data ''
refuses 'a file for a directory' --data "$program"
for each in empty small text truncated surplus huge label counts gzip half train folder few; do
  refuses "$each" --data "$work/$each"
done
refuses 'no directory named' --data
refuses 'no epochs' --epochs 0
refuses 'many epochs' --epochs 99999999999
refuses 'part of an epoch' --epochs 1.5
refuses 'no learning rate' --lr 0
refuses 'a negative learning rate' --lr -1
refuses 'an infinite learning rate' --lr inf
refuses 'not a learning rate' --lr nan
refuses 'a negative seed' --seed -1
refuses 'a large seed' --seed 99999999999999999999
refuses 'an impossible accuracy' --require-accuracy 101
refuses 'an unknown option' --speed 9
exit $failures
