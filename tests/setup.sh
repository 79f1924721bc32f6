#!/bin/sh
# Sees to it that Debian packages are there: tests/setup.sh PACKAGE...
# As root the missing ones are installed; else the one line to run is printed.
set -eu
missing=
for p in "$@"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q '^install ok installed$' || missing="$missing $p"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" -ne 0 ]; then
  echo "hmirror needs Debian packages that are not installed. Run:" >&2
  echo "  sudo apt-get install --no-install-recommends$missing" >&2
  exit 2
fi
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
