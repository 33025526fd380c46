#!/bin/sh
# Labels a node by the exit code of its check, and taints it while it is unfit.
#   NODE=worker-3 label_node.sh
kubectl="${KUBECTL:-kubectl}"
"${ASSAY:-assay}" node check --no-config --scheme nagios --manifest "${ASSAY_MANIFEST:-/etc/assay/node.json}"
case $? in
  0) health=ok ;;
  1) health=warning ;;
  2) health=critical ;;
  *) health=unknown ;;
esac
$kubectl label node "$NODE" --overwrite "assay.dev/health=$health"
case $health in
  ok | warning) $kubectl taint node "$NODE" assay.dev/unfit- || true ;;  # it may not be there
  *) $kubectl taint node "$NODE" --overwrite "assay.dev/unfit=$health:NoSchedule" ;;
esac
