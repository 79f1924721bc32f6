#!/bin/sh
# Sees to it that Debian packages are there: tests/setup.sh PACKAGE...
# As root it installs the missing ones; otherwise it prints the one line to run.
# Where there is no dpkg it does nothing: the compiler names what is missing.
set -eu
command -v dpkg-query >/dev/null || exit 0
there=$(dpkg-query -W -f='${Package} ${Status}\n' "$@" 2>/dev/null | sed -n 's/ install ok installed$//p')
missing=
for p in "$@"; do
  echo "$there" | grep -qxF "$p" || missing="$missing $p"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" -ne 0 ]; then
  echo "hmirror needs Debian packages that are not installed. Run:" >&2
  echo "  sudo apt-get install --no-install-recommends$missing" >&2
  exit 2
fi
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
