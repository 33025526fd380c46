#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/tensor/random_bits.hpp"
#include "assay/validators/gemm_subject.hpp"
#include "assay/validators/profile/detail/exact_term.hpp"
#include "assay/validators/profile/matrix_unit.hpp"
#include "assay/validators/profile/matrix_unit_model.hpp"

namespace assay::inline v0 {

/// A unit that does what its model says, bit for bit, on the host: slow (some 50 ns a term), and an oracle where the model is that of
/// a real unit. Only stochastic rounding has a state: its draws. One thread at a time.
class SimulatedUnit {
 public:
  /// Misuse: a model whose accumulator or formats are wider than double's. `seed` is for stochastic rounding.
  explicit SimulatedUnit(MatrixUnitModel model, std::uint64_t seed = 0) : model_(std::move(model)), seed_(seed) {
    expect(model_.accumulator.exponent_bits <= 11 && model_.accumulator.fraction_bits <= 52,
           [&] { return std::string("a simulated unit keeps its sums in a format within binary64; the model's accumulator is wider"); });
  }

  /// What it simulates.
  [[nodiscard]] const MatrixUnitModel& model() const { return model_; }

  /// The code of Σ a[k]·b[k]. Misuse: different lengths.
  [[nodiscard]] std::uint64_t dot(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    expect(a.size() == b.size(), [&] {
      return "a simulated unit was given a row of " + std::to_string(a.size()) + " and a column of " + std::to_string(b.size()) +
             " elements; both must be as long";
    });
    return output(a.empty() ? 0 : sum(a, b));
  }

 private:
  [[nodiscard]] Rounding drawn(UnitRounding rounding) {
    if (rounding != UnitRounding::stochastic) return static_cast<Rounding>(rounding);
    return (random_bits(seed_, draws_++, 0).words[0] & 1) != 0 ? Rounding::toward_negative : Rounding::toward_positive;
  }
  [[nodiscard]] static Overflow beyond(UnitOverflow overflow) {
    return overflow == UnitOverflow::saturates ? Overflow::saturate : Overflow::ieee;
  }
  [[nodiscard]] double read(const ElementFormat& format, std::uint64_t code) {
    const double value = format.decode(code);
    if (!is_finite(value) || value == 0) return value;
    if (model_.input_subnormals == UnitSubnormals::flushed && detail::absolute(value) < power_of_two(format.layout.min_exponent()))
      return value < 0 ? -0.0 : 0.0;
    if (model_.input_precision == 0 || model_.input_precision >= format.layout.precision()) return value;
    FloatLayout shorter = format.layout;
    shorter.fraction_bits = model_.input_precision - 1;
    return assay::decode(shorter, assay::encode(shorter, value, drawn(model_.input_rounding)));
  }

  [[nodiscard]] double kept(double sum) const {
    const bool subnormal = sum != 0 && detail::absolute(sum) < power_of_two(model_.accumulator.min_exponent());
    return subnormal && model_.sum_subnormals == UnitSubnormals::flushed ? (sum < 0 ? -0.0 : 0.0) : sum;
  }

  [[nodiscard]] detail::ExactTerm rounded(const detail::ExactTerm& product, UnitRounding rounding) {
    return detail::ExactTerm::of(kept(detail::rounded(model_.accumulator, product.negative, product.magnitude, product.scale,
                                                      drawn(rounding), beyond(model_.sum_overflow))));
  }

  [[nodiscard]] double sum(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    const Index count = static_cast<Index>(a.size());
    if (tree_.terms != count) tree_ = model_.order_of(count);
    values_.assign(static_cast<std::size_t>(tree_.root() + 1), 0);
    products_.resize(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      products_[k] = {};
      if ((a[k] | b[k]) == 0) continue;
      const double left = read(model_.a, a[k]), right = read(model_.b, b[k]);
      const bool finite = is_finite(left) && is_finite(right);
      if (finite)
        products_[k] = detail::ExactTerm::product(left, right, model_.aligned_by_factors);
      else
        values_[k] = left * right;
    }
    if (model_.products == UnitProducts::rounded)
      for (std::size_t k = 0; k < a.size(); ++k)
        if (products_[k].magnitude != 0) products_[k] = rounded(products_[k], model_.product_rounding);
    if (tree_.additions.empty()) return added({0});
    for (std::size_t i = 0; i < tree_.additions.size(); ++i) values_[a.size() + i] = added(tree_.additions[i]);
    return values_.back();
  }

  [[nodiscard]] double added(const std::vector<Index>& operands) {
    terms_.clear();
    double special = 0, alone = 0;
    std::size_t products = 0, numbers = 0;
    for (const Index operand : operands) {
      const auto place = static_cast<std::size_t>(operand);
      const bool product = operand < tree_.terms, finite = is_finite(values_[place]);
      if (!finite) special += values_[place];
      products += product ? 1 : 0;
      terms_.push_back(product ? products_[place] : detail::ExactTerm::of(finite ? values_[place] : 0));
      if (terms_.back().magnitude == 0) continue;
      ++numbers;
      alone = product ? 0 : values_[place];
    }
    if (!is_finite(special)) return special;
    if (numbers == 1 && alone != 0 && (products == 0 || model_.aligned_bits < 0)) return alone;  // a sum that was rounded before
    if (model_.products == UnitProducts::fused && products == 2 && operands.size() == 2) {
      detail::ExactTerm& begins_chain = terms_[model_.order.chain == SummationChain::descending ? 1 : 0];
      if (begins_chain.magnitude != 0) begins_chain = rounded(begins_chain, model_.sum_rounding);
    }
    const UnitRounding rounding = products > 0 ? model_.sum_rounding : model_.combining_rounding;
    const detail::ExactAdder add{model_.accumulator, drawn(rounding), beyond(model_.sum_overflow), products > 0 ? model_.aligned_bits : -1,
                                 drawn(model_.alignment)};
    const double sum = kept(add(terms_));
    return sum == 0 && model_.starts_from_zero && rounding != UnitRounding::toward_negative ? 0 : sum;
  }

  [[nodiscard]] std::uint64_t output(double sum) {
    const FloatLayout& layout = model_.c.layout;
    if (!is_finite(sum)) return assay::encode(layout, sum, Rounding::nearest_even, beyond(model_.output_overflow));
    const detail::ExactTerm term = detail::ExactTerm::of(sum);
    const double stored =
        detail::rounded(layout, term.negative, term.magnitude, term.scale, drawn(model_.output_rounding), beyond(model_.output_overflow));
    const bool subnormal = stored != 0 && detail::absolute(stored) < power_of_two(layout.min_exponent());
    return assay::encode(layout, subnormal && model_.output_subnormals == UnitSubnormals::flushed ? (sum < 0 ? -0.0 : 0.0) : stored);
  }

  MatrixUnitModel model_;
  std::uint64_t seed_, draws_ = 0;
  SummationTree tree_;
  std::vector<detail::ExactTerm> products_, terms_;
  std::vector<double> values_;
};

/// A simulated unit as a black box.
[[nodiscard]] inline MatrixUnit simulated_matrix_unit(MatrixUnitModel model, std::uint64_t seed = 0) {
  MatrixUnit unit{"simulated", model.a, model.b, model.c, {}};
  unit.ask = [simulated = std::make_shared<SimulatedUnit>(std::move(model), seed)](
                 const std::vector<DotProbe>& probes) -> Result<std::vector<std::uint64_t>> {
    std::vector<std::uint64_t> answers;
    for (const DotProbe& probe : probes) answers.push_back(simulated->dot(probe.a, probe.b));
    return answers;
  };
  return unit;
}

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
