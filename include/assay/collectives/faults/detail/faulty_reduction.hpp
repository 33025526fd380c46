#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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
  [[nodiscard]] static ElementType other_type(ElementType type) {
    switch (type) {
      case ElementType::int8:
      case ElementType::uint8:
      case ElementType::float8_e5m2: return ElementType::float8_e4m3fn;
      case ElementType::float8_e4m3fn: return ElementType::float8_e5m2;
      case ElementType::bfloat16: return ElementType::float16;
      case ElementType::int16:
      case ElementType::uint16:
      case ElementType::float16: return ElementType::bfloat16;
      case ElementType::float32: return ElementType::int32;
      case ElementType::float64: return ElementType::int64;
      case ElementType::int64:
      case ElementType::uint64: return ElementType::float64;
      default: return ElementType::float32;
    }
  }

  /// Floats of one width are in the same order by their codes: only integers confuse a minimum.
  [[nodiscard]] static ElementType integer_type(ElementType type) {
    if (is_integer(type)) return other_type(type);
    return bytes_of(type) == 1 ? ElementType::int8 : bytes_of(type) == 2 ? ElementType::int16 : other_type(type);
  }

  /// What changes nothing in a reduction.
  [[nodiscard]] static std::uint64_t identity(ElementType type, ReductionOperator reduction) {
    const std::uint64_t sign = std::uint64_t{1} << (bits_of(type) - 1);
    const bool lowest = reduction == ReductionOperator::maximum;
    if (reduction == ReductionOperator::product) return code_of_integer(type, 1);
    if (reduction == ReductionOperator::minimum || lowest) {
      if (!is_integer(type))
        return type == ElementType::float8_e4m3fn ? (lowest ? 0xFEu : 0x7Eu)
                                                  : code_of(type, (lowest ? -1 : 1) * std::numeric_limits<double>::infinity());
      if (is_signed_integer(type)) return lowest ? sign : sign - 1;
      return lowest ? 0 : code_mask(type);
    }
    return is_integer(type) ? 0 : sign;  // −0: what is added to it keeps its sign
  }

  /// A permutation of the ranks.
  [[nodiscard]] static std::vector<int> shuffled(int size, std::uint64_t seed) {
    std::vector<int> order(static_cast<std::size_t>(size));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[mixed(seed, i) % i]);
    return order;
  }

 private:
  [[nodiscard]] bool is_extreme() const { return reduction == ReductionOperator::minimum || reduction == ReductionOperator::maximum; }
  [[nodiscard]] std::uint64_t step(ElementType own, std::uint64_t a, std::uint64_t b) const {
    if (!is_integer(own) && is_extreme()) {
      const bool first_nan = is_nan_code(own, a), second_nan = is_nan_code(own, b);
      if (first_nan || second_nan) return (fault == "nan_lost") == first_nan ? b : a;
      if (fault != "zero_sign_lost" && value_of(own, a) == 0 && value_of(own, b) == 0)
        return reduction == ReductionOperator::minimum ? a | b : a & b;
    }
    return reduced(own, reduction, a, b);
  }

  [[nodiscard]] std::uint64_t divided(ElementType own, std::uint64_t code) const {
    const auto ranks = static_cast<std::int64_t>(order.size());
    if (!is_integer(own)) return code_of(own, value_of(own, code) / static_cast<double>(ranks));
    const bool down = fault == "average_rounded_down";
    if (!is_signed_integer(own))
      return code / static_cast<std::uint64_t>(ranks) + (down && code % static_cast<std::uint64_t>(ranks) != 0 ? 1 : 0);
    const std::int64_t sum = integer_of(own, code);
    return static_cast<std::uint64_t>(sum / ranks - (down && sum % ranks < 0 ? 1 : 0)) & code_mask(own);
  }

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
