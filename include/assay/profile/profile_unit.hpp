#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/profile/detail/examine_products.hpp"
#include "assay/profile/detail/examine_specials.hpp"
#include "assay/tensor/random_bits.hpp"

namespace assay::inline v0 {

/// How much a profile looks at.
struct ProfileOptions {
  Index terms = 64;  ///< of the sums that are asked for; doubled, up to 512, until there are additions upon additions
  /// Further numbers of terms whose order is looked at, so that a rule for all is found: one that is not a multiple,
  /// and a large one that shows blocks of K, which is doubled where it shows two of them only. 0 stands for one and a
  /// half times `terms`.
  std::vector<Index> further_terms{0, 1000};
};

namespace detail {

/// The whole examination of a unit; see `profile_unit`.
class UnitExamination {
 public:
  UnitExamination(const MatrixUnit& unit, const ProfileOptions& options);

  [[nodiscard]] Result<NumericProfile> profile();

 private:
  /// Empty, or why there is no tree.
  [[nodiscard]] std::string reveal_first_order();

  void reveal_further_orders();

  /// Precision 0 where it could not be found.
  [[nodiscard]] FoundSums examine_sums(SumExamination& sums, const AdditionSites& sites, const AdditionSite& site);

  void examine_repeatability();
  [[nodiscard]] static double signed_number(std::uint32_t bits) {
    return (static_cast<double>(bits >> 1) * 0x1p-31 + 0.25) * ((bits & 1) != 0 ? 1 : -1);
  }

  UnitQuestions questions_;
  const ProfileOptions& options_;
  NumericProfile profile_;
  std::optional<MaskSizes> sizes_;
};

}  // namespace detail

/// Finds out the arithmetic of a unit from its answers alone: sums of a few products whose sizes are chosen so that
/// each rule that a unit may follow shows in the bits, while all other terms are zero. First the order (see
/// `reveal_order`), then, with terms placed by it, precision, alignment, roundings, products, and special values. What
/// the formats cannot show is undetermined, with the reason. O(terms²·log terms) a sum order in all; errors of the unit
/// are passed on. Sources: Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ CS 7
/// (2021); FTTN (2024); FPRev (2025).
[[nodiscard]] inline Result<NumericProfile> profile_unit(const MatrixUnit& unit, const ProfileOptions& options = {}) {
  expect(options.terms >= 4, [&] {
    return "a profile of sums of " + std::to_string(options.terms) +
           " terms was asked for; at least 4 are needed to see an order";
  });
  return detail::UnitExamination(unit, options).profile();
}

/// The model of a profile: a simulated unit of it answers as the profiled one does, for sums of `profile.tree.terms`
/// terms, and of any number where the order is determined. `ErrorKind::unsupported` names what of the bits of finite
/// results is undetermined. What nothing shows (a rounding where nothing is rounded) is set to nearest, which then
/// means nothing.
[[nodiscard]] Result<MatrixUnitModel> model_of(const NumericProfile& profile, const ElementFormat& a,
                                               const ElementFormat& b, const ElementFormat& c);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/profile/profile_unit.ipp"
#endif
