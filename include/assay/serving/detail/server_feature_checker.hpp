#pragma once

#include <string>

#include "assay/serving/detail/server_checker.hpp"

namespace assay::inline v0::detail {

/// Checks of features that a server need not have: what it refuses is `unsupported`.
class ServerFeatureChecker : public ServerChecker {
 public:
  using ServerChecker::ServerChecker;

  Outcome prefix_cache();
  Outcome choices();
  Outcome logit_bias();
  Outcome sampling_limits();
  Outcome structured();
  Outcome tokenizer();

 private:
  /// Answers to POST requests with such bodies at a path outside the base, one after the other.
  [[nodiscard]] std::vector<RequestRecord> post(const std::string& path, const std::vector<std::string>& bodies) const;
  /// `unsupported` where all were refused, `error` where some failed; nothing where all are complete.
  [[nodiscard]] std::optional<Outcome> refused(const std::string& name,
                                               const std::vector<RequestRecord>& records) const;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/serving/detail/server_feature_checker.ipp"
#endif
