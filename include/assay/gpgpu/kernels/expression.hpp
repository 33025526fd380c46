#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// What an expression is worth: an integer, a real number or a text. Comparisons are the integers 0 and 1.
struct ExpressionValue {
  /// Which of the members holds it.
  enum class Kind { integer, real, text };
  Kind kind = Kind::integer;  ///< what it is
  std::int64_t integer = 0;
  double real = 0;  ///< of integers, too
  std::string text = {};

  /// An integer.
  [[nodiscard]] static ExpressionValue of(std::int64_t value);
  /// A real number.
  [[nodiscard]] static ExpressionValue of(double value);
  /// A text.
  [[nodiscard]] static ExpressionValue of(std::string value);
};

/// Where expressions find the names that they use.
struct ExpressionNames {
  std::function<const ExpressionValue*(std::string_view name)> find;  ///< null where there is none
  std::function<std::vector<std::string>()> known;                    ///< for messages about those that there are not
};

/// Why an expression was refused, and where in its text.
struct ExpressionProblem {
  std::size_t position = 0;  ///< in bytes from the beginning of the text
  std::string message = {};  ///< what was expected, and what was found
};

/// "(n + 15) / 16 * 16" of the attributes of a problem: + − * / %, comparisons, && || !, a ? b : c, parentheses,
/// min(a, b), max(a, b), ceil_div(a, b), sqrt(a), numbers, 'texts', and names such as m, extents[0] and A.stride[1].
///
/// Of integers / and % are those of C++. Integers that overflow, a division by 0 and texts in sums are refused, never
/// wrapped or guessed. O(length).
class Expression {
 public:
  /// Errors, by `problem`: what is no expression.
  [[nodiscard]] static Result<Expression> parse(std::string_view text, ExpressionProblem* problem = nullptr);

  /// Errors: `invalid` for a name that is not there, with those nearest to it; overflow; division by 0; texts among
  /// numbers. `problem` tells where.
  [[nodiscard]] Result<ExpressionValue> evaluate(const ExpressionNames& names,
                                                 ExpressionProblem* problem = nullptr) const;

  /// Names that occur in it.
  [[nodiscard]] std::vector<std::string> names() const;
  /// As it was written.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  struct Node;

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/kernels/expression.ipp"
#endif
