#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
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

/// Processes of one job. Slurm sets SLURM_STEP_NUM_TASKS below srun only: a batch script has SLURM_PROCID = 0 and would drop the other tasks' parts.
inline constexpr std::array<ShardVariables, 3> job_processes{
    {{"tasks of srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "0"},
     {"processes of Open MPI's mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "0"},
     {"processes of a PMI launcher", "PMI_RANK", "PMI_SIZE", "0"}}};

[[nodiscard]] inline Result<std::size_t> number_of_variable(const char* name, std::string_view text) {
  std::size_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size())
    return failure(ErrorKind::invalid, std::string(name) + " is '" + std::string(text) + "'; it should be a whole number");
  return number;
}

/// The shard that these variables tell; none if the scheduler is not there.
[[nodiscard]] inline Result<std::optional<Shard>> shard_of(const ShardVariables& variables, const EnvironmentLookup& lookup) {
  const char* const index_text = lookup(variables.index);
  const char* const count_text = lookup(variables.count);
  const bool is_step = std::string_view(variables.index) == "SLURM_PROCID";
  if (index_text == nullptr || (is_step && count_text == nullptr)) return std::optional<Shard>();
  if (count_text == nullptr)
    return failure(ErrorKind::invalid, std::string(variables.index) + " tells a part of " + variables.scheduler +
                                           ", but not of how many; set " + variables.count + " to their number");
  const bool named = variables.first[0] > '9';
  const char* const first_text = named ? lookup(variables.first) : variables.first;
  const auto index = number_of_variable(variables.index, index_text), count = number_of_variable(variables.count, count_text);
  const auto first = first_text != nullptr ? number_of_variable(variables.first, first_text) : Result<std::size_t>(std::size_t{0});
  for (const auto* number : {&index, &count, &first})
    if (!*number) return number->propagate();
  if (index.value() < first.value() || index.value() - first.value() >= count.value())
    return failure(ErrorKind::invalid, std::string(variables.index) + " is " + index_text + " and " + variables.count + " " + count_text +
                                           ", the lowest index " + std::to_string(first.value()) +
                                           "; number the parts one after another, without steps or gaps");
  return std::optional<Shard>({index.value() - first.value() + 1, count.value()});
}

/// The shard that all of the schedulers that are there agree on.
template <std::size_t N>
[[nodiscard]] Result<std::optional<Shard>> agreed_shard(const std::array<ShardVariables, N>& schedulers, const EnvironmentLookup& lookup) {
  std::optional<Shard> agreed;
  const char* by = nullptr;
  for (const ShardVariables& variables : schedulers) {
    const auto shard = shard_of(variables, lookup);
    if (!shard) return shard.propagate();
    if (!shard.value()) continue;
    if (agreed && (agreed->index != shard.value()->index || agreed->count != shard.value()->count))
      return failure(ErrorKind::invalid, std::string(variables.scheduler) + " say that this is part " + name_of(*shard.value()) + ", " +
                                             by + " that it is " + name_of(*agreed) + "; give --shard i/n");
    agreed = shard.value();
    by = variables.scheduler;
  }
  return agreed;
}

}  // namespace detail

/// Which part of a run this process is to do, as the scheduler that started it tells: Slurm arrays and srun, Kubernetes Indexed Jobs (which do not
/// tell how many there are: set ASSAY_SHARDS), AWS Batch arrays, GitLab, CircleCI, Buildkite, and processes of mpirun; several processes of a
/// member of an array share its part.
/// Errors: `not_found` if nothing tells; `invalid` if variables contradict each other or are no numbers.
[[nodiscard]] inline Result<Shard> shard_from_environment(const EnvironmentLookup& lookup = [](const char* name) -> const char* {
  return std::getenv(name);
}) {
  const auto member = detail::agreed_shard(detail::job_arrays, lookup);
  if (!member) return member.propagate();
  const auto process = detail::agreed_shard(detail::job_processes, lookup);
  if (!process) return process.propagate();
  if (!member.value() && !process.value()) {
    std::string variables;
    for (const auto& scheduler : detail::job_arrays) variables += std::string(variables.empty() ? "" : ", ") + scheduler.index;
    for (const auto& scheduler : detail::job_processes) variables += std::string(", ") + scheduler.index;
    return failure(ErrorKind::not_found, "the environment tells no part of a run: none of " + variables + " is set; give --shard i/n");
  }
  const Shard outer = member.value().value_or(Shard{}), inner = process.value().value_or(Shard{});
  return Shard{(outer.index - 1) * inner.count + inner.index, outer.count * inner.count};
}

}  // namespace assay::inline v0
