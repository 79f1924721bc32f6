#!/bin/sh
# Runs every test of a build and counts: tests/run.sh BUILD [WORD...]
# WORD: only tests whose file name holds one of the words. Output of each is kept
# in BUILD/test/NAME.tap, with the seconds that it took and those of processor time; BUILD/test/times
# lists both for all, what computed most first. Ends with what took longest, what computed most, and
# "N passed, N failed"; exit 1 when any failed. THOROUGH=1: every command a process of its own (else most are
# forks of one, tests/e2e/forks.c), every system call, hundreds of random steps, large stores,
# limits of processor time; a release needs it.
set -u
build=$1
shift
export HMIRROR="$PWD/$build/hmirror" CMOCKA_MESSAGE_OUTPUT=TAP PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8
case $build in /*) HMIRROR="$build/hmirror" ;; esac
export HM_BUILD="${HMIRROR%/hmirror}"
# Another hmirror than the build's, for the end-to-end tests: an installed one.
[ -n "${HM_PROGRAM:-}" ] && export HMIRROR="$HM_PROGRAM"
export HM_SHARED="${HM_SHARED:-$PWD/../shared/data/mustache-spec}" HM_SHARED_DATA="${HM_SHARED_DATA:-$PWD/../shared/data}"
unset $(git rev-parse --local-env-vars)   # a hook that runs the tests has its own repository there
out=$HM_BUILD/test
rm -rf "$out"
mkdir -p "$out"

# The end-to-end tests make and delete some hundred thousand files: half of their processor time
# was the disk's. They have their folders in memory, where there is room and programs may run; the
# unit tests of the store and of the sink stay on the disk.
if [ -z "${TMPDIR:-}" ] && TMPDIR=$(mktemp -d /dev/shm/hm-XXXXXX 2>/dev/null); then
  memory=$TMPDIR
  trap 'rm -rf "$memory"' EXIT
  trap 'exit 1' INT TERM
  chmod 1777 "$memory"
  cp /bin/true "$memory/try"
  if "$memory/try" 2>/dev/null && [ "$(df -Pk "$memory" | awk 'END { print $4 }')" -gt 4000000 ]; then
    export TMPDIR
  else
    unset TMPDIR
  fi
fi

wanted() {
  [ $# -eq 1 ] && return 0
  name=${1#"$HM_BUILD/"}
  shift
  for w in "$@"; do
    case $name in *"$w"*) return 0 ;; esac
  done
  return 1
}

# The longest first, so that none of them runs alone in the end
longest="e2e/crash.py e2e/page_types.py gen_verbs_incremental core_review_agree e2e/errors.py
  e2e/foreign_hostile.py e2e/publishers.py e2e/preview.py e2e/browser.py e2e/firefox.py e2e/remote.py
  e2e/large.py e2e/readers.py e2e/verdicts.py e2e/watch.py e2e/scopes.py gen_site_reuse core_detect_big
  core_review_findings core_detect_rules"
{
  for t in $longest; do
    case $t in e2e/*) f=tests/$t run="python3 tests/$t" ;; *) f=$HM_BUILD/unit/$t run=$HM_BUILD/unit/$t ;; esac
    [ -f "$f" ] && wanted "$f" "$@" && echo "$run"
  done
  for f in tests/e2e/*.py tests/golden/run.py; do
    case $f in */harness.py | */server.py | */calls.py | */mcp_kit.py | */preview_kit.py) continue ;; esac
    [ -f "$f" ] && wanted "$f" "$@" && echo "python3 $f"
  done
  for f in "$HM_BUILD"/unit/*; do
    [ -f "$f" ] && [ -x "$f" ] && wanted "$f" "$@" && echo "$f"
  done
  for f in "$HM_BUILD"/fuzz/replay_*; do
    [ -f "$f" ] && [ -x "$f" ] && wanted "$f" "$@" && echo "$f tests/fuzz/corpus/${f##*/replay_}"
  done
} | awk '!listed[$0]++' >"$out/list"

# What must be there within a second is measured where the run is thorough, alone, when all others have ended.
alone=nothing
[ "${THOROUGH:-}" = 1 ] && alone="e2e/preview_times.py"
grep -F "$alone" "$out/list" >"$out/alone"
grep -vF "$alone" "$out/list" >"$out/together"

# Each line of a list is one process; a process that dies is a failed test.
export out hangs="${HM_TEST_TIMEOUT:-$([ "${THOROUGH:-}" = 1 ] && echo 7200 || echo 900)}"   # seconds
one='
  cmd="{}"
  name=$(echo "$cmd" | sed "s|.*/\(fuzz/replay_[a-z_]*\) .*|\1|; s|.*/\([a-z0-9]*/[^/ ]*\)\$|\1|; s|/|.|g")
  tap=$out/$name.tap
  start=$(date +%s)
  timeout "$hangs" $cmd >"$tap" 2>"$tap.err" </dev/null
  code=$?
  took=$(($(date +%s) - start))
  times >"$tap.times"
  sed -i "s/^not \(ok .*# SKIP\)/\1/" "$tap"   # as cmocka says it
  plan=$(sed -n "s/^1\.\.\([0-9]*\).*/\1/p" "$tap" | head -n 1)
  done=$(grep -cE "^(not )?ok [0-9]" "$tap")
  if [ "$done" -ne "${plan:-1}" ] || { [ $code -ne 0 ] && ! grep -q "^not ok" "$tap"; }; then
    echo "not ok 0 - $name: ended with code $code after $done of ${plan:-?} tests" >>"$tap"
    tail -n 40 "$tap.err" | sed "s/^/# /" >>"$tap"
  fi
  cpu=$(sed -n 2p "$tap.times" | tr ms " " | awk "{ printf \"%.1f\", \$1 * 60 + \$2 + \$3 * 60 + \$4 }")
  echo "# took $took s, of processor time $cpu s" >>"$tap"
  rm "$tap.times"
'
# One more runs than there are cores: a third of their time they wait for servers, timers and the disk.
xargs -P $(($(nproc) + 1)) -I{} sh -c "$one" <"$out/together"
xargs -I{} sh -c "$one" <"$out/alone"

passed=$(cat "$out"/*.tap 2>/dev/null | grep -E '^ok ' | grep -vc '# SKIP')
skipped=$(cat "$out"/*.tap 2>/dev/null | grep -cE '^ok .*# SKIP')
failed=$(cat "$out"/*.tap 2>/dev/null | grep -c '^not ok ')
for t in "$out"/*.tap; do
  [ -f "$t" ] || continue
  grep -hE '^ok .*# SKIP' "$t"
  grep -qE '^not ok ' "$t" && { echo "--- ${t##*/}"; grep -vE '^ok ' "$t"; tail -n 30 "$t.err"; }
done
most() {   # most WHAT PATTERN: the five with the highest number of the pattern, and the sum of all
  grep -Hs '^# took' "$out"/*.tap | sed -n "s|.*/\(.*\)\.tap:$2.*|\2 \1|p" | sort -rn |
    awk -v what="$1" '{ sum += $1 } NR <= 5 { list = list (NR > 1 ? ", " : "") $NF " " $1 " s" }
                      END { if (NR) printf "%s: %s; all %.0f s\n", what, list, sum }'
}
grep -Hs '^# took' "$out"/*.tap | sed -n 's|.*/\(.*\)\.tap:# took \([0-9]*\) s.* time \([0-9.]*\) s|\3 \2 \1|p' |
  sort -rn | awk 'BEGIN { print "processor  taken  test" } { printf "%7.1f s %4d s  %s\n", $1, $2, $3 }' >"$out/times"
most longest '# took \([0-9]*\) s'
most 'processor time' '# took .* time \([0-9.]*\) s'
if [ "$skipped" -gt 0 ]; then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
