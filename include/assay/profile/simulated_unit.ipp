#pragma once

#include "assay/profile/simulated_unit.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::uint64_t SimulatedUnit::dot(const std::vector<std::uint64_t>& a,
                                                            const std::vector<std::uint64_t>& b) {
  expect(a.size() == b.size(), [&] {
    return "a simulated unit was given a row of " + std::to_string(a.size()) + " and a column of " +
           std::to_string(b.size()) + " elements; both must be as long";
  });
  return output(a.empty() ? 0 : sum(a, b));
}

ASSAY_DETAIL_HEADER_INLINE double SimulatedUnit::read(const ElementFormat& format, std::uint64_t code) {
  const double value = format.decode(code);
  if (!is_finite(value) || value == 0) return value;
  if (model_.input_subnormals == UnitSubnormals::flushed &&
      detail::absolute(value) < power_of_two(format.layout.min_exponent()))
    return value < 0 ? -0.0 : 0.0;
  if (model_.input_precision == 0 || model_.input_precision >= format.layout.precision()) return value;
  FloatLayout shorter = format.layout;
  shorter.fraction_bits = model_.input_precision - 1;
  return assay::decode(shorter, assay::encode(shorter, value, drawn(model_.input_rounding)));
}

ASSAY_DETAIL_HEADER_INLINE double SimulatedUnit::sum(const std::vector<std::uint64_t>& a,
                                                     const std::vector<std::uint64_t>& b) {
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

ASSAY_DETAIL_HEADER_INLINE double SimulatedUnit::added(const std::vector<Index>& operands) {
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
  if (numbers == 1 && alone != 0 && (products == 0 || model_.aligned_bits < 0))
    return alone;  // a sum that was rounded before
  if (model_.products == UnitProducts::fused && products == 2 && operands.size() == 2) {
    detail::ExactTerm& begins_chain = terms_[model_.order.chain == SummationChain::descending ? 1 : 0];
    if (begins_chain.magnitude != 0) begins_chain = rounded(begins_chain, model_.sum_rounding);
  }
  const UnitRounding rounding = products > 0 ? model_.sum_rounding : model_.combining_rounding;
  const detail::ExactAdder add{model_.accumulator, drawn(rounding), beyond(model_.sum_overflow),
                               products > 0 ? model_.aligned_bits : -1, drawn(model_.alignment)};
  const double sum = kept(add(terms_));
  return sum == 0 && model_.starts_from_zero && rounding != UnitRounding::toward_negative ? 0 : sum;
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t SimulatedUnit::output(double sum) {
  const FloatLayout& layout = model_.c.layout;
  if (!is_finite(sum)) return assay::encode(layout, sum, Rounding::nearest_even, beyond(model_.output_overflow));
  const detail::ExactTerm term = detail::ExactTerm::of(sum);
  const double stored = detail::rounded(layout, term.negative, term.magnitude, term.scale,
                                        drawn(model_.output_rounding), beyond(model_.output_overflow));
  const bool subnormal = stored != 0 && detail::absolute(stored) < power_of_two(layout.min_exponent());
  return assay::encode(
      layout, subnormal && model_.output_subnormals == UnitSubnormals::flushed ? (sum < 0 ? -0.0 : 0.0) : stored);
}

ASSAY_DETAIL_HEADER_INLINE MatrixUnit simulated_matrix_unit(MatrixUnitModel model, std::uint64_t seed) {
  MatrixUnit unit{"simulated", model.a, model.b, model.c, {}};
  unit.ask = [simulated = std::make_shared<SimulatedUnit>(std::move(model), seed)](
                 const std::vector<DotProbe>& probes) -> Result<std::vector<std::uint64_t>> {
    std::vector<std::uint64_t> answers;
    for (const DotProbe& probe : probes) answers.push_back(simulated->dot(probe.a, probe.b));
    return answers;
  };
  return unit;
}

}  // namespace assay::inline v0
