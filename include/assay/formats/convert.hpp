#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>

#include "assay/core/floating_point_guard.hpp"
#include "assay/core/misuse.hpp"
#include "assay/formats/convert_range.hpp"

namespace assay::inline v0 {

namespace detail {

/// Misuse unless `count` elements can be read and written: null pointers, memory in common.
template <Format From, Format To>
void expect_convertible(const From* from, const To* to, std::size_t count) {
  if (count == 0) return;
  expect(from != nullptr && to != nullptr, [&] {
    return "convert was given a null " + std::string(from == nullptr ? "source" : "target") + " for " +
           std::to_string(count) + " elements; give memory for all of them";
  });
  const auto source = reinterpret_cast<std::uintptr_t>(from), target = reinterpret_cast<std::uintptr_t>(to);
  expect(source + count * sizeof(From) <= target || target + count * sizeof(To) <= source, [&] {
    return "convert was given a source and a target of " + std::to_string(count) +
           " elements that have memory in common; convert into memory of its own";
  });
}

}  // namespace detail

/// Converts `count` elements: `to[i]` becomes `encode<To>(decode(from[i]), rounding, overflow)` to the bit, whatever
/// the caller's floating-point environment. The value of a NaN's payload and sign is lost, as it is there.
///
/// Between float32 and the floating-point formats of 16, 8, 6 and 4 bits (one code an element), in any direction, this
/// goes at the speed of memory, on the vectors of `instruction_set()`, where nothing is rounded or to nearest even.
/// Other formats and roundings go one by one. Addresses need no more alignment than the elements. One thread; O(count).
/// Misuse: a null pointer with a count above 0; arrays with memory in common.
template <Format From, Format To>
void convert(const From* from, To* to, std::size_t count, Rounding rounding = Rounding::nearest_even,
             Overflow overflow = Overflow::ieee) {
  detail::expect_convertible(from, to, count);
  with_floating_point_state({}, [&] {
    detail::convert_range(from, to, count, rounding, overflow, count * sizeof(To) >= detail::streamed_bytes,
                          instruction_set());
  });
}

/// The same for two arrays, vectors or spans. Misuse: different sizes.
template <std::ranges::contiguous_range Source, std::ranges::contiguous_range Target>
requires Format<std::ranges::range_value_t<Source>> && Format<std::ranges::range_value_t<Target>>
void convert(const Source& from, Target&& to, Rounding rounding = Rounding::nearest_even,
             Overflow overflow = Overflow::ieee) {
  const auto source = std::ranges::size(from), target = std::ranges::size(to);
  expect(source == target, [&] {
    return "convert was given " + std::to_string(source) + " elements and room for " + std::to_string(target) +
           "; the sizes must be the same";
  });
  convert(std::ranges::data(from), std::ranges::data(to), static_cast<std::size_t>(source), rounding, overflow);
}

}  // namespace assay::inline v0
