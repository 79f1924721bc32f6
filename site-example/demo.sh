#!/bin/sh
# `make demo`: the whole way of a fact, in BUILD/demo. Takes the build folder.
set -eu
build=$1
here=$(dirname "$0")
demo=$build/demo
rm -rf "$demo"
mkdir -p "$demo"
cp "$here/mirror.yml" "$demo/"
hm() { "$build/hmirror" -C "$demo" "$@"; }
facts=$(cd "$here" && pwd)

hm import "$facts"/facts/*.jsonl
hm sweep
hm build
hm publish
echo
echo "One fact changes: the polisher's spindle speed, in the curated state."
{ grep -v '"id":"p06-s1"' "$facts/facts/4-polisher.jsonl"; cat "$facts/change.jsonl"; } >"$demo/4-polisher.jsonl"
hm import 4-polisher.jsonl
hm build
hm publish
echo
git -C "$demo/mirror.git" show --stat --format=medium mirror
echo
echo "The same as facts and conflicts:"
hm diff
echo
echo "Browse it:   $demo/site/index.html"
echo "Read it:     $demo/site/README.md"
echo "Ask git:     git -C $demo/mirror.git show mirror"
echo "Ask it:      $build/hmirror -C $demo conflicts list"
echo "Its history: $build/hmirror -C $demo log p06"
