#pragma once

#include "assay/collectives/in_process/reduce_elements.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void reduce_elements(ElementType type, ReductionOperator reduction, void* into,
                                                const void* with, Index count) {
  auto* const left = static_cast<std::byte*>(into);
  const auto* const right = static_cast<const std::byte*>(with);
  with_element_type(type, [&]<class T>() {
    const auto elements = static_cast<std::size_t>(count);
    if constexpr (std::is_integral_v<T>)
      detail::reduce_integers<T>(reduction, left, right, elements);
    else if constexpr (std::is_floating_point_v<T>)
      detail::reduce_floats<T>(reduction, left, right, elements);
    else
      detail::reduce_small_floats<T>(reduction, left, right, elements);
  });
}

ASSAY_DETAIL_HEADER_INLINE void scale_elements(ElementType type, void* elements, double multiplier, Index count) {
  auto* const memory = static_cast<std::byte*>(elements);
  const auto number = static_cast<std::size_t>(count);
  with_element_type(type, [&]<class T>() {
    if constexpr (std::is_integral_v<T>) {
      const bool fits = multiplier > -0x1p63 && multiplier < 0x1p64;
      const std::uint64_t factor = !fits            ? 0
                                   : multiplier < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(multiplier))
                                                    : static_cast<std::uint64_t>(multiplier);
      for (std::size_t i = 0; i < number; ++i)
        detail::set_element<T>(memory, i,
                               static_cast<T>(static_cast<std::uint64_t>(detail::element_at<T>(memory, i)) * factor));
    } else if constexpr (std::is_floating_point_v<T>) {
      const auto factor = static_cast<T>(multiplier);
      for (std::size_t i = 0; i < number; ++i)
        detail::set_element<T>(memory, i, detail::element_at<T>(memory, i) * factor);
    } else {
      const float factor = detail::SmallFloatValues<T>::load(T(multiplier));
      detail::through_float<T>(memory, number, [factor](float* values, std::size_t, std::size_t here) {
        for (std::size_t i = 0; i < here; ++i) values[i] *= factor;
      });
    }
  });
}

ASSAY_DETAIL_HEADER_INLINE void divide_elements(ElementType type, void* elements, int divisor, Index count) {
  auto* const memory = static_cast<std::byte*>(elements);
  const auto number = static_cast<std::size_t>(count);
  with_element_type(type, [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T>) {
      using Wide = std::conditional_t<std::is_same_v<T, float> || std::is_same_v<T, double>, T,
                                      std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;
      const auto by = static_cast<Wide>(divisor);  // as float32 exact up to 2^24 ranks
      for (std::size_t i = 0; i < number; ++i)
        detail::set_element<T>(memory, i, static_cast<T>(static_cast<Wide>(detail::element_at<T>(memory, i)) / by));
    } else {
      // in double the quotient is rounded so finely that rounding it again changes nothing
      for (std::size_t i = 0; i < number; ++i)
        detail::set_element(memory, i, T(static_cast<double>(detail::element_at<T>(memory, i)) / divisor));
    }
  });
}

}  // namespace assay::inline v0
