#!/bin/sh
# Prolog (and Epilog) of slurm.conf: a code other than 0 drains the node, and the job goes elsewhere.
#   Prolog=/etc/slurm/assay_prolog.sh
#   PrologFlags=Alloc
exec "${ASSAY:-assay}" node check --scheme slurm --no-config \
  --manifest "${ASSAY_MANIFEST:-/etc/assay/node.json}" \
  --state "${ASSAY_STATE:-/var/lib/assay/node.state}" \
  --time-limit "${ASSAY_TIME_LIMIT:-50}"
