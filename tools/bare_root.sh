#!/bin/sh
# Tries what a new machine sees: ./quickstart and ./check quick in a bare Debian 12 root, in a fresh clone. Needs root, debootstrap and a Debian mirror, that of
# this machine.
set -eu
cd "$(dirname "$0")/.."
. tools/need.sh
[ "$(id -u)" = 0 ] || { echo "skipped: a bare root, which only root can make"; exit 0; }
need debootstrap git
mirror=$(sed -nE 's/^(deb( \[[^]]*\])? |URIs: )([^ ]+).*/\3/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null | head -n 1)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase bookworm "$root" "$mirror" > "$root.log" 2>&1 || { tail -n 20 "$root.log"; echo "0 passed, 1 failed"; exit 1; }
rm "$root.log"
cp /etc/apt/sources.list "$root/etc/apt/" 2> /dev/null || true
cp -r /etc/apt/sources.list.d /etc/apt/apt.conf.d /etc/apt/trusted.gpg.d "$root/etc/apt/" 2> /dev/null || true
cp /etc/resolv.conf "$root/etc/"
git clone -q . "$root/etch"
for command in ./quickstart './check quick'; do
  chroot "$root" sh -c "cd /etch && $command" || { echo "$command fails in a bare root"; echo "0 passed, 1 failed"; exit 1; }
done
echo "2 passed, 0 failed"
