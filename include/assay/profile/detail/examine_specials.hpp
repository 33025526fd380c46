#pragma once

#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/profile/detail/examine_sums.hpp"

namespace assay::inline v0::detail {

/// The rounding of the output, and what is done with subnormal numbers, overflow, NaN, infinities and negative zeros.
class SpecialExamination {
 public:
  SpecialExamination(UnitQuestions& asked, SumExamination& sums, const AdditionSite& site, const FoundSums& found,
                     const FloatLayout& accumulator)
      : questions_(asked),
        sums_(sums),
        site_(site),
        found_(found),
        accumulator_(accumulator),
        output_(asked.unit.c.layout) {}

  void examine(NumericProfile& profile) {
    profile.output_rounding = output_rounding();
    subnormals(profile);
    overflow(profile);
    specials(profile);
  }

 private:
  using Terms = std::vector<std::pair<Index, double>>;

  [[nodiscard]] Determined<UnitRounding> output_rounding();

  void subnormals(NumericProfile& profile);

  void overflow(NumericProfile& profile);
  [[nodiscard]] double encoded(double value) const { return questions_.unit.c.round(value); }

  [[nodiscard]] static std::string hexadecimal(std::uint64_t code) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(code));
    return text;
  }
  [[nodiscard]] std::string kind_of(std::uint64_t code) const {
    if (output_.is_nan(code)) return "NaN " + hexadecimal(code);
    if (output_.is_infinite(code)) return (code & output_.sign_mask()) != 0 ? "−inf" : "inf";
    return "the number " + printed_number(questions_.unit.c.decode(code), 9);
  }

  void specials(NumericProfile& profile);

  UnitQuestions& questions_;
  SumExamination& sums_;
  const AdditionSite& site_;
  FoundSums found_;
  FloatLayout accumulator_, output_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/profile/detail/examine_specials.ipp"
#endif
