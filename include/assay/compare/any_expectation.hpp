#pragma once

#include <concepts>

#include "assay/compare/block_expectation.hpp"
#include "assay/compare/code_expectation.hpp"

namespace assay {

/// Any expectation without its type, so that comparisons are compiled once for all. Does not own what it points to.
class AnyExpectation {
 public:
  template <class Expected>
  explicit AnyExpectation(const Expected& expected) : self_(&expected), fill_(&fill<Expected>) {
    if constexpr (requires { { expected.error_free() } -> std::same_as<bool>; }) error_free_ = expected.error_free();
    if constexpr (CodeExpectation<Expected>) {
      code_bytes_ = expected.code_bytes();
      codes_ = [](const void* self, Index row, Index column) { return static_cast<const Expected*>(self)->codes(row, column); };
      of_codes_ = [](const void* self, Index first, Index count, double* value, double* error) { static_cast<const Expected*>(self)->expected_of_codes(first, count, value, error); };
    }
  }

  void expected_block(Index row, Index first, Index count, double* value, double* error) const { fill_(self_, row, first, count, value, error); }
  ExpectedElement operator()(Index row, Index column) const {
    ExpectedElement element;
    fill_(self_, row, column, 1, &element.value, &element.error);
    return element;
  }

  /// See `BlockExpectation`.
  [[nodiscard]] bool error_free() const { return error_free_; }

  /// See `CodeExpectation`.
  [[nodiscard]] int code_bytes() const { return code_bytes_; }
  [[nodiscard]] const void* codes(Index row, Index column) const { return codes_(self_, row, column); }
  void expected_of_codes(Index first, Index count, double* value, double* error) const { of_codes_(self_, first, count, value, error); }

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

  const void* self_;
  void (*fill_)(const void*, Index, Index, Index, double*, double*);
  bool error_free_ = false;
  int code_bytes_ = 0;
  const void* (*codes_)(const void*, Index, Index) = nullptr;
  void (*of_codes_)(const void*, Index, Index, double*, double*) = nullptr;
};

}  // namespace assay
