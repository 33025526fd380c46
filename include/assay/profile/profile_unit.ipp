#pragma once

#include "assay/profile/profile_unit.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE UnitExamination::UnitExamination(const MatrixUnit& unit, const ProfileOptions& options)
    : questions_(unit), options_(options) {
  profile_.unit = unit.name;
  profile_.a = unit.a.name;
  profile_.b = unit.b.name;
  profile_.c = unit.c.name;
}

ASSAY_DETAIL_HEADER_INLINE Result<NumericProfile> UnitExamination::profile() {
  if (const std::string obstacle = reveal_first_order(); !obstacle.empty()) {
    if (questions_.error) return Failure{*questions_.error};
    profile_.order = Determined<SummationShape>::not_determined(obstacle);
    return profile_;
  }
  const AdditionSites sites(profile_.tree);
  const AdditionSite& site = sites.with_products ? *sites.with_products : *sites.last;
  SumExamination sums(questions_, *sizes_);
  const FoundSums found = examine_sums(sums, sites, site);
  reveal_further_orders();
  questions_.terms = profile_.tree.terms;
  if (found.precision > 0) {
    ProductExamination products(questions_, sums, profile_.tree, found);
    products.examine_inputs(profile_, site);
    products.examine_products(profile_);
    if (sites.widest->operands.size() > 2)
      products.examine_alignment(profile_, *sites.widest);
    else
      profile_.aligned_by_factors = Determined<bool>::not_determined("nothing is seen to be cut by alignment");
    SpecialExamination(questions_, sums, site, found, *profile_.accumulator).examine(profile_);
  }
  examine_repeatability();
  if (questions_.error) return Failure{*questions_.error};
  return profile_;
}

ASSAY_DETAIL_HEADER_INLINE std::string UnitExamination::reveal_first_order() {
  for (Index terms = options_.terms; terms <= std::max<Index>(options_.terms, 512); terms *= 2) {
    questions_.terms = terms;
    sizes_ = mask_sizes(questions_);
    if (!sizes_) return "no masks cancel in these formats: sums of 2^k and −2^k are not 0, or 2^k alone is not 2^k";
    auto tree = OrderExamination(questions_, *sizes_).tree();
    if (!tree) return tree.error().message;
    profile_.tree = std::move(tree).value();
    const AdditionSites sites(profile_.tree);
    if (sites.with_products && sites.with_products->second >= 0 && sites.with_products->later >= 0) break;
    if (terms >= 128 && profile_.tree.additions.size() > 8) break;  // a tree in which no product is added to a sum
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE void UnitExamination::reveal_further_orders() {
  std::vector<SummationTree> trees{profile_.tree};
  std::vector<Index> further;
  for (const Index terms : options_.further_terms) further.push_back(terms == 0 ? profile_.tree.terms * 3 / 2 : terms);
  std::string refused;
  for (std::size_t i = 0; i < further.size(); ++i) {
    const Index terms = further[i];
    questions_.terms = terms;
    auto tree = OrderExamination(questions_, *sizes_).tree();
    if (tree && i + 1 == further.size() && terms > 4 * profile_.tree.terms && terms < 4000 &&
        possible_blocks(tree.value()).size() > 1) {
      const Index first_block = possible_blocks(tree.value())[1].block;
      if (2 * first_block >= terms) further.push_back(2 * terms);
    }
    if (tree)
      trees.push_back(std::move(tree).value());
    else
      refused += "; not seen for " + std::to_string(terms) + " terms: " + tree.error().message;
  }
  // the longest sums show most, such as blocks; what explains them must explain the others
  std::vector<SummationShape> fitting;
  const auto longest =
      std::max_element(trees.begin(), trees.end(),
                       [](const SummationTree& left, const SummationTree& right) { return left.terms < right.terms; });
  std::string numbers;
  const std::vector<SummationShape> of_longest = shapes_of(*longest);
  for (const SummationShape& shape : of_longest)
    if (std::all_of(trees.begin(), trees.end(),
                    [&](const SummationTree& tree) { return tree_of(shape, tree.terms) == tree; }))
      fitting.push_back(shape);
  for (const SummationTree& tree : trees) {
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(tree.terms);
    if (!fitting.empty()) continue;
    const auto shapes = shapes_of(tree);
    profile_.orders_seen.push_back(
        {tree.terms, shapes.empty() ? "irregular: " + text_of(tree, 200) : text_of(shapes.front())});
  }
  if (fitting.empty())
    profile_.order = Determined<SummationShape>::not_determined(
        "no rule that is known here gives the orders seen for " + numbers + " terms" + refused);
  else
    profile_.order = {fitting.front(), "seen for " + numbers + " terms" + refused};
}

ASSAY_DETAIL_HEADER_INLINE FoundSums UnitExamination::examine_sums(SumExamination& sums, const AdditionSites& sites,
                                                                   const AdditionSite& site) {
  FoundSums found;
  const int shown = sums.kept_bits(site, false);
  const bool wide = sites.widest->operands.size() > 2;
  if (wide) {
    const int kept = sums.kept_bits(*sites.widest, true);
    if (kept < sums.depth()) found.aligned_bits = kept;
  }
  profile_.alignment = Determined<UnitRounding>::not_determined("nothing is seen to be cut by alignment");
  profile_.aligned_bits = {
      found.aligned_bits,
      found.aligned_bits < 0 && wide ? "as far as the formats show: " + std::to_string(sums.depth()) + " bits" : ""};
  if (found.aligned_bits >= 0 && found.aligned_bits + 2 <= sums.depth())
    profile_.alignment = sums.cutting(*sites.widest, found.aligned_bits);
  const int output_precision = questions_.unit.c.layout.precision();
  if (shown == sums.depth()) {
    profile_.accumulator = Determined<FloatLayout>::not_determined("it keeps all of the " + std::to_string(shown + 1) +
                                                                   " bits that the formats can show");
    return found;
  }
  if (found.aligned_bits >= 0 && shown == found.aligned_bits) {
    found = sums.precision_by_carries(*sites.last, found.aligned_bits);
  } else {
    found.precision = shown + 1;
    found.precision_is_least = site.later < 0 && shown + 1 >= output_precision;
  }
  const int exponent_bits = sizes_->mask > 127                                                       ? 11
                            : sizes_->mask <= 15 && questions_.a.largest + questions_.b.largest > 15 ? 5
                                                                                                     : 8;
  const FloatLayout widest_likely =
      found.precision_is_least && found.precision <= 24
          ? FormatTraits<float32>::layout
          : FloatLayout{exponent_bits, found.precision - 1, (1 << (exponent_bits - 1)) - 1};
  profile_.accumulator = {
      widest_likely, found.precision_is_least
                         ? "or another of at least " + std::to_string(found.precision) + " bits: no longer sum comes by"
                         : ""};
  profile_.sum_rounding = sums.rounding(site, found.precision, found.aligned_bits);
  if (found.precision_is_least && found.precision != found.aligned_bits + 1)
    profile_.sum_rounding = Determined<UnitRounding>::not_determined("no sum is longer than the accumulator");
  if (found.precision_is_least && profile_.sum_rounding.value == UnitRounding::toward_zero)
    profile_.sum_rounding = Determined<UnitRounding>::not_determined(
        "sums may be rounded toward zero, or kept longer and cut where the next addition aligns them");
  profile_.combining_rounding =
      !sites.of_sums ? Determined<UnitRounding>::not_determined("there are no additions of partial sums alone")
                     : sums.rounding(*sites.of_sums, found.precision, -1);
  return found;
}

ASSAY_DETAIL_HEADER_INLINE void UnitExamination::examine_repeatability() {
  const Index terms = questions_.terms;
  std::vector<DotProbe> probes;
  for (std::uint64_t probe = 0; probe < 64; ++probe) {
    DotProbe asked = questions_.probe({});
    for (Index term = 0; term < terms; ++term) {
      const RandomBits bits = random_bits(probe, static_cast<std::uint64_t>(term), 0x70726f66u);
      asked.a[static_cast<std::size_t>(term)] = questions_.unit.a.encode(signed_number(bits.words[0]));
      asked.b[static_cast<std::size_t>(term)] = questions_.unit.b.encode(signed_number(bits.words[1]));
    }
    probes.push_back(std::move(asked));
  }
  const std::vector<std::uint64_t> first = questions_.codes(probes);
  bool same = true;
  constexpr int runs = 4;
  for (int run = 1; run < runs; ++run) same = same && questions_.codes(probes) == first;
  profile_.repeatable = {same, std::to_string(runs) + " runs of 64 sums of random numbers"};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<MatrixUnitModel> model_of(const NumericProfile& profile, const ElementFormat& a,
                                                            const ElementFormat& b, const ElementFormat& c) {
  const auto missing = [](const char* what, const std::string& why) {
    return failure(ErrorKind::unsupported, std::string("the profile has no ") + what + ", because " + why);
  };
  if (profile.tree.terms == 0) return missing("order", profile.order.note);
  if (!profile.accumulator) return missing("accumulator", profile.accumulator.note);
  if (!profile.products) return missing("rule for products", profile.products.note);
  if (profile.sum_rounding.value == UnitRounding::stochastic || profile.repeatable.value == false)
    return missing("repeatable arithmetic", "its answers differ from run to run");
  MatrixUnitModel model;
  model.a = a;
  model.b = b;
  model.c = c;
  const auto take = [](auto& member, const auto& finding) {
    if (finding) member = *finding;
  };
  take(model.input_precision, profile.input_precision);
  take(model.input_rounding, profile.input_rounding);
  take(model.products, profile.products);
  take(model.product_rounding, profile.product_rounding);
  take(model.accumulator, profile.accumulator);
  model.sum_rounding = profile.aligned_bits.value.value_or(-1) >= 0
                           ? UnitRounding::toward_zero
                           : UnitRounding::nearest_even;  // of two that cannot be told apart, what alignment does
  take(model.sum_rounding, profile.sum_rounding);
  model.combining_rounding = model.sum_rounding;
  take(model.combining_rounding, profile.combining_rounding);
  take(model.aligned_bits, profile.aligned_bits);
  take(model.alignment, profile.alignment);
  take(model.aligned_by_factors, profile.aligned_by_factors);
  take(model.order, profile.order);
  take(model.output_rounding, profile.output_rounding);
  take(model.input_subnormals, profile.input_subnormals);
  take(model.sum_subnormals, profile.sum_subnormals);
  take(model.output_subnormals, profile.output_subnormals);
  take(model.sum_overflow, profile.sum_overflow);
  take(model.output_overflow, profile.output_overflow);
  take(model.starts_from_zero, profile.starts_from_zero);
  model.tree = profile.tree;
  return model;
}

}  // namespace assay::inline v0
