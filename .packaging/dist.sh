#!/bin/sh
# One archive with the program and the libraries that it needs, for machines where nothing is
# installed: .packaging/dist.sh BUILD VERSION. The C library is the machine's own: what is built on
# Debian 12 runs on Debian 12 and 13 and on Ubuntu 24.04. Same sources, same machine: same bytes.
set -eu
build=$1 version=$2
top=$(cd "$(dirname "$0")/.." && pwd)
name=hmirror-$version-linux-$(uname -m)
out=$top/$build/dist root=$top/$build/dist/$name
rm -rf "$root" && mkdir -p "$root/bin" "$root/lib" "$root/share/man/man1" "$root/share/man/man5" "$root/share/man/man7" \
  "$root/share/hmirror/udunits" "$root/share/doc"
# DT_RPATH, not DT_RUNPATH: it also holds for the libraries of the libraries.
make -C "$top" --no-print-directory -j"$(nproc)" all BUILD="$build/dist/objects" CFLAGS="-O3" \
  LDFLAGS='-s -Wl,--disable-new-dtags,-rpath,\$$ORIGIN/../lib'
install -m 755 "$out/objects/hmirror" "$root/bin/hmirror"
for lib in $(ldd "$root/bin/hmirror" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p'); do
  case $(basename "$lib") in
    libc.so.* | libm.so.* | libdl.so.* | librt.so.* | libpthread.so.* | libresolv.so.*) continue ;;
  esac
  install -m 644 "$lib" "$root/lib/"
  package=$(dpkg-query -S "$(readlink -f "$lib")" 2>/dev/null | sed 's/:.*//' | head -n 1)
  if [ -n "$package" ] && [ -f "/usr/share/doc/$package/copyright" ]; then
    install -D -m 644 "/usr/share/doc/$package/copyright" "$root/share/doc/$package.copyright"
  fi
done
install -m 644 /usr/share/xml/udunits/*.xml "$root/share/hmirror/udunits/"
install -m 644 "$top"/gen/cli/*.1 "$root/share/man/man1/"
install -m 644 "$top"/gen/cli/*.5 "$root/share/man/man5/"
install -m 644 "$top"/gen/cli/*.7 "$root/share/man/man7/"
install -m 644 "$top/README.md" "$top/LICENSE" "$root/"
tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf - "$name" |
  gzip -9n >"$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
rm -rf "$root"
echo "$build/dist/$name.tar.gz"
