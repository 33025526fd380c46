#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0 {

/// What numpy calls the kind of a dtype. `raw` is numpy's void: bytes whose meaning the file does not tell, as
/// extension types such as ml_dtypes' bfloat16 are saved.
enum class NpyKind { boolean, signed_integer, unsigned_integer, floating, raw };

/// A little-endian element type of an npy file.
struct NpyType {
  NpyKind kind = NpyKind::floating;
  std::size_t size = 4;  ///< bytes per element

  /// As numpy writes it: "<f4", "|u1", "|b1", "<V2".
  [[nodiscard]] std::string description() const {
    constexpr const char* letters[] = {"b", "i", "u", "f", "V"};
    std::string text = size == 1 ? "|" : "<";
    text += letters[static_cast<int>(kind)];
    return text += std::to_string(size);
  }
  friend bool operator==(const NpyType&, const NpyType&) = default;
};

/// How a format is stored in npy files: as numpy's own type where it has one, else as raw bytes, as ml_dtypes does.
template <Format T>
[[nodiscard]] NpyType npy_type_of() {
  if constexpr (std::is_same_v<T, float16> || std::is_same_v<T, float32> || std::is_same_v<T, float64>)
    return {NpyKind::floating, sizeof(T)};
  return {NpyKind::raw, sizeof(T)};
}

/// An array read from an npy file: contiguous, the last dimension the fastest.
struct NpyArray {
  NpyType type;
  std::vector<Index> shape;      ///< empty for a scalar
  std::vector<std::byte> bytes;  ///< the product of the extents times `type.size` of them

  /// Number of elements.
  [[nodiscard]] Index size() const { return static_cast<Index>(bytes.size() / type.size); }

  /// An element by its position, as a double: exact, except that integers beyond 2^53 are rounded to nearest.
  /// Misuse: a position outside [0, size()), or raw elements (see `values`).
  [[nodiscard]] double value(Index position) const;

  /// All elements in format T. Elements stored in T, and raw elements of T's size (which the caller thereby says to be
  /// T), are copied bit by bit; other numbers are rounded to T once. `ErrorKind::unsupported`: raw elements of another
  /// size, or an integer beyond 2^53 that a double cannot hold.
  template <Format T>
  [[nodiscard]] Result<std::vector<T>> values() const {
    std::vector<T> result(static_cast<std::size_t>(size()));
    if (type == npy_type_of<T>() || (type.kind == NpyKind::raw && type.size == sizeof(T))) {
      if (!bytes.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
      return result;
    }
    if (type.kind == NpyKind::raw)
      return failure(ErrorKind::unsupported, "elements of dtype " + type.description() + " are " +
                                                 std::to_string(type.size) + " raw bytes; " + FormatTraits<T>::name() +
                                                 " has " + std::to_string(sizeof(T)));
    constexpr double exact_limit = 9007199254740992.0;
    const bool wide_integer = type.size == 8 && type.kind != NpyKind::floating;
    for (Index position = 0; position < size(); ++position) {
      const double real = value(position);
      if (wide_integer && (real >= exact_limit || real <= -exact_limit) && !exactly(position, real))
        return failure(ErrorKind::unsupported,
                       "the " + type.description() + " integer at position " + std::to_string(position) +
                           " is beyond 2^53 and would be rounded twice; convert with .astype before saving");
      result[static_cast<std::size_t>(position)] = encode<T>(real);
    }
    return result;
  }

 private:
  template <class Stored>
  [[nodiscard]] Stored stored(Index position) const {
    Stored element;
    std::memcpy(&element, bytes.data() + static_cast<std::size_t>(position) * sizeof(Stored), sizeof(Stored));
    return element;
  }
  /// Whether the 64-bit integer there is the double `real`, of magnitude at least 2^53: the bits below its precision
  /// are 0.
  [[nodiscard]] bool exactly(Index position, double real) const {
    std::uint64_t magnitude = stored<std::uint64_t>(position);
    if (real < 0) magnitude = 0 - magnitude;
    const int bits_below = std::ilogb(real) - 52;
    return bits_below < 64 && (magnitude & ((std::uint64_t{1} << bits_below) - 1)) == 0;
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/io/npy_array.ipp"
#endif
