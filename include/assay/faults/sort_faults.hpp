#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/sort/sort.hpp"

namespace assay::inline v0 {

namespace detail {

/// A sort by some method, right or with a fault.
struct EmulatedSort {
  enum class Method { stable, reversed_ties, selection, bitonic };
  Method method = Method::stable;
  std::string_view fault = "";

  [[nodiscard]] double key(double x) const {
    if (fault == "narrow_comparison") return round_to<bfloat16>(x);
    if (fault == "flushed_comparison" && std::abs(x) < 0x1p-13) return 0;
    if (fault == "finite_sentinel" && is_infinite(x)) return x > 0 ? 1e30 : -1e30;
    if (fault == "by_magnitude") return std::abs(x);
    return x;
  }
  void operator()(const SortProblem& problem, const OperandArray& operands) const {
    const Operand &input = operands[Sort::input], &values = operands[Sort::values], &indices = operands[Sort::indices];
    SortProblem own = problem;
    if (fault == "wrong_direction") own.descending = !own.descending;
    if (fault == "nan_order_ignored") own.nan = problem.nan == NanOrder::last ? NanOrder::largest : NanOrder::last;
    for (Index row = 0; row < problem.outer * problem.inner; ++row) {
      const Index k = problem.wanted(),
                  first = row / problem.inner * problem.length * problem.inner + row % problem.inner,
                  target = row / problem.inner * k * problem.inner + row % problem.inner;
      std::vector<double> x;
      std::vector<Index> order;
      for (Index j = 0; j < problem.length; ++j) {
        x.push_back(input.load(first + j * problem.inner));
        if (!(fault == "last_element_missing" && j + 1 == problem.length && j >= k && k > 0)) order.push_back(j);
      }
      const bool free = problem.ties == SortTies::any || fault == "unstable";
      const auto before = [&](Index a, Index b) {
        const double u = key(x[static_cast<std::size_t>(a)]), v = key(x[static_cast<std::size_t>(b)]);
        if (own.before(u, v) || own.before(v, u)) return own.before(u, v);
        return (free && method == Method::reversed_ties) || fault == "unstable" ? a > b : a < b;
      };
      if (method == Method::selection && free) {
        for (std::size_t rank = 0; rank < static_cast<std::size_t>(k); ++rank)
          std::swap(order[rank],
                    *std::min_element(order.begin() + static_cast<std::ptrdiff_t>(rank), order.end(), before));
      } else if (method == Method::bitonic && free) {
        for (std::size_t pass = 0; pass < order.size(); ++pass)  // odd-even transposition
          for (std::size_t i = pass % 2; i + 1 < order.size(); i += 2)
            if (own.before(key(x[static_cast<std::size_t>(order[i + 1])]), key(x[static_cast<std::size_t>(order[i])])))
              std::swap(order[i], order[i + 1]);
      } else {
        std::sort(order.begin(), order.end(), before);
      }
      if (!problem.ordered && method == Method::reversed_ties)
        std::reverse(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k));
      if (fault == "off_by_one" && k > 0 && static_cast<std::size_t>(k) < order.size())
        std::rotate(order.begin(), order.begin() + 1, order.end());
      if (fault == "last_two_exchanged" && k > 1)
        std::swap(order[static_cast<std::size_t>(k) - 1], order[static_cast<std::size_t>(k) - 2]);
      if (fault == "repeated_element" && k > 1)
        order[static_cast<std::size_t>(k) - 1] = order[static_cast<std::size_t>(k) - 2];
      for (Index rank = 0; rank < k; ++rank) {
        Index j = order[static_cast<std::size_t>(rank)];
        const Index place = target + rank * problem.inner;
        values.store(place, x[static_cast<std::size_t>(j)]);
        if (fault == "indices_of_first_equal")
          for (Index i = 0; i < j; ++i)
            if (x[static_cast<std::size_t>(i)] == x[static_cast<std::size_t>(j)]) j = i;
        indices.store(place, static_cast<double>(fault == "global_indices"      ? first + j * problem.inner
                                                 : fault == "ranks_for_indices" ? rank
                                                                                : j));
      }
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<Sort> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> operations{"sort", "top_k"};
    return {{"last_element_missing", missing_work, "never looks at the last element of a row", operations},
            {"off_by_one", addressing, "starts with the second of the elements wanted", operations},
            {"last_two_exchanged", addressing, "exchanges the last two elements", operations},
            {"repeated_element", repeated_work, "gives the last but one element twice", operations},
            {"wrong_direction", addressing, "gives the smallest where the largest are wanted", operations},
            {"by_magnitude", addressing, "orders by magnitude", operations},
            {"narrow_comparison", precision, "compares in bfloat16", operations},
            {"flushed_comparison", special_value, "takes small numbers for zero when it compares", operations},
            {"nan_order_ignored", special_value, "puts NaN to the other end", operations},
            {"finite_sentinel", special_value, "orders infinities below the largest finite numbers", operations},
            {"unstable", addressing, "reverses equal elements where their order is to be kept", operations},
            {"indices_of_first_equal", addressing, "gives the index of the first equal element for all of them",
             operations},
            {"global_indices", addressing, "counts indices from the beginning of the tensor", operations},
            {"ranks_for_indices", addressing, "gives ranks for indices", operations}};
  }
  [[nodiscard]] static OperationSubject<Sort> faulty(std::string_view name) {
    return host_subject<Sort>(std::string(name),
                              detail::EmulatedSort{detail::EmulatedSort::Method::stable, own_fault<Sort>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Sort>> correct() {
    using Kernel = detail::EmulatedSort;
    return {host_subject<Sort>("stable", Kernel{Kernel::Method::stable}),
            host_subject<Sort>("reversed_ties", Kernel{Kernel::Method::reversed_ties}),
            host_subject<Sort>("selection", Kernel{Kernel::Method::selection}),
            host_subject<Sort>("bitonic", Kernel{Kernel::Method::bitonic})};
  }
};

}  // namespace assay::inline v0
