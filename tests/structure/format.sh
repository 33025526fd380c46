#!/usr/bin/env bash
# Whether every source is as clang-format 14 lays it out by .clang-format; other versions lay out otherwise.
# format.sh SOURCE-FOLDER PYTHON-ENVIRONMENT. Exit code: 0 all are, 1 some are not, 77 that version is not here.
set -uo pipefail
cd "${1:?the folder of the sources}" || exit 2
for formatter in "${2:-}/bin/clang-format" clang-format-14 clang-format; do
  if command -v "$formatter" >/dev/null && [[ $("$formatter" --version) =~ version\ 14\. ]]; then
    # A copy is laid out, and compared: --dry-run takes the comment behind an inline namespace for wrong that it writes itself.
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    find include tests examples bench \( -name '*.hpp' -o -name '*.ipp' -o -name '*.cpp' -o -name '*.h' -o -name '*.c' -o -name '*.cu' \) -not -path '*/build/*' >"$copy/files"
    xargs -a "$copy/files" cp --parents -t "$copy" .clang-format || exit 2
    (cd "$copy" && xargs -a files -n 40 -P "$(nproc)" "$formatter" -i) || exit 2
    wrong=$(while read -r file; do cmp -s "$file" "$copy/$file" || echo "  $file"; done <"$copy/files")
    [ -z "$wrong" ] && exit 0
    printf 'Lay them out with %s -i (version 14):\n%s\n' "$formatter" "$wrong" >&2
    exit 1
  fi
done
echo "skipped: clang-format 14 is not here; $(cat "${2:-}/reason" 2>/dev/null || echo 'cmake/test.sh installs it')"
exit 77
