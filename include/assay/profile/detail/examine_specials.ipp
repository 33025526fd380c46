#pragma once

#include "assay/profile/detail/examine_specials.hpp"

#include <algorithm>
#include <tuple>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Determined<UnitRounding> SpecialExamination::output_rounding() {
  const int p = output_.precision();
  if (found_.precision <= p) return Determined<UnitRounding>::not_determined("the output holds every sum");
  const int longest =
      std::min({found_.precision - 1, found_.aligned_bits < 0 ? 1000 : found_.aligned_bits, sums_.depth()});
  std::vector<SeenRounding> seen;
  for (const int odd : {0, 1}) {
    const double more = odd != 0 ? sums_.below(p - 1) : 0;
    const auto question = [&](double part, double sign) {
      return Terms{{site_.first, sign * sums_.one()}, {site_.other, sign * (more + part)}};
    };
    if (longest >= p + 1) sums_.see(seen, p - 1, {1, 3}, question, sums_.below(p - 1), sums_.one() + more, odd != 0);
    if (longest >= p) sums_.see(seen, p - 1, {2}, question, sums_.below(p - 1), sums_.one() + more, odd != 0);
  }
  if (seen.empty())
    return Determined<UnitRounding>::not_determined("sums are cut to " + std::to_string(longest + 1) +
                                                    " bits, and the output has as many");
  return rounding_that_explains(seen);
}

ASSAY_DETAIL_HEADER_INLINE void SpecialExamination::subnormals(NumericProfile& profile) {
  using Found = Determined<UnitSubnormals>;
  const auto kept_if = [](bool kept) { return kept ? UnitSubnormals::kept : UnitSubnormals::flushed; };
  const auto& [a, b, c] = std::tie(questions_.a, questions_.b, questions_.c);
  const double half_a = power_of_two(a.normal - 1), half_b = power_of_two(b.normal - 1);
  const int up_a = std::clamp(c.normal + 4 - b.normal, a.normal, a.largest),
            up_b = std::clamp(c.normal + 4 - a.normal, b.normal, b.largest);
  if (a.subnormal == a.normal || a.normal - 1 + up_b < c.normal || b.normal - 1 + up_a < c.normal) {
    profile.input_subnormals = Found::not_determined("no product of a subnormal input is a normal output");
  } else {
    const Index term = site_.first;
    const std::vector<double> answers = questions_.answers({questions_.probe({{term, half_a, power_of_two(up_b)}}),
                                                            questions_.probe({{term, power_of_two(up_a), half_b}})});
    const bool kept_a = answers[0] != 0, kept_b = answers[1] != 0;
    profile.input_subnormals =
        kept_a == kept_b
            ? Found(kept_if(kept_a))
            : Found::not_determined(std::string("those of ") +
                                    (kept_a ? "A are kept and those of B" : "B are kept and those of A") + " flushed");
  }
  const int smallest = output_.min_exponent();
  const auto reachable = [&](int exponent) { return exponent >= a.normal + b.normal; };
  // a sum that is subnormal on its way: 1.5·2^e − 2^e + 2^e
  const int e = accumulator_.min_exponent();
  if (site_.later < 0)
    profile.sum_subnormals = Found::not_determined("there is no addition after another");
  else if (!reachable(e) || e < c.subnormal)
    profile.sum_subnormals = Found::not_determined("inputs or output do not reach the accumulator's subnormal numbers");
  else {
    const double least = power_of_two(e);
    const double answer =
        questions_.sums({{{site_.first, 1.5 * least}, {site_.other, -least}, {site_.later, least}}})[0];
    profile.sum_subnormals = answer == 1.5 * least ? Found(UnitSubnormals::kept)
                             : answer == least     ? Found(UnitSubnormals::flushed)
                                                   : Found::not_determined("the sum came out as neither");
  }
  if (!reachable(smallest)) {
    profile.output_subnormals = Found::not_determined("inputs do not reach the output's subnormal numbers");
    return;
  }
  const double least = power_of_two(smallest);
  const bool kept = questions_.sums({{{site_.first, 1.5 * least}, {site_.other, -least}}})[0] == 0.5 * least;
  const bool as_sums = !kept && profile.sum_subnormals.value == UnitSubnormals::flushed && output_.min_exponent() <= e;
  profile.output_subnormals = as_sums ? Found(UnitSubnormals::flushed, "as sums are") : Found(kept_if(kept));
}

ASSAY_DETAIL_HEADER_INLINE void SpecialExamination::overflow(NumericProfile& profile) {
  using Found = Determined<UnitOverflow>;
  const int top = exponent_of(decode(accumulator_, accumulator_.max_finite_bits())), output_top = questions_.c.largest;
  const auto reached = [&](int exponent) { return exponent <= questions_.a.largest + questions_.b.largest; };
  const double largest = decode(output_, output_.max_finite_bits());
  if (!reached(std::min(top, output_top))) {
    profile.output_overflow = Found::not_determined("two products do not reach the output's largest number");
  } else if (output_top > top) {
    profile.output_overflow = Found::not_determined("sums overflow before the output does");
  } else {
    const double half = power_of_two(output_top),
                 answer = questions_.sums({{{site_.first, half}, {site_.other, half}}})[0];
    profile.output_overflow =
        is_infinite(answer) || (is_nan(answer) && !output_.has_infinity())
            ? Found(UnitOverflow::infinity, is_nan(answer) ? "as NaN: the format has no infinity" : "")
        : answer == largest ? Found(UnitOverflow::saturates)
                            : Found::not_determined("it gives neither infinity nor the largest number");
  }
  if (site_.later < 0)
    profile.sum_overflow = Found::not_determined("there is no addition after another");
  else if (!reached(top))
    profile.sum_overflow = Found::not_determined("two products do not reach the accumulator's largest number");
  else {
    const double half = power_of_two(top), whole = decode(accumulator_, accumulator_.max_finite_bits());
    const double answer = questions_.sums({{{site_.first, half}, {site_.other, half}, {site_.later, -half}}})[0];
    const bool saturated = is_finite(answer) && (answer == encoded(whole - half) || answer == largest);
    profile.sum_overflow = !is_finite(answer) ? Found(UnitOverflow::infinity)
                           : saturated
                               ? Found(UnitOverflow::saturates)
                               : Found::not_determined("2^" + std::to_string(top + 1) + " − 2^" + std::to_string(top) +
                                                       " came out as " + printed_number(answer, 9));
    if (profile.output_overflow.value == UnitOverflow::saturates && !is_finite(answer))
      profile.sum_overflow.note = "seen in spite of an output that saturates";
  }
  if (profile.output_overflow.value == UnitOverflow::saturates &&
      profile.sum_overflow.value == UnitOverflow::saturates && top <= output_top)
    profile.output_overflow = {UnitOverflow::infinity, "as far as it can be seen: sums have saturated before"};
}

ASSAY_DETAIL_HEADER_INLINE void SpecialExamination::specials(NumericProfile& profile) {
  const FloatLayout& in = questions_.unit.a.layout;
  const Index term = site_.first;
  const auto with_codes = [&](std::vector<std::tuple<Index, std::uint64_t, double>> given) {
    DotProbe probe = questions_.probe({});
    for (const auto& [place, code, right] : given) {
      probe.a[static_cast<std::size_t>(place)] = code;
      probe.b[static_cast<std::size_t>(place)] = questions_.unit.b.encode(right);
    }
    return probe;
  };
  if (!in.has_nan()) {
    profile.nan = Determined<std::string>::not_determined("the inputs have no NaN");
  } else if (in.specials != SpecialValues::ieee || in.fraction_bits < 3) {
    const auto codes = questions_.codes({with_codes({{term, in.nan_bits(), 1}})});
    profile.nan =
        output_.is_nan(codes[0]) ? "NaN gives " + kind_of(codes[0]) : "SWALLOWED: NaN gives " + kind_of(codes[0]);
  } else {
    const std::uint64_t payload = std::uint64_t{1} << (in.fraction_bits - 2), given = in.nan_bits() | payload,
                        signaling = in.infinity_bits() | payload;
    const auto codes =
        questions_.codes({with_codes({{term, given, 1}}), with_codes({{term, in.sign_mask() | given, 1}}),
                          with_codes({{term, signaling, 1}})});
    const bool all = output_.is_nan(codes[0]) && output_.is_nan(codes[1]) && output_.is_nan(codes[2]);
    const bool payload_kept = output_.fraction_bits >= 2 && output_.is_nan(codes[0]) &&
                              ((codes[0] >> (output_.fraction_bits - 2)) & 1) != 0 &&
                              codes[0] != output_.magnitude_mask();
    profile.nan = all ? std::string("propagates, ") + (payload_kept ? "payload kept" : "payload lost") +
                            (codes[0] == codes[1] ? ", sign lost" : ", sign kept") + ": NaN " + hexadecimal(given) +
                            " gives " + hexadecimal(codes[0]) + ", signaling gives " + hexadecimal(codes[2])
                      : "SWALLOWED: NaN gives " + kind_of(codes[0]) + ", negative NaN " + kind_of(codes[1]) +
                            ", signaling NaN " + kind_of(codes[2]);
  }
  if (!in.has_infinity()) {
    profile.infinity = Determined<std::string>::not_determined("the inputs have no infinity");
  } else {
    const std::uint64_t infinity = in.infinity_bits(), negative = in.sign_mask() | infinity;
    const auto codes = questions_.codes({with_codes({{term, infinity, 1}}),
                                         with_codes({{term, infinity, 1}, {site_.other, negative, 1}}),
                                         with_codes({{term, infinity, 0}})});
    profile.infinity =
        "inf·1 gives " + kind_of(codes[0]) + ", inf − inf " + kind_of(codes[1]) + ", inf·0 " + kind_of(codes[2]);
  }
  if (!output_.has_sign() || output_.specials == SpecialValues::fnuz || in.specials == SpecialValues::fnuz) {
    profile.starts_from_zero = Determined<bool>::not_determined("the formats have no negative zero");
    return;
  }
  DotProbe zeros = questions_.probe({});
  for (std::uint64_t& code : zeros.a) code = in.sign_mask();
  for (std::uint64_t& code : zeros.b) code = questions_.unit.b.encode(1);
  const std::uint64_t code = questions_.codes({zeros})[0];
  profile.starts_from_zero = {code == 0, code == 0 ? "a sum of negative zeros is +0" : "a sum of negative zeros is −0"};
}

}  // namespace assay::inline v0::detail
