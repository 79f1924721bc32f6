#!/bin/sh
# embed.sh NAME FILE...: prints a C file that holds the FILEs as hm_NAME (builtin.h), sorted by
# their bytes, under the paths as given, and their number as hm_n_NAME.
set -eu
LC_ALL=C
export LC_ALL

name=$1
shift
[ $# -eq 0 ] || sorted=$(printf '%s\n' "$@" | sort)
echo '/* Made by gen/render/embed.sh. */'
echo '#include "gen/render/builtin.h"'
n=0
for f in ${sorted-}; do
  case $f in *[!A-Za-z0-9._/-]*) echo "embed.sh: $f: a name of other characters than A-Z a-z 0-9 . _ / -" >&2; exit 1;; esac
  echo "static const unsigned char f$n[] = {"
  od -An -v -tu1 "$f" | sed 's/^ *//; s/  */,/g; s/$/,/'
  echo '0};'
  n=$((n + 1))
done
echo "const hm_builtin hm_$name[] = {"
n=0
for f in ${sorted-}; do
  echo "  { \"$f\", (const char *)f$n, sizeof f$n - 1 },"
  n=$((n + 1))
done
echo '  { 0, 0, 0 }'
echo '};'
echo "const size_t hm_n_$name = $n;"
