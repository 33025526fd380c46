#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "assay/compare/detail/block_measure.hpp"
#include "assay/compare/detail/compare_chunk.hpp"
#include "assay/compare/detail/looked_element.hpp"

namespace assay::inline v0::detail {

/// Rows of stored values in a format that is measured in singles, without error bounds; or all else in doubles.
template <class Expected, class T>
inline constexpr bool stored_expectation =
    RowExpectation<Expected>&& std::is_same_v<typename ReferenceOf<Expected>::Type, T>&& single_format<T>;

/// The elements of a view whose format is a type. All elements in doubt are refined.
template <Format T, std::size_t Rank, class Expected, class Model, bool in_singles>
struct TypedWork {
  using Chunk = CompareChunk<T, Rank, Expected, Model>;
  using Measures = std::conditional_t<in_singles, MeasureSingles<T>, MeasureDoubles<T>>;
  using Measured = typename Measures::Measured;
  using Sum = typename Measures::Sum;
  static constexpr bool rows = RowExpectation<Expected>;
  using Reference = typename ReferenceOf<Expected>::Type;
  static constexpr Index widest_of_memory = sizeof(T) < 16 ? static_cast<Index>(16 / sizeof(T)) : 1;
  static constexpr Index widest = !rows                  ? 1
                                  : in_singles           ? widest_of_memory
                                  : widest_of_memory < 4 ? widest_of_memory
                                                         : 4;  ///< elements that are loaded at once
  static constexpr std::uint32_t turns_of_sums =
      widest < 8 ? static_cast<std::uint32_t>(8 / widest) : 1;  ///< few singles are summed in singles
  static constexpr std::size_t count = static_cast<std::size_t>(widest);
  static constexpr int blocks_at_once =
      in_singles ? 6 : 4;  ///< on a multiprocessor: what registers allow, and loads under way ask
  static constexpr bool loads = rows && sizeof(T) * count % 4 == 0 && sizeof(Reference) * count % 4 == 0;

  struct Nothing {};
  struct Loaded {
    std::conditional_t<loads, LoadedVector<T, loads ? count : 4>, Nothing> out;
    std::conditional_t<loads, LoadedVector<Reference, loads ? count : 4>, Nothing> reference;
    std::conditional_t<loads && !in_singles, LoadedVector<double, count>, Nothing> error;
    double uniform_error = 0;
    bool has_errors = false;
  };

  Chunk chunk;
  Measures measures;
  VectorRule rule;
  float limit;  ///< of a ratio: below, nothing is refuted or in doubt

  [[nodiscard]] static TypedWork of(const Chunk& chunk) {
    TypedWork work{chunk, {}, {}, 0};
    if constexpr (FloatFormat<T>) work.rule = vector_rule<T>(chunk.tolerance);
    work.measures = Measures::of(work.rule);
    double most = 1;
    if constexpr (RefinableExpectation<Expected>)
      if (chunk.refines() && chunk.expected.doubt_ratio() < 1) most = chunk.expected.doubt_ratio();
    work.limit = static_cast<float>(most * (1 - 0x1p-15));
    return work;
  }

  [[nodiscard]] ASSAY_FUNCTION const T& element(Index row, Index column) const {
    return chunk.actual.data[chunk.row_offset(row) + column * chunk.actual.strides[Rank - 1]];
  }
  [[nodiscard]] ASSAY_FUNCTION bool ordinary(const Measured& measured) const {
    return measures.rule.kind != VectorRule::Kind::none && measured.ordinary(Measures::large, limit);
  }
  [[nodiscard]] ASSAY_FUNCTION double chance_unit() const { return power_of_two(Measures::layout.fraction_bits); }

  /// Loads whole vectors that are aligned; false where it does not.
  [[nodiscard]] ASSAY_FUNCTION bool load([[maybe_unused]] Index row, [[maybe_unused]] Index column,
                                         [[maybe_unused]] int elements, [[maybe_unused]] Loaded& loaded) const {
    if constexpr (loads) {
      if (elements != static_cast<int>(count) || chunk.actual.strides[Rank - 1] != 1) return false;
      const T* const out = chunk.actual.data + chunk.row_offset(row) + column;
      const ExpectedRow<Reference> expected = chunk.expected.expected_row(row);
      const Reference* const reference = expected.value + column;
      bool aligned = aligned_for<T>(out) && aligned_for<Reference>(reference);
      if constexpr (in_singles)
        aligned = aligned && !bounded(expected);
      else
        aligned = aligned && (expected.error == nullptr || aligned_for<double>(expected.error + column));
      if (!aligned) return false;
      loaded.out.load(out);
      loaded.reference.load(reference);
      if constexpr (!in_singles) {
        loaded.has_errors = expected.error != nullptr;
        loaded.uniform_error = expected.uniform_error;
        if (loaded.has_errors) loaded.error.load(expected.error + column);
      }
      return true;
    }
    return false;
  }
  ASSAY_FUNCTION void measure([[maybe_unused]] const Loaded& loaded, [[maybe_unused]] Measured& measured) const {
    if constexpr (loads) {
      measure_each(loaded, measured, std::make_index_sequence<count>{});
    }
  }
  [[nodiscard]] ASSAY_FUNCTION bool only_zeros([[maybe_unused]] const Loaded& loaded) const {
    if constexpr (loads) return references_zero(loaded, std::make_index_sequence<count>{});
    return false;
  }
  ASSAY_FUNCTION void measure_one(Index row, Index column, Measured& measured) const {
    const T stored = element(row, column);
    if constexpr (in_singles) {
      const ExpectedRow<Reference> expected = chunk.expected.expected_row(row);
      const Real out[1] = {real_of(stored)}, reference[1] = {real_of(expected.value[column])};
      measures.add(out, reference, measured);
      measured.odd = measured.odd || bounded(expected);
    } else {
      const ExpectedElement expected = chunk.expected(row, column);
      const double out[1] = {decode(stored)}, reference[1] = {expected.value}, error[1] = {expected.error};
      measures.add(out, reference, error, measured);
    }
  }

  [[nodiscard]] ASSAY_FUNCTION LookedElement look(Index row, Index column) const {
    const T stored = element(row, column);
    const typename Chunk::Looked found = chunk.looked(stored, {row, column}, true);
    LookedElement seen{decode(stored), found.element.value, found.accepted, found.ratio, found.error_of_sums, 0, 0,
                       found.refined};
    if (is_finite(seen.reference)) {
      seen.place = unit_in_last_place<T>(seen.reference);
      seen.rounded = round_to<T>(seen.reference);
    }
    return seen;
  }
  /// Of an element that is ordinary: `error_ratio` of what is accepted, without the interval.
  [[nodiscard]] ASSAY_FUNCTION double accepted_ratio(Index row, Index column) const {
    const T stored = element(row, column);
    const ExpectedElement expected = chunk.expected(row, column);
    const double out = decode(stored);
    double ratio = 0;
    switch (rule.kind) {
      case VectorRule::Kind::derived: ratio = DerivedTolerance{}.error_ratio(stored, expected); break;
      case VectorRule::Kind::absolute_relative:
        ratio = error_over_interval(
            out, expected.value,
            interval_around(expected.value,
                            AbsoluteRelativeTolerance{rule.absolute, rule.relative}.allowed(expected.value),
                            expected.value));
        break;
      default:
        ratio = error_over_interval(out, expected.value, UlpTolerance{rule.places}.template interval<T>(expected));
        break;
    }
    return ratio < 1 ? ratio : 1;
  }
  ASSAY_FUNCTION void values(Index row, Index column, double& out, double& reference) const {
    out = decode(element(row, column));
    reference = chunk.expected(row, column).value;
  }
  [[nodiscard]] ASSAY_FUNCTION double place_at(double reference) const { return unit_in_last_place<T>(reference); }

 private:
  [[nodiscard]] ASSAY_FUNCTION static bool bounded(const ExpectedRow<Reference>& expected) {
    return expected.error != nullptr || expected.uniform_error != 0;
  }
  using Real = std::conditional_t<in_singles, float, double>;

  template <std::size_t... i>
  [[nodiscard]] ASSAY_FUNCTION static bool references_zero(const Loaded& loaded, std::index_sequence<i...>) {
    return ((real_of(loaded.reference.template at<i>()) == 0) && ...);
  }
  /// By constant indices, so that all stays in registers.
  template <std::size_t... i>
  ASSAY_FUNCTION void measure_each(const Loaded& loaded, Measured& measured, std::index_sequence<i...>) const {
    const Real out[widest] = {real_of(loaded.out.template at<i>())...},
               reference[widest] = {real_of(loaded.reference.template at<i>())...};
    if constexpr (in_singles) {
      measures.add(out, reference, measured);
    } else if (loaded.has_errors) {
      const double error[widest] = {loaded.error.template at<i>()...};
      measures.add(out, reference, error, measured);
    } else {
      const double error[widest] = {(static_cast<void>(i), loaded.uniform_error)...};
      measures.add(out, reference, error, measured);
    }
  }
  template <class Stored>
  [[nodiscard]] ASSAY_FUNCTION static Real real_of(Stored stored) {
    if constexpr (in_singles)
      return single_of(stored);
    else
      return decode(stored);
  }
  template <class Stored>
  [[nodiscard]] ASSAY_FUNCTION static bool aligned_for(const Stored* start) {
    return reinterpret_cast<std::uintptr_t>(start) % alignof(LoadedBytes<sizeof(Stored) * count>) == 0;
  }
};

}  // namespace assay::inline v0::detail
