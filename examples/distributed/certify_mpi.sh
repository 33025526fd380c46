#!/usr/bin/env bash
# A certification in shards, one a process of mpirun, on a file system that all of them see; then one certificate of all:
#   mpirun -n 4 --map-by node --bind-to none certify_mpi.sh driver-release
#   assay certify --join results/part-* --out results/whole --by 'Ada L.' --attest notes
# It returns 0 whatever a shard's stages came to, since mpirun would end the other shards; the verdict is that of --join.
set -euo pipefail

rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:?start this by mpirun}} size=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-1}}
# Stages may start MPI jobs of their own, which must not take themselves for processes of this one. What a user sets stays.
while IFS='=' read -r name _; do
  case $name in
    OMPI_MCA_btl* | OMPI_MCA_pml* | OMPI_MCA_rmaps* | OMPI_ALLOW_RUN*) ;;
    OMPI_* | PMIX_* | PMI_* | PRTE_*) unset "$name" ;;
  esac
done < <(env)

code=0
assay certify --plan "${1:-${ASSAY_PLAN:-driver-release}}" --shard "$((rank + 1))/$size" --out "${ASSAY_RESULTS:-results}/part-$rank" || code=$?
echo "shard $((rank + 1))/$size ended with exit code $code"
