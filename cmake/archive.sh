#!/usr/bin/env bash
# Makes the release archive assay-<version>.tar.gz in the folder of the argument (build, if there is none) from the files that
# git knows, as they are in the work tree; in an unpacked archive, where there is no git, from all files but build/.
# The same files make the same bytes, on any machine: order, times, owners and modes are set.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
destination=${1:-$root/build}
mkdir -p "$destination"
destination=$(cd "$destination" && pwd)
cd "$root"

version=$(sed -n 's/.* version = "\([0-9.]*\)".*/\1/p' include/assay/core/version.hpp)
if [ -e .git ]; then
  list() { git ls-files -z --cached; }
  time=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
else
  list() { find . -path ./build -prune -o \( -type f -o -type l \) -printf '%P\0'; }
  time=${SOURCE_DATE_EPOCH:-$(stat -c %Y CMakeLists.txt)}
fi

archive=$destination/assay-$version.tar.gz
list | LC_ALL=C sort -z | tar --create --file=- --no-recursion --null --verbatim-files-from --files-from=- --format=ustar \
  --transform="s,^,assay-$version/,S" --mtime="@$time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX |
  gzip -9 -n >"$archive.part"
mv "$archive.part" "$archive"
sha256sum "$archive"
