#pragma once

#include <cstdint>

#include "assay/formats/element_format.hpp"

namespace assay::detail {

/// Decodes an element format chosen at run time as `ElementFormat::decode` does, to the bit, by half a dozen instructions instead of dozens: what a device does
/// for every element that it reads. A code's magnitude becomes the bits of a double, whose exponent one product corrects, of subnormal numbers, too; that way no
/// conversion is needed, which flags of the compiler could make flush. Whatever is special goes the long way.
class QuickDecoder {
 public:
  /// Not ready: it decodes nothing.
  QuickDecoder() = default;

  explicit QuickDecoder(const ElementFormat& format) : format_(format), ready_(true) {
    const FloatLayout& layout = format.layout;
    if (!format.is_float() || !layout.has_zero() || layout.bits() > 32) return;
    magnitude_mask_ = static_cast<std::uint32_t>(layout.magnitude_mask());
    sign_shift_ = layout.has_sign() ? 64 - layout.bits() : 0;
    sign_mask_ = layout.has_sign() ? std::uint64_t{1} << 63 : 0;
    special_ = static_cast<std::uint32_t>(layout.max_finite_bits()) + 1;
    if (layout.specials == SpecialValues::fnuz) special_zero_ = static_cast<std::uint32_t>(layout.nan_bits());
    fraction_shift_ = 52 - layout.fraction_bits;
    factor_ = power_of_two(1023 - layout.bias);
  }

  [[nodiscard]] ASSAY_FUNCTION bool ready() const { return ready_; }

  [[nodiscard]] ASSAY_FUNCTION double operator()(std::uint64_t code) const {
    const auto low = static_cast<std::uint32_t>(code);
    const std::uint32_t magnitude = low & magnitude_mask_;
    if (magnitude >= special_ || low == special_zero_) return format_.decode(code);
    const double value = double_of(std::uint64_t{magnitude} << fraction_shift_) * factor_;
    return double_of(bits_of(value) | ((code << sign_shift_) & sign_mask_));
  }
  [[nodiscard]] ASSAY_FUNCTION double load(const void* data, Index position) const { return (*this)(format_.load_code(data, position)); }

 private:
  ElementFormat format_{};
  double factor_ = 1;
  std::uint64_t sign_mask_ = 0;
  std::uint32_t magnitude_mask_ = 0;
  std::uint32_t special_ = 0;       ///< magnitudes from here on are no finite numbers; 0: all go the long way
  std::uint32_t special_zero_ = ~std::uint32_t{0};  ///< a code that is none, either; of 32 bits that is a NaN
  int fraction_shift_ = 0, sign_shift_ = 0;
  bool ready_ = false;
};

}  // namespace assay::detail
