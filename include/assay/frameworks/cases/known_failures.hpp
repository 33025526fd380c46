#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// A failure that somebody answers for until a day.
struct KnownFailure {
  std::string glob;     ///< of outcomes' ids or of their last parts
  std::string owner;    ///< who answers
  std::string expires;  ///< YYYY-MM-DD, the last day
  std::string reason;   ///< why it is let through
  int line = 0;         ///< where it stands in the list
};

/// Lines "glob | owner | expires | reason"; empty ones and those that begin with # are nothing. `malformed`, with the
/// line, for anything else: an owner and a reason are never left out, and a day is a day.
[[nodiscard]] Result<std::vector<KnownFailure>> read_known_failures(std::string_view text);

/// What a list says of outcomes.
struct JudgedFailures {
  std::vector<std::string> known;    ///< ids of failures and errors that the list has, not expired
  std::vector<std::string> unknown;  ///< ids of those that it has not, or no longer
  std::vector<std::string> stale;    ///< lines of the list that hit no failure, or have expired, with why
};

/// `today` is YYYY-MM-DD. O(outcomes · entries).
[[nodiscard]] JudgedFailures judge_by_known_failures(const std::vector<Outcome>& outcomes,
                                                     const std::vector<KnownFailure>& list, std::string_view today);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/cases/known_failures.ipp"
#endif
