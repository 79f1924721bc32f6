#!/bin/sh
# Installs the package with dpkg below BUILD/deb/root, and runs the end-to-end tests on what is there:
# check-deb.sh BUILD VERSION. The libraries that it needs are this system's.
set -eu
build=$1 version=$2
root=$PWD/$build/deb/root
rm -rf "$root"
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
: >"$root/var/lib/dpkg/status"
dpkg --root="$root" --force-not-root --force-depends --log="$root/dpkg.log" \
  -i "$build/deb/hmirror_${version}_$(dpkg --print-architecture).deb" 2>&1 | grep -v 'depends on\|not installed\|problems' >&2
HM_PROGRAM=$root/usr/bin/hmirror tests/run.sh "$build" e2e
