#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "assay/release/version_matrix.hpp"
#include "assay/suite/shard.hpp"

namespace assay::inline v0 {

/// A combination by name: axis → value.
using NamedCombination = std::map<std::string, std::string>;

/// The combination with names of axes and values. Precondition: positions are those of `matrix`.
[[nodiscard]] inline NamedCombination named_combination(const VersionMatrix& matrix, std::span<const std::uint16_t> combination) {
  NamedCombination named;
  for (std::size_t axis = 0; axis < combination.size(); ++axis) named[matrix.axes[axis].name] = matrix.axes[axis].values[combination[axis]];
  return named;
}

/// The combination as a person reads it, axes in the order of their names.
[[nodiscard]] inline std::string combination_text(const NamedCombination& combination) {
  std::string text;
  for (const auto& [axis, value] : combination) text.append(text.empty() ? "" : " ").append(axis).append("=").append(value);
  return text;
}

/// A hash of axes and values (FNV-1a of 64 bits, mixed as MurmurHash3 ends) that is the same on every machine, in every version, and
/// for any order of axes and of their values: shards and folders of results stay when the matrix grows.
[[nodiscard]] inline std::uint64_t combination_hash(const NamedCombination& combination) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&](std::string_view text) {
    for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
    hash = (hash ^ '\n') * 1099511628211u;
  };
  for (const auto& [axis, value] : combination) {
    add(axis);
    add(value);
  }
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
  hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
  return hash ^ (hash >> 33);
}

/// Names the folder of a combination's results: "c-" and 16 hexadecimal digits.
[[nodiscard]] inline std::string combination_id(const NamedCombination& combination) {
  const std::uint64_t hash = combination_hash(combination);
  std::string id = "c-";
  for (int shift = 60; shift >= 0; shift -= 4) id += "0123456789abcdef"[hash >> shift & 15];
  return id;
}

/// Whether the combination belongs to that part of the work. The parts are disjoint and together whole. Precondition: a valid shard.
[[nodiscard]] inline bool in_shard(const NamedCombination& combination, const Shard& shard) {
  return shard.holds(static_cast<std::size_t>(combination_hash(combination) % shard.count));
}

}  // namespace assay::inline v0
