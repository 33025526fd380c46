#pragma once

#include <cstdint>

#include "assay/formats/element_format.hpp"

namespace assay::inline v0::detail {

/// Decodes an element format chosen at run time as `ElementFormat::decode` does, to the bit, by half a dozen
/// instructions instead of dozens: what a device does for every element that it reads. A code's magnitude becomes the
/// bits of a double, whose exponent one product corrects, of subnormal numbers, too; that way no conversion is needed,
/// which flags of the compiler could make flush.
class QuickDecoder {
 public:
  /// Not ready: it decodes nothing.
  QuickDecoder() = default;

  explicit QuickDecoder(const ElementFormat& format) : format_(format), way_(Way::format) {
    const FloatLayout& layout = format.layout;
    if (format.is_float() && layout == binary64_layout) way_ = Way::as_it_is;
    if (!format.is_float() || !layout.has_zero() || layout.bits() > 32) return;
    way_ = Way::quick;
    magnitude_mask_ = static_cast<std::uint32_t>(layout.magnitude_mask());
    sign_shift_ = layout.has_sign() ? 64 - layout.bits() : 0;
    sign_mask_ = layout.has_sign() ? std::uint64_t{1} << 63 : 0;
    special_ = static_cast<std::uint32_t>(layout.max_finite_bits()) + 1;
    if (layout.specials == SpecialValues::fnuz) special_zero_ = static_cast<std::uint32_t>(layout.nan_bits());
    if (layout.has_infinity()) infinity_ = special_;
    fraction_shift_ = 52 - layout.fraction_bits;
    factor_ = power_of_two(1023 - layout.bias);
  }

  [[nodiscard]] ASSAY_FUNCTION bool ready() const { return way_ != Way::none; }

  [[nodiscard]] ASSAY_FUNCTION double operator()(std::uint64_t code) const {
    if (way_ != Way::quick) return way_ == Way::as_it_is ? binary64_of(code) : slowly(format_, code);
    const auto low = static_cast<std::uint32_t>(code);
    const std::uint32_t magnitude = low & magnitude_mask_;
    double value = double_of(std::uint64_t{magnitude} << fraction_shift_) * factor_;
    if (magnitude >= special_ || low == special_zero_)
      value = double_of(magnitude == infinity_ ? binary64_layout.infinity_bits() : binary64_layout.nan_bits());
    return double_of(bits_of(value) | ((code << sign_shift_) & sign_mask_));
  }
  [[nodiscard]] ASSAY_FUNCTION double load(const void* data, Index position) const {
    return (*this)(format_.load_code(data, position));
  }

 private:
  enum class Way { none, quick, as_it_is, format };

  [[nodiscard]] ASSAY_FUNCTION static double binary64_of(std::uint64_t code) {
    return (code & 0x7fffffffffffffffu) > binary64_layout.infinity_bits()
               ? double_of((code & binary64_layout.sign_mask()) | binary64_layout.nan_bits())
               : double_of(code);
  }
  // of integers and scales, which are few: a copy of it in every loop would be many instructions. By value: a device's
  // parameters have no address.
  [[nodiscard, gnu::noinline]] ASSAY_FUNCTION static double slowly(ElementFormat format, std::uint64_t code) {
    return format.decode(code);
  }

  ElementFormat format_{};
  double factor_ = 1;
  std::uint64_t sign_mask_ = 0;
  std::uint32_t magnitude_mask_ = 0;
  std::uint32_t special_ = 0;                       ///< magnitudes from here on are no finite numbers
  std::uint32_t special_zero_ = ~std::uint32_t{0};  ///< a code that is none, either; of 32 bits that is a NaN
  std::uint32_t infinity_ = ~std::uint32_t{0};      ///< the magnitude that is infinite
  int fraction_shift_ = 0, sign_shift_ = 0;
  Way way_ = Way::none;
};

}  // namespace assay::inline v0::detail
