# need PACKAGE...: installs the Debian packages that are missing; elsewhere says which, and stops. To be sourced.
need() {
  if ! command -v dpkg-query > /dev/null; then
    echo "This is no Debian. Install what these Debian packages hold, then build with Meson as the README says:" >&2
    echo "  $*" >&2
    exit 1
  fi
  missing=
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true)" = installed ] || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  echo "installing:$missing"
  as_root=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo > /dev/null || { echo "Not root, and there is no sudo. As root: apt-get install$missing" >&2; exit 1; }
    as_root=sudo
  fi
  # The lists of a fresh machine are empty or old.
  $as_root env DEBIAN_FRONTEND=noninteractive sh -c "apt-get update -q && apt-get install -q -y --no-install-recommends $missing" > /tmp/etch-install.log 2>&1 || {
    tail -n 20 /tmp/etch-install.log >&2
    echo "apt-get could not install:$missing" >&2
    exit 1
  }
}
