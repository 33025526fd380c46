#!/bin/sh
# For git bisect run, in the driver's folder: is this commit right on the recorded case? 125: it cannot be told.
./build.sh || exit 125
"$ASSAY" run --no-config --quiet --plugin ./libdriver.so --case "$1"
code=$?
[ "$code" -lt 2 ] || exit 125
exit "$code"
