#!/bin/sh
# A browser reads the pages that memory_picture writes, and runs their script: usage page_in_browser.sh PROGRAM
set -u
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "skipped: pages in a browser: chromium is not installed"
  exit 0
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() {
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$name.html: not so: $*"; fi
}
"$1" "$work" >"$work/listed" || exit 1
for name in mlp lstm; do
  # A last script touches a statement, as the pointer would; what is lit shows in the page that comes back.
  sed 's|</body>|<script>document.getElementById("statement-6").focus();</script></body>|' "$work/$name.html" >"$work/touched.html"
  "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --dump-dom "file://$work/touched.html" >"$work/dom" 2>"$work/err" || sed 1q "$work/err"
  check grep -q '<body[^>]* data-ready="yes"' "$work/dom"
  check grep -q '<tr id="statement-6" class="[a-z]* lit"' "$work/dom"
  check grep -q '<a [^>]*id="node-6"[^>]*class="lit"' "$work/dom"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
