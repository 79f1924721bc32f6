#!/bin/sh
# Tries the archive of `make dist` in bare roots of Debian 12 and 13, and, as far as the machine
# has them, 24.04 of Ubuntu: .packaging/check-dist.sh BUILD VERSION. In each the example is
# published; every root must give the commit that this machine gives. Needs root, for chroot.
set -eu
build=$1 version=$2
top=$(cd "$(dirname "$0")/.." && pwd)
name=hmirror-$version-linux-$(uname -m)
archive=$top/$build/dist/$name.tar.gz
[ "$(id -u)" -eq 0 ] || { echo "check-dist: it needs root, for debootstrap and chroot" >&2; exit 2; }

# Publishes the example below $2 with the program $1; prints the commit.
cat >"$top/$build/dist/try.sh" <<'EOF'
set -eu
program=$1
cd "$2"
rm -rf mirror.git hmirror.db* site
"$program" -q import facts/*.jsonl
"$program" -q build
"$program" -q publish
"$program" -q verify
"$program" --format json publish | sed -n 's/.*"commit": *"\([0-9a-f]*\)".*/\1/p'
EOF

work=$top/$build/dist/here
rm -rf "$work" && mkdir -p "$work"
tar -C "$work" -xzf "$archive"
mkdir "$work/example" && cp -r "$top/site-example/facts" "$top/site-example/mirror.yml" "$work/example"
want=$(sh "$top/$build/dist/try.sh" "$work/$name/bin/hmirror" "$work/example")
[ -n "$want" ] || { echo "check-dist: the example was not published here" >&2; exit 1; }
for suite in bookworm trixie; do
  root=$top/$build/dist/root-$suite
  [ -e "$root/etc/debian_version" ] || { rm -rf "$root"; debootstrap --variant=minbase "$suite" "$root" >"$root.log" 2>&1; } ||
    { tail -n 5 "$root.log" >&2; echo "check-dist: debootstrap $suite failed" >&2; exit 2; }
  rm -rf "$root/opt/hmirror" && mkdir -p "$root/opt/hmirror"
  tar -C "$root/opt/hmirror" --strip-components=1 -xzf "$archive"
  rm -rf "$root/tmp/example" && cp -r "$work/example" "$root/tmp/example"
  cp "$top/$build/dist/try.sh" "$root/tmp/try.sh"
  # The loader finds the program's folder through /proc, which every real machine has.
  mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
  got=$(chroot "$root" sh /tmp/try.sh /opt/hmirror/bin/hmirror /tmp/example) || got=
  umount "$root/proc"
  [ "$got" = "$want" ] || { echo "check-dist: $suite gave commit $got, this machine $want" >&2; exit 1; }
  echo "Debian $(cat "$root/etc/debian_version"): $got"
done
