#pragma once

#include <gmock/gmock.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>

#include "assay/matchers/criterion.hpp"

namespace assay::inline v0 {
inline namespace gtest {

/// A GoogleTest matcher for a `Criterion`, of outputs of any type that `element_view` takes.
template <class Criterion>
class Matches {
 public:
  using is_gtest_matcher = void;  ///< for GoogleTest

  /// A matcher of that criterion.
  explicit Matches(Criterion criterion) : criterion_(std::move(criterion)) {}

  /// For GoogleTest.
  template <class Actual>
  bool MatchAndExplain(const Actual& actual, std::ostream* explanation) const {
    const MatchResult result = criterion_.match(actual);
    if (explanation != nullptr) *explanation << '\n' << result.explanation;
    return result.matched;
  }
  /// For GoogleTest.
  void DescribeTo(std::ostream* stream) const { *stream << "matches " << criterion_.describe(); }
  /// For GoogleTest.
  void DescribeNegationTo(std::ostream* stream) const { *stream << "does not match " << criterion_.describe(); }

 private:
  Criterion criterion_;
};

/// The matcher of `EXPECT_THAT(actual, matches(expected, tolerance))`, `ASSERT_THAT` and `EXPECT_CALL`; it combines
/// with GoogleMock's own, as in `testing::Not(matches(…))`. `criteria` are as in `match`. An expected lvalue is
/// referred to, and must outlive the matcher; a temporary is kept.
template <class Expected, class... Criteria>
[[nodiscard]] auto matches(Expected&& expected, const Criteria&... criteria) {
  return Matches(criterion(std::forward<Expected>(expected), criteria...));
}

/// How GoogleTest prints numbers of these formats, and views of them.
template <FloatLayout Layout>
void PrintTo(const SmallFloat<Layout>& value, std::ostream* stream) {
  *stream << static_cast<double>(value);
}
template <class T, std::size_t Rank>
void PrintTo(const StridedView<T, Rank>& view, std::ostream* stream) {
  *stream << "a view of " << detail::extents_text(detail::Extents(view.extents, view.extents + Rank)) << " elements";
}
template <Format T>
void PrintTo(const ShapedElements<T>& shaped, std::ostream* stream) {
  *stream << "a view of " << detail::extents_text(shaped.shape) << " elements";
}
template <Format T, class B>
void PrintTo(const Tensor<T, B>& tensor, std::ostream* stream) {
  *stream << "a tensor of " << tensor.size() << " elements of " << FormatTraits<T>::name();
}

}  // namespace gtest
}  // namespace assay::inline v0
