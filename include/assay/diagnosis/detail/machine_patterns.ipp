#pragma once

#include "assay/diagnosis/detail/machine_patterns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<std::uint64_t> flipped_bits(const FailingOutput& output) {
  if (only_infinities_fail(output)) return std::nullopt;  // whose sign is no matter of chance
  std::vector<std::uint64_t> masks;
  const int bits = output.format.is_float() ? output.format.layout.bits() : 8 * output.format.bytes;
  for (int first = bits - 1; first >= 0; --first) masks.push_back(std::uint64_t{1} << first);
  for (int first = bits - 1; first >= 0; --first)
    for (int second = first - 1; second >= 0; --second)
      if (output.violations >= 2 ||
          second + 1 < first)  // of a single number, a carry looks like two bits beside each other
        masks.push_back(std::uint64_t{1} << first | std::uint64_t{1} << second);
  // More bits where two elements or more agree on them; the lowest ones may be rounding errors.
  if (output.violations >= 2)
    for (std::size_t i = 0; i < output.size(); ++i)
      if (output.violated[i]) {
        const std::uint64_t mask = output.format.encode(output.actual[i]) ^ output.format.encode(output.expected[i]);
        for (int cleared = 0; cleared < bits - 1; ++cleared)
          if (std::popcount(mask >> cleared) <= 4) masks.push_back(mask >> cleared << cleared);
        break;
      }
  std::size_t looked_at = 0;
  for (std::size_t i = 0; i < output.size() && looked_at < 64; ++i) {
    if (!output.violated[i]) continue;
    if (is_nan(output.expected[i]) && is_infinite(output.actual[i])) continue;  // NaN without its highest fraction bit
    ++looked_at;
    if (is_nan(output.expected[i])) return std::nullopt;
    if (!is_finite(output.expected[i]))
      std::erase_if(masks, [](std::uint64_t mask) { return std::popcount(mask) > 1; });
    const std::uint64_t code = output.format.encode(output.actual[i]);
    const AcceptanceInterval accepted = output.accepted(i);
    std::erase_if(masks, [&](std::uint64_t mask) { return !accepted.contains(output.format.decode(code ^ mask)); });
    if (masks.empty()) return std::nullopt;
  }
  return looked_at > 0 ? std::optional(masks.front()) : std::nullopt;
}

/// The one fraction bit in which wrong elements, however many, differ from right ones: not one of the last two, which
/// roundings change. Four wrong elements tell it, or two where it is of less weight than any bit of the right numbers,
/// so that no other terms of their sums come to it.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<std::uint64_t> same_flipped_fraction_bit(
    const FailingOutput& output) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i]) least = std::min(least, output.expected[i]), most = std::max(most, output.expected[i]);
  for (int place = output.format.layout.fraction_bits - 1; place >= 2; --place) {
    const std::uint64_t mask = std::uint64_t{1} << place;
    std::size_t upward = 0;
    bool fits = true, lowest = true;
    for (std::size_t i = 0, looked_at = 0; i < output.size() && fits && looked_at < 4096; ++i) {
      if (!output.violated[i]) continue;
      ++looked_at;
      if (!is_finite(output.actual[i]) || !is_finite(output.expected[i])) return std::nullopt;
      const std::uint64_t code = output.format.encode(output.actual[i]);
      fits = output.accepted(i).contains(output.format.decode(code ^ mask));
      upward += (code & mask) != 0 ? 1 : 0;
      lowest = lowest && (output.format.encode(output.expected[i]) & (2 * mask - 1)) == 0;
    }
    const bool both_ways =
        upward > 0 &&
        upward < output.violations;  // which no loss of bits does; with many digits there is no need of it
    const bool many_digits = output.format.layout.precision() >= 24 && place >= 6;
    if (fits && ((output.violations >= 4 && least < most && (both_ways || many_digits)) || (lowest && many_digits)))
      return mask;
  }
  return std::nullopt;
}

/// The bits in which four or more wrong integers differ from right ones, the same in all of them, upward and downward;
/// of flags, which have but one, nothing is told.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<std::uint64_t> same_flipped_integer_bits(
    const FailingOutput& output) {
  std::optional<std::uint64_t> mask;
  std::size_t upward = 0;
  bool flags = true;
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (!output.violated[i]) continue;
    const std::uint64_t own = output.format.encode(output.actual[i]) ^ output.format.encode(output.expected[i]);
    if (own != mask.value_or(own)) return std::nullopt;
    mask = own;
    upward += output.actual[i] > output.expected[i] ? 1 : 0;
    flags = flags && std::max(output.actual[i], output.expected[i]) <= 1;
  }
  const bool told =
      !flags && output.violations >= 4 && std::popcount(*mask) <= 3 && upward > 0 && upward < output.violations;
  return told ? mask : std::nullopt;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<std::uint64_t> same_flipped_bits(const FailingOutput& output) {
  if (output.violations < 2) return std::nullopt;
  return output.format.is_float() ? same_flipped_fraction_bit(output) : same_flipped_integer_bits(output);
}

/// What all distances between three or more wrong elements are multiples of, if that is 4 or more; else 0.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t equal_distances(const FailingOutput& output) {
  std::size_t last = 0, distance = 0, count = 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (!output.violated[i]) continue;
    if (++count >= 2) distance = std::gcd(distance, i - last);
    last = i;
  }
  return count < 3 || distance < 4 ? 0 : distance;
}

/// Whether so many elements are a row, or a matrix, or another slice of the output.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_slice(const FailingOutput& output, std::size_t elements) {
  std::size_t slice = 1;
  for (std::size_t d = output.extents.size(); d-- > 1;) {
    slice *= static_cast<std::size_t>(output.extents[d]);
    if (slice == elements) return true;
  }
  return false;
}

/// Wrong elements fill blocks of one size and no others: one in so many, or one whose place is none of rows and
/// columns.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<FaultyBlocks> faulty_blocks(const FailingOutput& output) {
  for (std::size_t size = 256; size >= 16 && output.violations > 0; size /= 2) {
    if (output.size() < 2 * size) continue;
    const std::size_t blocks = (output.size() + size - 1) / size;
    std::vector<std::size_t> hit;
    for (std::size_t i = 0; i < output.size(); ++i)
      if (output.violated[i] && (hit.empty() || hit.back() != i / size)) hit.push_back(i / size);
    if (4 * output.violations < hit.size() * size || 2 * hit.size() > blocks + 1)
      continue;  // hardly filled, or too many
    if (hit.size() == 1 && is_slice(output, size)) continue;
    if (hit.size() == 1) {
      if (size >= 32 && 4 * output.violations >= 3 * size && failure_places(output).density < 0.9)
        return FaultyBlocks{size, 0};
      continue;
    }
    if (blocks < 4) continue;
    std::size_t period = 0;
    for (const std::size_t block : hit) period = std::gcd(period, block - hit.front());
    const bool of_rows = is_slice(output, period * size);  // what is wrong in each slice is no matter of the machine
    const std::size_t due = (blocks - hit.front() % period + period - 1) / period;
    if (period > 1 && !of_rows && 2 * hit.size() >= due) return FaultyBlocks{size, period};
  }
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::string machine_recurrence(const FailingOutput& output) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i]) wrong.push_back(i);
  if (wrong.size() < 2) return {};
  const std::size_t columns = output.columns(), column = wrong.front() % columns;
  bool one_column = true;
  for (const std::size_t i : wrong) one_column = one_column && i % columns == column;
  const auto recurs = [](std::size_t period) {
    return "they recur every " + std::to_string(period) +
           " elements, and all others are right: one lane, warp or multiprocessor";
  };
  for (std::size_t period = 64; period >= 8; period /= 2) {
    const std::size_t lane = wrong.front() % period, all = (output.size() - lane + period - 1) / period;
    bool of_lane = true;
    for (const std::size_t i : wrong) of_lane = of_lane && i % period == lane;
    const bool enough =
        (wrong.size() >= 4 && period >= 16) || (2 * wrong.size() >= all && (wrong.size() > 2 || period >= 32));
    const bool of_column = one_column && (columns > period || column == 0 || column + 1 == columns);
    if (of_lane && enough && !of_column) return recurs(period);
  }
  const auto blocks = faulty_blocks(output);
  if (!blocks) return {};
  if (blocks->period > 0) return recurs(blocks->period * blocks->size);
  return "they fill one block of " + std::to_string(blocks->size) +
         " elements, wherever rows begin: one warp or multiprocessor";
}

ASSAY_DETAIL_HEADER_INLINE std::string blocks_of_neighbors(const FailingOutput& output) {
  for (std::size_t size = 128; size >= 16; size /= 2) {
    if (is_slice(output, size) || output.size() < 2 * size ||
        (output.columns() > size && output.columns() % size == 0 && output.rows() > 1))
      continue;
    std::vector<std::size_t> wrong_in(output.size() / size + 1);
    bool before = true, behind = true;
    for (std::size_t i = 0; i < output.size() && (before || behind); ++i) {
      if (!output.violated[i]) continue;
      ++wrong_in[i / size];
      before = before && i >= size && output.accepted(i - size).contains(output.actual[i]);
      behind = behind && i + size < output.size() && output.accepted(i + size).contains(output.actual[i]);
    }
    if (!before && !behind) continue;
    std::size_t hit = 0;
    bool apart = true, filled = true;
    for (std::size_t block = 0; block < wrong_in.size(); ++block) {
      if (wrong_in[block] == 0) continue;
      ++hit;
      filled = filled && 2 * wrong_in[block] >= size;
      apart = apart && (block == 0 || wrong_in[block - 1] == 0);
    }
    if (filled && apart && hit > 0 && 2 * hit * size < output.size())
      return "they fill " + std::to_string(hit) + (hit > 1 ? " blocks of " : " block of ") + std::to_string(size) +
             " elements, and are the results of the one " + (before ? "before" : "behind") +
             ": one warp or multiprocessor";
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> by_machine_pattern(const FailingOutput& output) {
  const double share =
      output.size() > 0 ? static_cast<double>(output.violations) / static_cast<double>(output.size()) : 0;
  const auto named = [](const char* kind, std::string sentence) {
    return Diagnosis{FaultClass::state, kind, Confidence::likely, {std::move(sentence)}, {}};
  };
  const auto in_bits = [&](std::uint64_t bits, std::size_t distance) {
    char mask[32];
    std::snprintf(mask, sizeof mask, "0x%llx", static_cast<unsigned long long>(bits));
    return named(output.violations == 1 ? "flipped_bit" : "flipped_bits",
                 "wrong elements differ from right ones in the bits " + std::string(mask) + " alone" +
                     (distance > 0 ? ", every " + std::to_string(distance) + " elements" : ""));
  };
  if (const auto bits = same_flipped_bits(output)) return in_bits(*bits, 0);
  // A single number tells a bit only where it is known to many digits.
  if (output.size() == 1 && output.violations == 1 && output.format.is_float() &&
      output.format.layout.precision() >= 24 &&
      static_cast<double>(output.error[0]) < 0x1p-16 * std::fabs(output.expected[0]))
    if (const auto bits = flipped_bits(output);
        bits && *bits < std::uint64_t{1} << output.format.layout.fraction_bits && (*bits & (*bits - 1)) == 0)
      return in_bits(*bits, 0);
  if (output.size() < 2 || output.violations == 0 || output.violations == output.size() ||
      (!output.format.is_float() && output.size() < 64))
    return std::nullopt;
  const std::size_t distance = share < 0.15 ? equal_distances(output) : 0;
  double largest = 0;
  const double smallest = output.format.min_subnormal();
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i] && (!is_finite(output.actual[i]) || !is_finite(output.expected[i])))
      largest = HUGE_VAL;
    else if (output.violated[i])
      largest = std::max(largest,
                         std::fabs(output.actual[i] - output.expected[i]) / (std::fabs(output.expected[i]) + smallest));
  const bool coarse = largest > std::min(64 * output.format.unit_roundoff(), 0.1);
  if ((share < 0.15 && (output.violations <= 16 || distance > 0)) || output.violations == 1)
    if (const auto bits = flipped_bits(output); bits && (coarse || output.violations >= 3))
      return in_bits(*bits, distance);
  const bool one_column = output.rows() > 1 && distance % output.columns() == 0;
  if (distance >= 8 && coarse && !one_column)
    return named("faulty_lane", "all wrong elements lie at multiples of " + std::to_string(distance) +
                                    " elements from the first: one lane of the machine");
  if (const auto blocks = faulty_blocks(output); blocks && failure_places(output).density < 0.9)
    return named("faulty_multiprocessor",
                 "the wrong elements fill " +
                     (blocks->period > 0 ? "every " + std::to_string(blocks->period) + "th" : std::string("one")) +
                     " block of " + std::to_string(blocks->size) + " elements, wherever rows begin, and no other");
  return std::nullopt;
}

}  // namespace assay::inline v0::detail
