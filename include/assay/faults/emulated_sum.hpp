#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/formats/format_traits.hpp"

namespace assay::inline v0::detail {

/// Neighbors joined, the results again, until one is left; `none` where there are no terms.
template <class Term, class Join>
[[nodiscard]] Term fold_pairwise(std::vector<Term> terms, Term none, Join join) {
  while (terms.size() > 1) {
    std::vector<Term> half;
    for (std::size_t i = 0; i < terms.size(); i += 2)
      half.push_back(i + 1 < terms.size() ? join(terms[i], terms[i + 1]) : terms[i]);
    terms = std::move(half);
  }
  return terms.empty() ? none : terms[0];
}

/// Sums in which every result is rounded to `Accumulator`, in different orders; or to `Narrow` where the fault is
/// narrow_sum.
template <FloatFormat Accumulator, FloatFormat Narrow = bfloat16>
struct EmulatedSum {
  enum class Order { sequential, pairwise, strided };
  Order order = Order::sequential;
  std::string_view fault = "";

  [[nodiscard]] double operator()(std::vector<double> terms) const {
    const auto round = [this](double value) {
      return fault == "narrow_sum" ? round_to<Narrow>(value) : round_to<Accumulator>(value);
    };
    if (fault == "last_term_missing" && terms.size() > 1) terms.pop_back();
    if (order == Order::pairwise)
      return fold_pairwise(std::move(terms), 0.0, [&](double a, double b) { return round(a + b); });
    const std::size_t lanes = order == Order::strided ? 8 : 1;
    double sum = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      double own = 0;
      for (std::size_t i = lane; i < terms.size(); i += lanes) own = round(own + terms[i]);
      sum = round(sum + own);
    }
    return sum;
  }
};

}  // namespace assay::inline v0::detail
