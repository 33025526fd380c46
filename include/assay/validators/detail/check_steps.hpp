#pragma once

#include <chrono>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"

namespace assay::detail {

/// Seconds since `start`, which then becomes now.
inline double lap(std::chrono::steady_clock::time_point& start) {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - start).count();
  start = now;
  return seconds;
}

/// The verdict for what the environment refused.
inline Outcome refused(Outcome outcome, const Error& error) {
  outcome.verdict = error.kind == ErrorKind::unsupported ? Verdict::unsupported : Verdict::error;
  outcome.reason = error.message;
  return outcome;
}

}  // namespace assay::detail
