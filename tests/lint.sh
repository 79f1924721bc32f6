#!/bin/sh
# What the compiler does not see: the walls of the house, the manual pages, and names in the maps.
# Prints every finding; exit 1 when there is one.
set -u
bad=0
say() { echo "lint: $*"; bad=1; }

# A library's header is included in one folder only.
only() {
  hits=$(grep -rnE "#include *<$1>" --include='*.c' --include='*.h' core gen | grep -v "^$2/")
  [ -z "$hits" ] || say "<$1> belongs to $2: $hits"
}
only 'sqlite3\.h' core/sqlite
only 'cmark-gfm[^>]*' core/markdown
only 'git2[./a-z]*' gen/sink
only 'libdeflate\.h' gen/sink
only 'zlib\.h' gen/sink
only 'yajl/[^>]*' core/base
only 'csv\.h' core/foreign
only 'utf8proc\.h' core/base
only 'nettle/[^>]*' core/base
only 'xxhash\.h' core/base
only 'libstemmer\.h' core/base
only 'udunits2?\.h' core/value
only 'curl/[^>]*' core/net
only 'microhttpd\.h' gen/http
only 'yaml\.h' gen/mirror
only '(gvc|cgraph|graphviz/.*)\.h' gen/draw

# Statements are for the files of a store, and its engine for one folder: no header shows it but one.
hits=$(grep -rl '#include "core/sqlite/sql\.h"' core gen | grep -vE '^core/(sqlite|record|store)/')
hits="$hits$(grep -n 'sqlite3' core/sqlite/*.h | grep -v '/sqlite_impl\.h:')"
[ -z "$hits" ] || say "statements or SQLite show outside of their files: $hits"

# Arrows run one way: a layer includes from itself and those before it.
found=$(mktemp)
below=
for layer in "$@"; do
  below="$below $layer"
  for f in "$layer"/*.c "$layer"/*.h; do
    [ -f "$f" ] || continue
    sed -n 's/^#include "\(.*\)"$/\1/p' "$f" | while read -r inc; do
      case $inc in */*) dir=${inc%/*} ;; *) dir=$layer ;; esac
      case $inc in *_impl.h | *_private.h)
        [ "$dir" = "$layer" ] || echo "lint: $f includes $inc, which is for $dir alone" ;;
      esac
      case " $below " in *" $dir "*) ;; *) echo "lint: $f includes $inc: $layer may not look at $dir" ;; esac
    done
  done
done >"$found"
[ -s "$found" ] && { cat "$found"; bad=1; }
rm -f "$found"

# Archives share one name space: a function that is defined twice is linked by chance.
if [ -d build/lint/lib ]; then
  twice=$(nm --defined-only -g build/lint/lib/*.a | awk 'NF == 3 && $2 ~ /[TDRB]/ { print $3 }' | sort | uniq -d)
  [ -z "$twice" ] || say "defined twice: $twice"
  python3 tests/lint_circles.py build/lint/lib/*.a || bad=1
fi

# One file starts programs, on a leash; no shell, anywhere.
hits=$(grep -rnE '\b(system|popen|v?fork|clone3?|posix_spawnp?|f?execl?[vpe]*) *\(' --include='*.c' core gen |
  grep -vE '^gen/sink/process\.c:[0-9]+:.*\b(fork|posix_spawn|execvp) *\(')
[ -z "$hits" ] || say "a process is started: $hits"
# Text functions that follow the locale.
hits=$(grep -rnE '\b(setlocale|strcoll|tolower|toupper|isalpha|isalnum|isdigit|isspace) *\(' --include='*.c' core gen)
[ -z "$hits" ] || say "follows the locale: $hits"
# Unfinished work.
hits=$(grep -rnE '\b(TODO|FIXME|XXX)\b' --include='*.c' --include='*.h' --include='*.mustache' --include='*.css' core gen templates themes)
[ -z "$hits" ] || say "unfinished: $hits"

# Leftovers of a merge, a patch or an editor.
hits=$(git ls-files 2>/dev/null | grep -E '\.(orig|rej|swp|bak)$|~$')
[ -z "$hits" ] || say "leftovers: $hits"

# The maps of the code name what there is: paths, and functions or types of a header.
for map in core/README.md gen/README.md; do
  for name in $(grep -oE '`[^` ]+`' "$map" | tr -d '`' | sort -u); do
    case $name in
      core/* | gen/* | templates/* | themes/* | tests/* | site-example/*)
        case $name in *NAME*) continue ;; esac
        set -- $name
        [ -e "$1" ] || say "$map: there is no $name" ;;
      hm_*)
        grep -rqw --include='*.h' -- "$name" core gen || say "$map: no header has $name" ;;
    esac
  done
  for room in "${map%/*}"/*/; do
    grep -q "^| \`${room%/}\` |" "$map" || say "$map: no room ${room%/}"
  done
done

# A statement a line, in one layout for all.
hits=$(git ls-files 'core/*.[ch]' 'gen/*.[ch]' | xargs clang-format --dry-run 2>&1 | grep -oE '^[^:]*:[0-9]+' | sort -u | head -n 5)
[ -z "$hits" ] || say "not as clang-format lays it out: $hits"

python3 tests/lint_code.py || bad=1
mandoc -T lint -W warning gen/cli/*.[157] || bad=1
grep -nE '^\.[A-Z][a-z] Dq .* Dq ' gen/cli/*.[157] && say "each Dq quotes to the end of its line: Do TEXT Dc"
extra=$(git ls-files | cut -d/ -f1 | sort -u | grep -vE '^(gen|templates|themes|core|tests|site-example|Makefile|README\.md|LICENSE|\..*)$')
[ -z "$extra" ] || say "at the top level: $extra"
[ $bad -eq 0 ] && echo "lint: clean"
exit $bad
