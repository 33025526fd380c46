#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/suite/shard.hpp"

namespace assay::inline v0 {

/// Where a variable of the environment is looked up; null if it is not set.
using EnvironmentLookup = std::function<const char*(const char* name)>;

namespace detail {

/// How a scheduler tells a process its number among those of one kind.
struct ShardVariables {
  const char* scheduler;
  const char* index;
  const char* count;
  const char* first;  ///< the lowest index: a number, or the variable that holds it
};

/// Jobs of which each is given a part by its number.
inline constexpr std::array<ShardVariables, 6> job_arrays{
    {{"a Slurm job array", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"},
     {"a Kubernetes Indexed Job", "JOB_COMPLETION_INDEX", "ASSAY_SHARDS", "0"},
     {"an AWS Batch array", "AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", "0"},
     {"GitLab's parallel jobs", "CI_NODE_INDEX", "CI_NODE_TOTAL", "1"},
     {"CircleCI's parallel jobs", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", "0"},
     {"Buildkite's parallel jobs", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", "0"}}};

/// Processes of one job. Slurm sets SLURM_STEP_NUM_TASKS below srun only: a batch script has SLURM_PROCID = 0 and would
/// drop the other tasks' parts.
inline constexpr std::array<ShardVariables, 3> job_processes{
    {{"tasks of srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "0"},
     {"processes of Open MPI's mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "0"},
     {"processes of a PMI launcher", "PMI_RANK", "PMI_SIZE", "0"}}};

}  // namespace detail

/// Which part of a run this process is to do, as the scheduler that started it tells: Slurm arrays and srun, Kubernetes
/// Indexed Jobs (which do not tell how many there are: set ASSAY_SHARDS), AWS Batch arrays, GitLab, CircleCI,
/// Buildkite, and processes of mpirun; several processes of a member of an array share its part. Errors: `not_found` if
/// nothing tells; `invalid` if variables contradict each other or are no numbers.
[[nodiscard]] Result<Shard> shard_from_environment(
    const EnvironmentLookup& lookup = [](const char* name) -> const char* { return std::getenv(name); });

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/suite/shard_from_environment.ipp"
#endif
