#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "assay/io/detail/safetensors_codes.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0 {

/// A tensor read from a safetensors file: contiguous, the last dimension the fastest.
///
/// F4 is packed two to a byte, the first in the low four bits, as PyTorch has it. The format does not say how F6 is
/// packed; here codes follow one another from the lowest bit up, four in three bytes.
struct SafetensorsTensor {
  SafetensorsType type = SafetensorsType::f32;
  std::vector<Index> shape;      ///< empty for a scalar
  std::vector<std::byte> bytes;  ///< the product of the extents times the bits of `type`, over 8

  /// Real numbers: one an element, two where elements are complex.
  [[nodiscard]] Index value_count() const {
    return static_cast<Index>(bytes.size() * 8 / static_cast<std::size_t>(safetensors_facts(type).bits)) *
           reals_per_element(type);
  }

  /// A real number by its position, as a double: exact, except that integers beyond 2^53 are rounded to nearest.
  /// Complex elements are two: the real part, then the imaginary one. Misuse: a position outside [0, value_count()).
  [[nodiscard]] double value(Index position) const {
    expect(position >= 0 && position < value_count(), [&] {
      return "position " + std::to_string(position) + " is outside a tensor of " + std::to_string(value_count()) +
             " values";
    });
    double result = 0;
    detail::decode_safetensors(type, bytes.data(), static_cast<std::size_t>(position), 1, &result);
    return result;
  }

  /// All values in format T. Elements stored in T are copied bit by bit; other numbers are rounded to T once.
  /// `ErrorKind::unsupported`: an integer beyond 2^53 that a double cannot hold.
  template <Format T>
  [[nodiscard]] Result<std::vector<T>> values() const {
    const auto count = static_cast<std::size_t>(value_count());
    const SafetensorsTypeFacts& facts = safetensors_facts(type);
    std::vector<T> result(count);
    if (std::string_view(facts.format_name) == FormatTraits<T>::name()) {
      using Bits = typename FormatTraits<T>::Bits;
      if (facts.bits < 8)
        for (std::size_t i = 0; i < count; ++i)
          result[i] = FormatTraits<T>::from_bits(static_cast<Bits>(detail::packed_code(bytes.data(), i, facts.bits)));
      else if (count > 0)
        std::memcpy(result.data(), bytes.data(), bytes.size());
      return result;
    }
    const bool wide_integer = type == SafetensorsType::i64 || type == SafetensorsType::u64;
    double reals[256];
    for (std::size_t first = 0; first < count; first += std::size(reals)) {
      const std::size_t step = count - first < std::size(reals) ? count - first : std::size(reals);
      detail::decode_safetensors(type, bytes.data(), first, step, reals);
      for (std::size_t i = 0; i < step; ++i) {
        if (wide_integer && !exactly(first + i, reals[i]))
          return failure(ErrorKind::unsupported,
                         std::string("the ") + facts.name + " integer at position " + std::to_string(first + i) +
                             " is beyond 2^53 and would be rounded twice; convert it before saving, or read its bytes");
        result[first + i] = encode<T>(reals[i]);
      }
    }
    return result;
  }

 private:
  /// Whether the 64-bit integer there is the double `real`: the bits below its precision are 0.
  [[nodiscard]] bool exactly(std::size_t position, double real) const {
    constexpr double exact_limit = 9007199254740992.0;
    if (real < exact_limit && real > -exact_limit) return true;
    auto magnitude = detail::stored_at<std::uint64_t>(bytes.data(), position);
    if (real < 0) magnitude = 0 - magnitude;
    const int bits_below = std::ilogb(real) - 52;
    return bits_below < 64 && (magnitude & ((std::uint64_t{1} << bits_below) - 1)) == 0;
  }
};

}  // namespace assay::inline v0
