#pragma once

#include "assay/collectives/measurement/sweep_options.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<double> parse_size(std::string_view text) {
  const auto refused = [&] {
    return failure(
        ErrorKind::invalid,
        "'" + std::string(text) +
            "' is no size; give bytes, or a number with K, M or G (powers of 1024), kB, MB or GB (powers of 1000)");
  };
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (code != std::errc() || !(number >= 0)) return refused();
  double factor = 0;
  constexpr std::string_view prefixes = "KMGT";
  if (unit.empty() || unit == "B") {
    factor = 1;
  } else {
    const char letter = unit[0] == 'k' || unit[0] == 'm' || unit[0] == 'g' || unit[0] == 't'
                            ? static_cast<char>(unit[0] - 'a' + 'A')
                            : unit[0];
    const std::size_t power = prefixes.find(letter);
    const std::string_view rest = unit.substr(1);
    if (power == std::string_view::npos || !(rest.empty() || rest == "iB" || rest == "B")) return refused();
    factor = std::pow(rest == "B" ? 1000.0 : 1024.0, static_cast<double>(power + 1));
  }
  const double bytes = std::floor(number * factor);
  if (!(bytes <= 1e15)) return refused();
  return bytes;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const SweepOptions& options, int ranks) {
  const auto refused = [](const std::string& what) {
    return Result<void>(failure(ErrorKind::invalid, "SweepOptions::" + what));
  };
  if (options.operations.empty() || options.types.empty() || options.reductions.empty())
    return refused("operations, types and reductions need one entry each at least");
  if (options.root < 0 || options.root >= ranks)
    return refused("root is " + std::to_string(options.root) + "; it must be a rank, 0 to " +
                   std::to_string(ranks - 1));
  if (!options.out_of_place && !options.in_place)
    return refused("out_of_place and in_place are both off; nothing is left to measure");
  if (options.iterations < 1) return refused("iterations is 0; measure once at least");
  if (!(options.memory_bytes > 0)) return refused("memory_bytes must be more than 0");
  if (options.deadline <= std::chrono::steady_clock::duration::zero()) return refused("deadline must be more than 0 s");
  for (const double size : options.sizes)
    if (!(size >= 0 && size <= 1e15)) return refused("sizes must be from 0 to 1e15 bytes");
  if (!options.sizes.empty()) return {};
  if (!(options.least_bytes >= 0 && options.most_bytes <= 1e15 && options.least_bytes <= options.most_bytes))
    return refused("least_bytes and most_bytes must be from 0 to 1e15, the least first");
  if (!(options.step_factor > 1)) return refused("step_factor must be above 1");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<double> sizes_of(const SweepOptions& options) {
  if (!options.sizes.empty()) return options.sizes;
  std::vector<double> sizes;
  for (double size = options.least_bytes; size <= options.most_bytes;) {
    sizes.push_back(size);
    size = std::fmax(std::floor(size * options.step_factor), size + 1);
  }
  return sizes;
}

}  // namespace assay::inline v0
