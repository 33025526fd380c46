#pragma once

#include <string_view>

namespace assay::inline v0 {

/// How the rounding errors of a sum over given data behave; every fill declares it, every bound asks for it.
enum class RoundingModel {
  exact,        ///< no correct kernel rounds at all: every partial sum in every order is representable
  statistical,  ///< errors are independent with zero mean: they grow like √n (Higham and Mary, SISC 2019)
  worst_case    ///< errors may all point the same way: they grow like n
};

/// The name in derivations and reports.
[[nodiscard]] constexpr std::string_view name_of(RoundingModel model) noexcept {
  switch (model) {
    case RoundingModel::exact: return "exact";
    case RoundingModel::statistical: return "statistical";
    case RoundingModel::worst_case: return "worst_case";
  }
  return "worst_case";
}

}  // namespace assay::inline v0
