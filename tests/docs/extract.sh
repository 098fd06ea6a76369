#!/bin/sh
# The contents of all fenced blocks of one language and label, if it has one: usage extract.sh "LANGUAGE LABEL" PAGE.md
# A block of several programs names their labels with " and " between them.
awk -v wanted="$1" '
  /^```/ {
    language = substr($0, 4); sub(/ .*/, "", language)
    count = split(substr($0, 5 + length(language)), label, " and ")
    opens = !inside && $0 == "```" wanted
    for (i = 1; i <= count; ++i) opens = opens || (!inside && language " " label[i] == wanted)
    inside = opens
    next
  }
  inside' "$2"
