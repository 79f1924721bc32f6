#!/bin/sh
# Builds the Debian package of this checkout in BUILD/deb, and has lintian look at it: deb.sh BUILD VERSION
set -eu
build=$1 version=$2
stated=$(sed -n '1s/^hmirror (\([^)]*\)).*/\1/p' .packaging/debian/changelog)
if [ "$stated" != "$version" ]; then
  echo "deb: .packaging/debian/changelog is of version $stated, the Makefile of $version: add an entry" >&2
  exit 2
fi
rm -rf "$build/deb"
mkdir -p "$build/deb/hmirror-$version"
tar -c --exclude=./build --exclude=./.git . | tar -x -C "$build/deb/hmirror-$version"
cd "$build/deb/hmirror-$version"
mv .packaging/debian debian
dpkg-buildpackage -us -uc -b >../build.log 2>&1 || { tail -n 40 ../build.log >&2; exit 2; }
cd ..
lintian --allow-root --fail-on error,warning,info --suppress-tags initial-upload-closes-no-bugs "hmirror_${version}_$(dpkg --print-architecture).changes"
ls "$PWD"/*.deb
