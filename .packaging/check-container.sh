#!/bin/sh
# Tries .packaging/Containerfile: check-container.sh BUILD. Where docker or podman runs it
# builds the image. Elsewhere it carries out the file's lines in bare roots of Debian 12, one a
# stage, which needs root. Either way the example is mirrored inside.
set -eu
unset MAKEFLAGS MFLAGS CC CFLAGS LDFLAGS   # of this make: the recipe has its own
build=$1
top=$(cd "$(dirname "$0")/.." && pwd)
recipe=$top/.packaging/Containerfile work=$top/$build/container
rm -rf "$work/example" && mkdir -p "$work/example"
cp -r "$top/site-example/facts" "$top/site-example/mirror.yml" "$work/example"
cat "$work"/example/facts/*.jsonl >"$work/example/facts.jsonl"
chmod -R a+rwX "$work/example"

for engine in docker podman; do
  "$engine" info >/dev/null 2>&1 || continue
  "$engine" build -f "$recipe" -t hmirror-check "$top"
  "$engine" run --rm -v "$work/example:/mirror" hmirror-check -q import facts.jsonl
  "$engine" run --rm -v "$work/example:/mirror" hmirror-check -q build
  test -s "$work/example/site/README.md"
  echo "container: built by $engine, the example is mirrored"
  exit 0
done

[ "$(id -u)" -eq 0 ] || { echo "check-container: without docker or podman it needs root" >&2; exit 2; }
stage=0 root=
trap 'umount "$work"/stage*/proc 2>/dev/null || true' EXIT

# One line of the recipe, its continuations joined: the instruction, and what follows it.
step() {
  case $1 in
    FROM)
      stage=$((stage + 1)) root=$work/stage$stage dir=/ user=
      rm -rf "$root"
      debootstrap --variant=minbase bookworm "$root" >"$root.log" 2>&1
      mountpoint -q "$root/proc" || mount -t proc proc "$root/proc" ;;
    RUN) chroot "$root" sh -ec "cd $dir; $2" ;;
    WORKDIR) dir=$2; mkdir -p "$root$2" ;;
    USER) user=$2 ;;
    COPY)
      case $2 in
        --from=build\ *) set -- ${2#--from=build }; cp "$work"/stage1$1 "$root$2" ;;
        ". "*) git clone -q "$top" "$root${2#. }" ;;
        *) echo "check-container: it cannot carry out COPY $2" >&2; return 1 ;;
      esac ;;
    ENTRYPOINT | CMD) ;;
    *) echo "check-container: it does not know $1" >&2; return 1 ;;
  esac
}

sed -e '/^#/d' -e ':join' -e '/\\$/{N;s/\\\n//;bjoin' -e '}' "$recipe" >"$work/steps"
while read -r word rest; do
  if [ -n "$word" ]; then step "$word" "$rest" </dev/null; fi
done <"$work/steps"
rmdir "$root$dir" && cp -r "$work/example" "$root$dir" && chroot "$root" chown -R "$user" "$dir"
for verb in "import facts.jsonl" build; do
  chroot "$root" setpriv --reuid="$user" --regid="$user" --init-groups sh -ec "cd $dir; hmirror -q $verb"
done
test -s "$root$dir/site/README.md"
echo "container: its steps ran in bare roots of Debian 12, the example is mirrored"
