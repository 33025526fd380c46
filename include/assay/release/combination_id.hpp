#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "assay/release/version_matrix.hpp"
#include "assay/suite/shard.hpp"

namespace assay::inline v0 {

/// A combination by name: axis → value.
using NamedCombination = std::map<std::string, std::string>;

/// The combination with names of axes and values. Precondition: positions are those of `matrix`.
[[nodiscard]] inline NamedCombination named_combination(const VersionMatrix& matrix,
                                                        std::span<const std::uint16_t> combination) {
  NamedCombination named;
  for (std::size_t axis = 0; axis < combination.size(); ++axis)
    named[matrix.axes[axis].name] = matrix.axes[axis].values[combination[axis]];
  return named;
}

/// The combination as a person reads it, axes in the order of their names.
[[nodiscard]] inline std::string combination_text(const NamedCombination& combination) {
  std::string text;
  for (const auto& [axis, value] : combination)
    text.append(text.empty() ? "" : " ").append(axis).append("=").append(value);
  return text;
}

/// A hash of axes and values (FNV-1a of 64 bits, mixed as MurmurHash3 ends) that is the same on every machine, in every
/// version, and for any order of axes and of their values: shards and folders of results stay when the matrix grows.
[[nodiscard]] std::uint64_t combination_hash(const NamedCombination& combination);

/// Names the folder of a combination's results: "c-" and 16 hexadecimal digits.
[[nodiscard]] inline std::string combination_id(const NamedCombination& combination) {
  const std::uint64_t hash = combination_hash(combination);
  std::string id = "c-";
  for (int shift = 60; shift >= 0; shift -= 4) id += "0123456789abcdef"[hash >> shift & 15];
  return id;
}

/// Whether the combination belongs to that part of the work. The parts are disjoint and together whole. Precondition: a
/// valid shard.
[[nodiscard]] inline bool in_shard(const NamedCombination& combination, const Shard& shard) {
  return shard.holds(static_cast<std::size_t>(combination_hash(combination) % shard.count));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/combination_id.ipp"
#endif
