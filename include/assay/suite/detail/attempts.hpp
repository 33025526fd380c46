#pragma once

#include <optional>
#include <string>
#include <utility>

#include "assay/core/outcome.hpp"

namespace assay::inline v0::detail {

/// The attempts at one case: the first and, if that failed or erred, the retries, which measure how often it does.
class Attempts {
 public:
  void add(Outcome outcome, unsigned retries);

  [[nodiscard]] unsigned made() const noexcept { return made_; }
  [[nodiscard]] bool another() const noexcept { return due_ > 0; }

  /// The outcome of the case, whether or not attempts are still due (after a stop request). Precondition: `made() > 0`.
  [[nodiscard]] Outcome conclude(unsigned retries);

 private:
  std::optional<Outcome> first_;
  unsigned made_ = 0;
  unsigned failed_ = 0;
  unsigned undecided_ = 0;  ///< neither passed nor failed: nothing of how often it fails
  unsigned due_ = 0;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/suite/detail/attempts.ipp"
#endif
