#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/linear/operands.hpp"
#include "assay/tolerance/positive_sum.hpp"

namespace assay::inline v0 {

namespace detail {

/// Makes the operands of a linear layer for one pattern, on the host.
class LinearDataMaker {
 public:
  LinearDataMaker(const LinearProblem& problem, FillKind kind, const Arithmetic& arithmetic, std::uint64_t seed);
  [[nodiscard]] OperationData data() && { return std::move(data_); }

 private:
  using Values = std::vector<double>;

  [[nodiscard]] bool integral() const { return kind_ == FillKind::exact_integer; }
  [[nodiscard]] RandomBits bits(int stream, Index position) const {
    return random_bits(seed_ * 16 + static_cast<std::uint64_t>(stream), 0x11u, static_cast<std::uint64_t>(position));
  }
  /// 2^e·(1 + f), lowest ≤ e < highest.
  [[nodiscard]] double positive(int stream, Index position, int lowest, int highest) const {
    return std::fabs(log_uniform(bits(stream, position), lowest, highest));
  }
  [[nodiscard]] double pattern(GemmOperand operand, Index lane, Index term) const {
    const double value = operand == GemmOperand::a ? fills_.a(lane, term) * spread_ : fills_.b(lane, term);
    if (problem_.expanded_zero_points && is_infinite(value))
      return 1;  // ∞ less ∞ is NaN where zero points are expanded
    if (problem_.b.is_sparse() && operand == GemmOperand::a &&
        !is_finite(value)) {  // terms left out are multiplied by 0, or not at all
      const Index pair = kept_pair(0, term / 4);
      if (term % 4 != (pair & 3) && term % 4 != pair >> 2) return 1;
    }
    return value;
  }
  /// Which two of four terms a sparse weight keeps, as its metadata say: of special data the same for all columns.
  [[nodiscard]] Index kept_pair(Index lane, Index four) const {
    constexpr Index kept[6] = {0 | 1 << 2, 0 | 2 << 2, 0 | 3 << 2, 1 | 2 << 2, 1 | 3 << 2, 2 | 3 << 2};
    const Index own = kind_ == FillKind::special ? 0 : lane;
    return kept[uniform_below(bits(LinearOperands::b, own * problem_.k + four).words[0], 6)];
  }
  void note(GemmOperand operand, double value) {
    double& largest = operand == GemmOperand::a ? largest_a_ : largest_b_;
    if (std::fabs(value) > largest) largest = std::fabs(value);
  }

  void make_matrix(const LinearMatrix& matrix, GemmOperand operand, int position, Index vectors, Index matrices);

  /// Middle of the range give or take a tenth; where the ends are looked for, an end.
  [[nodiscard]] double zero_point(const ElementFormat& format, int position, Index lane) const {
    const double lowest = static_cast<double>(format.integers.lowest()),
                 highest = static_cast<double>(format.integers.highest());
    const RandomBits drawn = bits(position + 2, lane);
    if (kind_ == FillKind::extreme || kind_ == FillKind::constant) return (drawn.words[0] & 1) != 0 ? lowest : highest;
    return std::floor((lowest + highest) / 2) + static_cast<double>(uniform_below(drawn.words[0], 51)) - 25;
  }
  [[nodiscard]] double integer(const ElementFormat& format, GemmOperand operand, Index lane, Index term) const {
    const double lowest = static_cast<double>(format.integers.lowest()),
                 highest = static_cast<double>(format.integers.highest());
    const RandomBits drawn =
        random_bits(seed_ * 16 + 7, static_cast<std::uint64_t>(lane * 2 + (operand == GemmOperand::a ? 0 : 1)),
                    static_cast<std::uint64_t>(term));
    double value = 0;
    switch (kind_) {
      case FillKind::uniform: return lowest + static_cast<double>(uniform_below(drawn.words[0], 256));
      case FillKind::log_uniform: {
        const double within = static_cast<double>(uniform_below(drawn.words[0], operand == GemmOperand::a ? 256 : 128));
        return operand == GemmOperand::a ? lowest + within : (lowest + highest + 1) / 2 - 64 + within;
      }
      case FillKind::constant: return highest;
      case FillKind::extreme:
        return lane % 3 == 0 ? lowest : lane % 3 == 1 ? highest : (drawn.words[0] & 1) != 0 ? lowest : highest;
      case FillKind::one_hot:
      case FillKind::exact_integer:
        value = std::fabs(pattern(operand, lane, term)) < 0x1p-3 ? 0 : std::round(4 * pattern(operand, lane, term));
        break;
      default: value = std::round(40 * standard_normal(drawn) + (lowest + highest + 1) / 2); break;
    }
    return value < lowest ? lowest : value > highest ? highest : value;
  }

  void make_block_scaled(const LinearMatrix& matrix, GemmOperand operand, int position, Index vectors, Index matrices);
  [[nodiscard]] int zero_point_of_block(const CodeFormat& element, int position, Index entry) const {
    const int middle = (element.lowest + element.highest + 1) / 2,
              word = static_cast<int>(bits(position + 2, entry).words[0] >> 16);
    if (kind_ == FillKind::extreme || kind_ == FillKind::constant)
      return (word & 1) != 0 ? element.lowest : element.highest;
    return middle + word % 5 - 2;
  }
  [[nodiscard]] std::uint32_t code(const BlockScaling& scheme, GemmOperand operand, int position, Index lane,
                                   Index term, Index entry) const {
    const CodeFormat& element = scheme.element;
    const int zero_point = scheme.zero_points ? zero_point_of_block(element, position, entry) : 0;
    const double unit = element.kind == CodeKind::integer ? power_of_two(element.quantum_exponent) : 1,
                 drawn = pattern(operand, lane, term) / (operand == GemmOperand::a ? spread_ : 1);
    if (integral())
      return element.encode(unit * (std::fabs(drawn) > 4 ? (drawn > 0 ? drawn - 4 : drawn + 4) : drawn), zero_point);
    const RandomBits random =
        random_bits(seed_ * 16 + 9, static_cast<std::uint64_t>(lane * 2 + (operand == GemmOperand::a ? 0 : 1)),
                    static_cast<std::uint64_t>(term));
    if (element.kind == CodeKind::integer && kind_ == FillKind::uniform)
      return static_cast<std::uint32_t>(
                 element.lowest +
                 static_cast<int>(uniform_below(random.words[0],
                                                static_cast<std::uint32_t>(element.highest - element.lowest + 1)))) &
             element.code_mask();
    if (kind_ == FillKind::extreme) {
      const bool upper = lane % 3 == 1 || (lane % 3 == 2 && (random.words[0] & 1) != 0);
      if (element.kind == CodeKind::integer)
        return static_cast<std::uint32_t>(upper ? element.highest : element.lowest) & element.code_mask();
      return element.encode(upper ? element.max_value() : -element.max_value());
    }
    if (kind_ == FillKind::constant)
      return element.kind == CodeKind::integer ? static_cast<std::uint32_t>(element.highest) & element.code_mask()
                                               : element.encode(element.max_value());
    if (is_nan(drawn) && !element.has_nan()) return 0;
    return element.encode(is_finite(drawn) ? drawn * element.max_value() / 3 : drawn, zero_point);
  }

  void make_rest();

  [[nodiscard]] RoundingModel model(const AccumulationModel& accumulation) const;

  void set(int position, Values values) {
    data_.operands[static_cast<std::size_t>(position)] = OperandFill::of(std::move(values));
  }

  LinearProblem problem_;
  FillKind kind_;
  std::uint64_t seed_;
  GemmData fills_;
  double spread_ = 1, largest_a_ = 0, largest_b_ = 0;
  OperationData data_;
};

}  // namespace detail

/// What each pattern is for:
/// - normal: the everyday case, sums of about 1 where an activation follows; wrong epilogues, scales, groups; for 8-bit
///   integers and codes zero points about the middle of the range;
/// - uniform: positive sums; dropped terms, short accumulators, biased roundings; of integers the whole range;
/// - log_uniform, canceling, swamping, near_tie: as for GEMM; narrow accumulators, partial sums and outputs that are
///   rounded twice or cut off; Of integers log_uniform is A of the whole range and B of 7 bits, which units are made
///   for that saturate pairs of products;
/// - exact_integer: small integers, scales powers of two: sums are exact, so that one wrong scale, term, zero point or
///   weight shows whatever the tolerance;
/// - one_hot: addresses;
/// - constant: of integers and codes the highest everywhere, zero points at the ends: sums that outgrow 16 bits, 24
///   bits, pairs of products that saturate;
/// - extreme: of integers and codes rows of only the lowest, only the highest, or both (−128, 127, 0, 255), zero points
///   at the ends; rows of A with the smallest scale that is a power of two; of numbers overflow and underflow;
/// - special: NaN, infinities (but where zero points may be expanded), none of them in A's terms that sparse weights
///   leave out, signed zeros; of block-scaled operands scales that are NaN. `exact` only where K times the largest
///   products fits the accumulator.
[[nodiscard]] inline OperationData linear_data(const LinearProblem& problem, FillKind kind,
                                               const Arithmetic& arithmetic, std::uint64_t seed) {
  return detail::LinearDataMaker(problem, kind, arithmetic, seed).data();
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/linear/data.ipp"
#endif
