#!/bin/sh
# Installs what the tests need from npm, as tests/package-lock.json has it, into a folder: tests/npm.sh FOLDER [PACKAGE]
# PACKAGE: the folder of another package.json and its lock.
# Without npm, or without its registry, it says so and ends well: the tests that need it skip.
set -eu
here=$(dirname "$0")
folder=$1
package=${2:-$here}
command -v npm >/dev/null || [ "$(id -u)" -ne 0 ] || "$here/setup.sh" nodejs npm || true
if ! command -v npm >/dev/null; then
  echo "npm is not installed (sudo apt-get install npm): the tests that need packages of it are skipped" >&2
  exit 0
fi
cmp -s "$package/package-lock.json" "$folder/node_modules/.package-lock.of" && exit 0
mkdir -p "$folder"
cp "$package/package.json" "$package/package-lock.json" "$folder"
if (cd "$folder" && timeout 300 npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error) >"$folder/npm.log" 2>&1; then
  cp "$package/package-lock.json" "$folder/node_modules/.package-lock.of"
else
  rm -rf "$folder/node_modules"
  echo "npm could not install its packages (see $folder/npm.log): the tests that need them are skipped" >&2
fi
