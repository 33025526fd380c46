#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/profile/profile_unit.hpp"
#include "assay/profile/simulated_unit.hpp"
#include "assay/tensor/fill.hpp"

namespace assay::testing {

/// What a profile of a simulated unit says that its model does not; empty if nothing. What cannot be told is not asked
/// for: rounding of products that fit the accumulator, and of sums of which alignment leaves nothing to be rounded.
class Recovered {
 public:
  Recovered(const MatrixUnitModel& made, const ProfileOptions& options) : model(made) {
    const auto profiled = profile_unit(simulated_matrix_unit(model), options);
    if (!profiled) {
      wrong = profiled.error().message;
      return;
    }
    profile = profiled.value();
    compare("order", profile.order, model.order);
    compare("accumulator", profile.accumulator, model.accumulator);
    compare("aligned bits", profile.aligned_bits, model.aligned_bits);
    const bool products_fit = model.products != UnitProducts::exact &&
                              model.a.layout.precision() + model.b.layout.precision() <= model.accumulator.precision();
    compare("products", profile.products, products_fit ? UnitProducts::exact : model.products);
    if (model.products == UnitProducts::rounded && !products_fit)
      compare("product rounding", profile.product_rounding, model.product_rounding);
    const bool cut_before = model.aligned_bits >= 0 && model.aligned_bits < model.accumulator.precision();
    const bool cannot_tell = cut_before && (model.aligned_bits + 1 < model.accumulator.precision() ||
                                            model.sum_rounding == UnitRounding::toward_zero);
    if (!(cannot_tell && !profile.sum_rounding)) compare("sum rounding", profile.sum_rounding, model.sum_rounding);
    if (model.sum_rounding != UnitRounding::stochastic && wrong.empty()) compare_with_oracle();
  }

  MatrixUnitModel model;
  NumericProfile profile;
  std::string wrong;

  template <class T>
  void compare(const std::string& what, const Determined<T>& found, const T& made) {
    if (!found || *found != made)
      wrong += "; " + what + " is " + detail::finding_text(made) + ", found: " + detail::shown(found);
  }

 private:
  /// The unit of the profile beside the real one, on random numbers.
  void compare_with_oracle() {
    const auto oracle = model_of(profile, model.a, model.b, model.c);
    if (!oracle) {
      wrong += "; no oracle: " + oracle.error().message;
      return;
    }
    SimulatedUnit own(model), other(oracle.value());
    int differing = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      std::vector<std::uint64_t> a, b;
      for (Index k = 0; k < profile.tree.terms; ++k) {
        a.push_back(model.a.encode(Fill{FillKind::normal, 2 * seed, 1}(0, k) *
                                   power_of_two(seed % 2 == 0 ? 0 : static_cast<int>(k % 5) - 2)));
        b.push_back(model.b.encode(Fill{FillKind::normal, 2 * seed + 1, 1}(0, k)));
      }
      differing += own.dot(a, b) == other.dot(a, b) ? 0 : 1;
    }
    if (differing > 0) wrong += "; its oracle differs in " + std::to_string(differing) + " of 40 sums";
  }
};

}  // namespace assay::testing
