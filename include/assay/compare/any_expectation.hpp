#pragma once

#include <concepts>
#include <cstdint>

#include "assay/compare/approximate_expectation.hpp"
#include "assay/compare/block_expectation.hpp"
#include "assay/compare/code_expectation.hpp"
#include "assay/compare/expected_row.hpp"
#include "assay/compare/paired_expectation.hpp"
#include "assay/compare/refinable_expectation.hpp"

namespace assay::inline v0 {

/// Any expectation without its type, so that comparisons are compiled once for all. Does not own what it points to.
class AnyExpectation {
 public:
  /// Wraps an expectation, which must outlive this.
  template <class Expected>
  explicit AnyExpectation(const Expected& expected) : self_(&expected), fill_(&fill<Expected>) {
    if constexpr (requires(Index index, double* array) { expected.placed_block(index, index, index, array, array); })
      place_ = [](const void* self, Index row, Index first, Index count, double* value, double* error) {
        return static_cast<const Expected*>(self)->placed_block(row, first, count, value, error);
      };
    if constexpr (requires {
                    { expected.error_free() } -> std::same_as<bool>;
                  })
      error_free_ = expected.error_free();
    if constexpr (requires { requires Expected::runs_on; }) runs_on_ = true;
    if constexpr (RefinableExpectation<Expected>) {
      bool asked = true;
      if constexpr (requires { expected.refines(); }) asked = expected.refines();
      doubt_ratio_ = expected.doubt_ratio();
      if constexpr (requires { expected.most_refinements(); }) most_refinements_ = expected.most_refinements();
      if (asked)
        refine_ = [](const void* self, Index row, Index column) {
          return static_cast<const Expected*>(self)->refine(row, column);
        };
    }
    if constexpr (ApproximateExpectation<Expected>)
      approximate_ = [](const void* self, Index row, Index first, Index count, float* value, float* error) {
        return static_cast<const Expected*>(self)->approximate_block(row, first, count, value, error);
      };
    if constexpr (PairedExpectation<Expected>)
      pair_ = [](const void* self, Index row, Index first, Index count, float* value, float* rest, float* error) {
        return static_cast<const Expected*>(self)->paired_block(row, first, count, value, rest, error);
      };
    if constexpr (CodeExpectation<Expected>) {
      code_bytes_ = expected.code_bytes();
      codes_ = [](const void* self, Index row, Index column) {
        return static_cast<const Expected*>(self)->codes(row, column);
      };
      of_codes_ = [](const void* self, Index first, Index count, double* value, double* error) {
        static_cast<const Expected*>(self)->expected_of_codes(first, count, value, error);
      };
    }
  }

  /// The same, of a matrix each of whose rows is so many of this one's rows of `columns` elements, one behind the
  /// other.
  [[nodiscard]] AnyExpectation joined(Index rows, Index columns) const {
    AnyExpectation wide = *this;
    wide.rows_ = rows;
    wide.columns_ = columns;
    return wide;
  }

  void expected_block(Index row, Index first, Index count, double* value, double* error) const {
    if (rows_ == 1 || runs_on_) return fill_(self_, row * rows_, first, count, value, error);
    by_rows(row, first, count, [&](Index own, Index column, Index done, Index part) {
      fill_(self_, own, column, part, value + done, error + done);
      return true;
    });
  }
  ExpectedRow<double> placed_block(Index row, Index first, Index count, double* value, double* error) const {
    if (place_ != nullptr && (rows_ == 1 || runs_on_)) return place_(self_, row * rows_, first, count, value, error);
    expected_block(row, first, count, value, error);
    return {value, error, 0};
  }
  ExpectedElement operator()(Index row, Index column) const {
    ExpectedElement element;
    expected_block(row, column, 1, &element.value, &element.error);
    return element;
  }

  /// See `ApproximateExpectation`.
  ApproximationError approximate_block(Index row, Index first, Index count, float* value, float* error) const {
    if (approximate_ == nullptr) return {};
    if (rows_ == 1) return approximate_(self_, row, first, count, value, error);
    return worst_of_rows(row, first, count, [&](Index own, Index column, Index done, Index part) {
      return approximate_(self_, own, column, part, value + done, error + done);
    });
  }
  /// See `PairedExpectation`.
  ApproximationError paired_block(Index row, Index first, Index count, float* value, float* rest, float* error) const {
    if (pair_ == nullptr) return {};
    if (rows_ == 1) return pair_(self_, row, first, count, value, rest, error);
    return worst_of_rows(row, first, count, [&](Index own, Index column, Index done, Index part) {
      return pair_(self_, own, column, part, value + done, rest + done, error + done);
    });
  }

  /// See `RefinableExpectation`; where `refines()` is false there is nothing to call.
  [[nodiscard]] bool refines() const { return refine_ != nullptr; }
  [[nodiscard]] double doubt_ratio() const { return doubt_ratio_; }
  [[nodiscard]] std::uint64_t most_refinements() const { return most_refinements_; }
  ExpectedElement refine(Index row, Index column) const {
    return rows_ == 1 ? refine_(self_, row, column)
                      : refine_(self_, row * rows_ + column / columns_, column % columns_);
  }

  /// See `BlockExpectation`.
  [[nodiscard]] bool error_free() const { return error_free_; }

  /// See `CodeExpectation`; not of joined rows.
  [[nodiscard]] int code_bytes() const { return code_bytes_; }
  [[nodiscard]] const void* codes(Index row, Index column) const { return codes_(self_, row, column); }
  void expected_of_codes(Index first, Index count, double* value, double* error) const {
    of_codes_(self_, first, count, value, error);
  }

 private:
  template <class Expected>
  static void fill(const void* self, Index row, Index first, Index count, double* value, double* error) {
    const Expected& expected = *static_cast<const Expected*>(self);
    if constexpr (BlockExpectation<Expected>) {
      expected.expected_block(row, first, count, value, error);
    } else {
      for (Index column = 0; column < count; ++column) {
        const ExpectedElement element = expected(row, first + column);
        value[column] = element.value;
        error[column] = element.error;
      }
    }
  }

  /// `visit(row, column, done, part)` of every row that a block of joined rows has a part of, until it gives false.
  template <class Visit>
  void by_rows(Index row, Index first, Index count, const Visit& visit) const {
    for (Index done = 0; done < count;) {
      const Index from = first + done, column = from % columns_, left = count - done,
                  part = columns_ - column < left ? columns_ - column : left;
      if (!visit(row * rows_ + from / columns_, column, done, part)) return;
      done += part;
    }
  }

  /// How far off those are that `tell(row, column, done, part)` tells of each row, at most.
  template <class Tell>
  ApproximationError worst_of_rows(Index row, Index first, Index count, const Tell& tell) const {
    ApproximationError most{0, 0};
    by_rows(row, first, count, [&](Index own, Index column, Index done, Index part) {
      const ApproximationError next = tell(own, column, done, part);
      most.absolute = next.absolute < 0 ? -1 : next.absolute > most.absolute ? next.absolute : most.absolute;
      most.relative = next.relative > most.relative ? next.relative : most.relative;
      return next.absolute >= 0;
    });
    return most;
  }

  const void* self_;
  void (*fill_)(const void*, Index, Index, Index, double*, double*);
  ExpectedRow<double> (*place_)(const void*, Index, Index, Index, double*, double*) = nullptr;
  Index rows_ = 1, columns_ = 1;
  bool error_free_ = false, runs_on_ = false;
  double doubt_ratio_ = 2;
  std::uint64_t most_refinements_ = most_refinements_per_chunk;
  ExpectedElement (*refine_)(const void*, Index, Index) = nullptr;
  ApproximationError (*approximate_)(const void*, Index, Index, Index, float*, float*) = nullptr;
  ApproximationError (*pair_)(const void*, Index, Index, Index, float*, float*, float*) = nullptr;
  int code_bytes_ = 0;
  const void* (*codes_)(const void*, Index, Index) = nullptr;
  void (*of_codes_)(const void*, Index, Index, double*, double*) = nullptr;
};

}  // namespace assay::inline v0
