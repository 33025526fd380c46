#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/collectives/element_type.hpp"
#include "assay/collectives/reduction_operator.hpp"
#include "assay/collectives/verification/detail/element_codes.hpp"

namespace assay::inline v0::detail {

/// A reduction of the elements that all ranks gave, one after another, with a fault in its arithmetic or order.
struct FaultyReduction {
  std::string_view fault;
  ElementType type = ElementType::float32;
  ReductionOperator reduction = ReductionOperator::sum;
  std::vector<int> order;  ///< of the ranks

  [[nodiscard]] std::uint64_t operator()(const std::byte* gathered, Index stride, Index position) const {
    const ElementType own = fault != "type_reinterpreted" ? type : is_extreme() ? integer_type(type) : other_type(type);
    const auto code_at = [&](int rank) { return load_code(gathered, rank * stride + position, bytes_of(type)); };
    if (fault == "narrow_accumulator") return narrow(code_at);
    std::uint64_t code = code_at(order.front());
    for (std::size_t i = 1; i < order.size(); ++i) code = step(own, code, code_at(order[i]));
    return reduction == ReductionOperator::average ? divided(own, code) : code;
  }

  /// One of the same width in which the same code means another number.
  [[nodiscard]] static ElementType other_type(ElementType type);

  /// Floats of one width are in the same order by their codes: only integers confuse a minimum.
  [[nodiscard]] static ElementType integer_type(ElementType type) {
    if (is_integer(type)) return other_type(type);
    return bytes_of(type) == 1 ? ElementType::int8 : bytes_of(type) == 2 ? ElementType::int16 : other_type(type);
  }

  /// What changes nothing in a reduction.
  [[nodiscard]] static std::uint64_t identity(ElementType type, ReductionOperator reduction);

  /// A permutation of the ranks.
  [[nodiscard]] static std::vector<int> shuffled(int size, std::uint64_t seed) {
    std::vector<int> order(static_cast<std::size_t>(size));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[mixed(seed, i) % i]);
    return order;
  }

 private:
  [[nodiscard]] bool is_extreme() const {
    return reduction == ReductionOperator::minimum || reduction == ReductionOperator::maximum;
  }
  [[nodiscard]] std::uint64_t step(ElementType own, std::uint64_t a, std::uint64_t b) const;

  [[nodiscard]] std::uint64_t divided(ElementType own, std::uint64_t code) const;

  template <class CodeAt>
  [[nodiscard]] std::uint64_t narrow(const CodeAt& code_at) const {
    const ElementType accumulator = type == ElementType::float64 ? ElementType::float32 : ElementType::bfloat16;
    const auto rounded = [&](double value) { return value_of(accumulator, code_of(accumulator, value)); };
    double value = rounded(value_of(type, code_at(order.front())));
    for (std::size_t i = 1; i < order.size(); ++i) {
      const double next = value_of(type, code_at(order[i]));
      value = rounded(reduction == ReductionOperator::product ? value * next : value + next);
    }
    return code_of(type, reduction == ReductionOperator::average ? value / static_cast<double>(order.size()) : value);
  }
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/faults/detail/faulty_reduction.ipp"
#endif
