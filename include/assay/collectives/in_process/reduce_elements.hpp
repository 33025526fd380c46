#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

#include "assay/collectives/element_type.hpp"
#include "assay/collectives/reduction.hpp"
#include "assay/core/index.hpp"

namespace assay {

namespace detail {

/// The type in which elements of a type are added: unsigned integers wrap, small floating-point formats are computed in
/// float32, whose sums and products of two of them round to theirs once.
template <class T>
struct ReductionArithmetic {
  using Type = float;
  static Type load(T element) { return static_cast<float>(static_cast<double>(element)); }
  static T store(Type value) { return T(static_cast<double>(value)); }
};

template <class T>
  requires std::is_arithmetic_v<T>
struct ReductionArithmetic<T> {
  using Type = T;
  static T load(T element) { return element; }
  static T store(T value) { return value; }
};

template <class T>
[[nodiscard]] T wrapping_product(T a, T b) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else return a * b;
}

template <class T>
[[nodiscard]] T wrapping_sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  else return a + b;
}

/// NaN if one is; −0 is less than +0.
template <class T>
[[nodiscard]] T minimum_of(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a) return a;
    if (b != b) return b;
    if (a == b) return std::signbit(a) ? a : b;
  }
  return b < a ? b : a;
}

template <class T>
[[nodiscard]] T maximum_of(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a) return a;
    if (b != b) return b;
    if (a == b) return std::signbit(a) ? b : a;
  }
  return a < b ? b : a;
}

template <class T, class Combine>
void combine_elements(std::byte* into, const std::byte* with, std::size_t count, Combine combine) {
  using Arithmetic = ReductionArithmetic<T>;
  constexpr std::size_t block = 64;
  T a[block], b[block];
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t here = count - first < block ? count - first : block;
    std::memcpy(a, into + first * sizeof(T), here * sizeof(T));
    std::memcpy(b, with + first * sizeof(T), here * sizeof(T));
    for (std::size_t i = 0; i < here; ++i) a[i] = Arithmetic::store(combine(Arithmetic::load(a[i]), Arithmetic::load(b[i])));
    std::memcpy(into + first * sizeof(T), a, here * sizeof(T));
  }
}

template <class T, class Change>
void change_elements(std::byte* elements, std::size_t count, Change change) {
  for (std::size_t i = 0; i < count; ++i) {
    T element;
    std::memcpy(&element, elements + i * sizeof(T), sizeof(T));
    element = change(element);
    std::memcpy(elements + i * sizeof(T), &element, sizeof(T));
  }
}

}  // namespace detail

/// into[i] = into[i] ∘ with[i] for `count` elements of `type`; average and premultiplied_sum add. Integers wrap. Sums and
/// products of floating-point elements are rounded to the type, once and to nearest even. Minimum and maximum give NaN where
/// either is NaN, and take −0 for less than +0. No alignment is needed; the arrays do not overlap. O(count).
inline void reduce_elements(ElementType type, Reduction reduction, void* into, const void* with, Index count) {
  with_element_type(type, [&]<class T>() {
    using Value = typename detail::ReductionArithmetic<T>::Type;
    auto* const left = static_cast<std::byte*>(into);
    const auto* const right = static_cast<const std::byte*>(with);
    const auto elements = static_cast<std::size_t>(count);
    switch (reduction) {
      case Reduction::product: return detail::combine_elements<T>(left, right, elements, [](Value a, Value b) { return detail::wrapping_product(a, b); });
      case Reduction::minimum: return detail::combine_elements<T>(left, right, elements, [](Value a, Value b) { return detail::minimum_of(a, b); });
      case Reduction::maximum: return detail::combine_elements<T>(left, right, elements, [](Value a, Value b) { return detail::maximum_of(a, b); });
      default: return detail::combine_elements<T>(left, right, elements, [](Value a, Value b) { return detail::wrapping_sum(a, b); });
    }
  });
}

/// elements[i] = elements[i] · multiplier, the multiplier rounded to the type first (of integers: truncated, modulo 2^bits), the product as
/// in `reduce_elements`. O(count).
inline void scale_elements(ElementType type, void* elements, double multiplier, Index count) {
  with_element_type(type, [&]<class T>() {
    using Arithmetic = detail::ReductionArithmetic<T>;
    T rounded;
    if constexpr (std::is_integral_v<T>) rounded = static_cast<T>(static_cast<std::int64_t>(multiplier));
    else rounded = T(multiplier);
    const auto factor = Arithmetic::load(rounded);
    detail::change_elements<T>(static_cast<std::byte*>(elements), static_cast<std::size_t>(count),
                               [factor](T element) { return Arithmetic::store(detail::wrapping_product(Arithmetic::load(element), factor)); });
  });
}

/// elements[i] = elements[i] / divisor: what makes an average of a sum. Of integers truncated toward zero, else rounded to the
/// type. Precondition: divisor ≥ 1. O(count).
inline void divide_elements(ElementType type, void* elements, int divisor, Index count) {
  with_element_type(type, [&]<class T>() {
    detail::change_elements<T>(static_cast<std::byte*>(elements), static_cast<std::size_t>(count), [divisor](T element) {
      if constexpr (std::is_same_v<T, std::uint64_t>) return static_cast<T>(element / static_cast<std::uint64_t>(divisor));
      else if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::int64_t>(element) / divisor);
      else return T(static_cast<double>(element) / divisor);
    });
  });
}

}  // namespace assay
