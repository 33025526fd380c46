#!/bin/sh
# HealthCheckProgram of slurm.conf. Slurm ignores its exit code: the program itself must drain.
#   HealthCheckProgram=/etc/slurm/assay_health_check.sh
#   HealthCheckInterval=300
#   HealthCheckNodeState=ANY,CYCLE
node="${SLURMD_NODENAME:-$(hostname -s)}"
verdict=$("${ASSAY:-assay}" node check --scheme nagios --no-config \
  --manifest "${ASSAY_MANIFEST:-/etc/assay/node.json}" \
  --state "${ASSAY_STATE:-/var/lib/assay/node.state}" \
  --time-limit "${ASSAY_TIME_LIMIT:-50}" | head -n 1)
# Drain on CRITICAL and UNKNOWN; never touch a node that somebody else drained.
case "$verdict" in
  CRITICAL* | UNKNOWN* | "")
    "${SCONTROL:-scontrol}" update NodeName="$node" State=DRAIN Reason="assay: ${verdict:-no verdict}" ;;
esac
exit 0
