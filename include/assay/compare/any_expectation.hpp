#pragma once

#include "assay/compare/block_expectation.hpp"

namespace assay {

/// Any expectation without its type, so that comparisons are compiled once for all. Does not own what it points to.
class AnyExpectation {
 public:
  template <class Expected>
  explicit AnyExpectation(const Expected& expected) : self_(&expected), fill_(&fill<Expected>) {}

  void expected_block(Index row, Index first, Index count, double* value, double* error) const { fill_(self_, row, first, count, value, error); }
  ExpectedElement operator()(Index row, Index column) const {
    ExpectedElement element;
    fill_(self_, row, column, 1, &element.value, &element.error);
    return element;
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

  const void* self_;
  void (*fill_)(const void*, Index, Index, Index, double*, double*);
};

}  // namespace assay
