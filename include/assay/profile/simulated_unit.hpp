#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/profile/detail/exact_term.hpp"
#include "assay/profile/matrix_unit.hpp"
#include "assay/profile/matrix_unit_model.hpp"
#include "assay/tensor/random_bits.hpp"
#include "assay/validators/gemm_subject.hpp"

namespace assay::inline v0 {

/// A unit that does what its model says, bit for bit, on the host: slow (some 50 ns a term), and an oracle where the
/// model is that of a real unit. Only stochastic rounding has a state: its draws. One thread at a time.
class SimulatedUnit {
 public:
  /// Misuse: a model whose accumulator or formats are wider than double's. `seed` is for stochastic rounding.
  explicit SimulatedUnit(MatrixUnitModel model, std::uint64_t seed = 0) : model_(std::move(model)), seed_(seed) {
    expect(model_.accumulator.exponent_bits <= 11 && model_.accumulator.fraction_bits <= 52, [&] {
      return std::string(
          "a simulated unit keeps its sums in a format within binary64; the model's accumulator is wider");
    });
  }

  /// What it simulates.
  [[nodiscard]] const MatrixUnitModel& model() const { return model_; }

  /// The code of Σ a[k]·b[k]. Misuse: different lengths.
  [[nodiscard]] std::uint64_t dot(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b);

 private:
  [[nodiscard]] Rounding drawn(UnitRounding rounding) {
    if (rounding != UnitRounding::stochastic) return static_cast<Rounding>(rounding);
    return (random_bits(seed_, draws_++, 0).words[0] & 1) != 0 ? Rounding::toward_negative : Rounding::toward_positive;
  }
  [[nodiscard]] static Overflow beyond(UnitOverflow overflow) {
    return overflow == UnitOverflow::saturates ? Overflow::saturate : Overflow::ieee;
  }
  [[nodiscard]] double read(const ElementFormat& format, std::uint64_t code);

  [[nodiscard]] double kept(double sum) const {
    const bool subnormal = sum != 0 && detail::absolute(sum) < power_of_two(model_.accumulator.min_exponent());
    return subnormal && model_.sum_subnormals == UnitSubnormals::flushed ? (sum < 0 ? -0.0 : 0.0) : sum;
  }

  [[nodiscard]] detail::ExactTerm rounded(const detail::ExactTerm& product, UnitRounding rounding) {
    return detail::ExactTerm::of(kept(detail::rounded(model_.accumulator, product.negative, product.magnitude,
                                                      product.scale, drawn(rounding), beyond(model_.sum_overflow))));
  }

  [[nodiscard]] double sum(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b);

  [[nodiscard]] double added(const std::vector<Index>& operands);

  [[nodiscard]] std::uint64_t output(double sum);

  MatrixUnitModel model_;
  std::uint64_t seed_, draws_ = 0;
  SummationTree tree_;
  std::vector<detail::ExactTerm> products_, terms_;
  std::vector<double> values_;
};

/// A simulated unit as a black box.
[[nodiscard]] MatrixUnit simulated_matrix_unit(MatrixUnitModel model, std::uint64_t seed = 0);

/// A simulated unit as a kernel under test, or as the oracle of one. α is 1 and β is 0: others are unsupported.
template <class Op>
[[nodiscard]] GemmSubject<Op> simulated_gemm_subject(MatrixUnitModel model, std::uint64_t seed = 0) {
  model.a = element_format<typename Op::FormatA>();
  model.b = element_format<typename Op::FormatB>();
  model.c = element_format<typename Op::FormatC>();
  GemmSubject<Op> subject;
  subject.name = "simulated";
  subject.run = [simulated = std::make_shared<SimulatedUnit>(std::move(model), seed)](
                    const GemmProblem& problem, const typename Op::Arguments& arguments) -> Result<void> {
    using C = FormatTraits<typename Op::FormatC>;
    if (problem.alpha != 1 || problem.beta != 0)
      return failure(ErrorKind::unsupported, "a simulated unit multiplies with alpha = 1 and beta = 0 only");
    std::vector<std::uint64_t> row(static_cast<std::size_t>(problem.k)), column(row.size());
    for (Index batch = 0; batch < problem.batch; ++batch)
      for (Index i = 0; i < problem.m; ++i) {
        for (Index k = 0; k < problem.k; ++k)
          row[static_cast<std::size_t>(k)] = FormatTraits<typename Op::FormatA>::to_bits(arguments.a(batch, i, k));
        for (Index j = 0; j < problem.n; ++j) {
          for (Index k = 0; k < problem.k; ++k)
            column[static_cast<std::size_t>(k)] = FormatTraits<typename Op::FormatB>::to_bits(arguments.b(batch, k, j));
          arguments.c(batch, i, j) = C::from_bits(static_cast<typename C::Bits>(simulated->dot(row, column)));
        }
      }
    return {};
  };
  return subject;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/profile/simulated_unit.ipp"
#endif
