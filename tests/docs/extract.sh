#!/bin/sh
# The contents of all fenced blocks of one language: usage extract.sh LANGUAGE PAGE.md
awk -v open="\`\`\`$1" '$0 == open {inside = 1; next} /^```/ {inside = 0} inside' "$2"
