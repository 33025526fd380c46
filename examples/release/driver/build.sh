#!/bin/sh
# Builds the driver, and the program that times it, in their folder. ASSAY_INCLUDE: the folder that holds assay/plugin/plugin.h.
set -eu
cd "$(dirname "$0")"
cc -std=c99 -O2 -shared -fPIC -I"$ASSAY_INCLUDE" plugin.c kernels.c -o libdriver.so -lm
cc -std=gnu99 -O2 bench.c kernels.c -o bench -lm
