#!/bin/sh
# The suite under valgrind: unit tests and corpus replays run inside it, and the
# command is run inside it by the end-to-end tests. An error is exit code 99.
set -u
build=$1
shift
case $build in /*) top=$build ;; *) top=$PWD/$build ;; esac
VG="valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --suppressions=$PWD/tests/valgrind.supp"
export HM_WRAP="$VG"
rm -rf "$build/vg"
mkdir -p "$build/vg/unit" "$build/vg/fuzz"
for t in "$build"/unit/* "$build"/fuzz/replay_*; do
  [ -f "$t" ] && [ -x "$t" ] || continue
  to=$build/vg/${t#"$build"/}
  printf '#!/bin/sh\nexec %s %s "$@"\n' "$VG" "$top/${t#"$build"/}" >"$to"
  chmod +x "$to"
done
cp "$build/hmirror" "$build/vg/hmirror"
exec tests/run.sh "$build/vg" "$@"
