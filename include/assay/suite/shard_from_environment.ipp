#pragma once

#include "assay/suite/shard_from_environment.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<std::size_t> number_of_variable(const char* name,
                                                                                std::string_view text) {
  std::size_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size())
    return failure(ErrorKind::invalid,
                   std::string(name) + " is '" + std::string(text) + "'; it should be a whole number");
  return number;
}

/// The shard that these variables tell; none if the scheduler is not there.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<std::optional<Shard>> shard_of(const ShardVariables& variables,
                                                                               const EnvironmentLookup& lookup) {
  const char* const index_text = lookup(variables.index);
  const char* const count_text = lookup(variables.count);
  const bool is_step = std::string_view(variables.index) == "SLURM_PROCID";
  if (index_text == nullptr || (is_step && count_text == nullptr)) return std::optional<Shard>();
  if (count_text == nullptr)
    return failure(ErrorKind::invalid, std::string(variables.index) + " tells a part of " + variables.scheduler +
                                           ", but not of how many; set " + variables.count + " to their number");
  const bool named = variables.first[0] > '9';
  const char* const first_text = named ? lookup(variables.first) : variables.first;
  const auto index = number_of_variable(variables.index, index_text),
             count = number_of_variable(variables.count, count_text);
  const auto first =
      first_text != nullptr ? number_of_variable(variables.first, first_text) : Result<std::size_t>(std::size_t{0});
  for (const auto* number : {&index, &count, &first})
    if (!*number) return number->propagate();
  if (index.value() < first.value() || index.value() - first.value() >= count.value())
    return failure(ErrorKind::invalid, std::string(variables.index) + " is " + index_text + " and " + variables.count +
                                           " " + count_text + ", the lowest index " + std::to_string(first.value()) +
                                           "; number the parts one after another, without steps or gaps");
  return std::optional<Shard>({index.value() - first.value() + 1, count.value()});
}

/// The shard that all of the schedulers that are there agree on.
template <std::size_t N>
[[nodiscard]] Result<std::optional<Shard>> agreed_shard(const std::array<ShardVariables, N>& schedulers,
                                                        const EnvironmentLookup& lookup) {
  std::optional<Shard> agreed;
  const char* by = nullptr;
  for (const ShardVariables& variables : schedulers) {
    const auto shard = shard_of(variables, lookup);
    if (!shard) return shard.propagate();
    if (!shard.value()) continue;
    if (agreed && (agreed->index != shard.value()->index || agreed->count != shard.value()->count))
      return failure(ErrorKind::invalid, std::string(variables.scheduler) + " say that this is part " +
                                             name_of(*shard.value()) + ", " + by + " that it is " + name_of(*agreed) +
                                             "; give --shard i/n");
    agreed = shard.value();
    by = variables.scheduler;
  }
  return agreed;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<Shard> shard_from_environment(const EnvironmentLookup& lookup) {
  const auto member = detail::agreed_shard(detail::job_arrays, lookup);
  if (!member) return member.propagate();
  const auto process = detail::agreed_shard(detail::job_processes, lookup);
  if (!process) return process.propagate();
  if (!member.value() && !process.value()) {
    std::string variables;
    for (const auto& scheduler : detail::job_arrays)
      variables += std::string(variables.empty() ? "" : ", ") + scheduler.index;
    for (const auto& scheduler : detail::job_processes) variables += std::string(", ") + scheduler.index;
    return failure(ErrorKind::not_found,
                   "the environment tells no part of a run: none of " + variables + " is set; give --shard i/n");
  }
  const Shard outer = member.value().value_or(Shard{}), inner = process.value().value_or(Shard{});
  return Shard{(outer.index - 1) * inner.count + inner.index, outer.count * inner.count};
}

}  // namespace assay::inline v0
