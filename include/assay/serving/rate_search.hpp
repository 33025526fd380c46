#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// What one run at a rate showed.
struct RateProbe {
  std::uint64_t requests = 0;  ///< of the run, those that failed included
  std::uint64_t kept = 0;      ///< of them, those that kept the service level
  bool valid = true;           ///< false: the client was saturated, or too little ran; such a probe decides nothing
  std::string note;            ///< why not
};

/// How the highest sustained load is searched.
struct RateSearchOptions {
  double first = 1;             ///< the load to begin with: requests a second, or users
  double most = 1024;           ///< not beyond
  double precision = 0.05;      ///< relative distance of the bracket's ends at which the search ends
  bool whole = false;           ///< loads are whole numbers: users
  double least_kept = 0.99;     ///< share of requests that must keep the service level
  double confidence = 0.95;     ///< of each decision
  std::size_t most_probes = 4;  ///< at one load, until it is decided
};

/// A load and what was decided of it.
struct RateStep {
  double load = 0;
  std::uint64_t requests = 0, kept = 0;  ///< of all its probes together
  std::size_t probes = 0;                ///< runs
  bool decided = false;                  ///< by the interval; else by the share alone, which a rerun may change
  bool sustained = false;                ///< enough requests kept the level
  std::string note;                      ///< of probes that were not valid
};

/// What the search found.
struct RateSearch {
  double sustained = 0;  ///< the highest load that was sustained; 0: none was
  double refuted = 0;    ///< the lowest that was not; 0: none
  bool limited = false;  ///< stopped at `most`, or by probes that were not valid, and not by the server
  std::vector<RateStep> steps;
};

/// Runs a load and counts.
using ProbeRate = std::function<Result<RateProbe>(double load)>;

/// Doubles the load until it is not sustained, then bisects. Each load is probed until the interval of its share of
/// kept requests (Wilson's) lies on one side of `least_kept`, or `most_probes` are spent; an undecided load counts by its
/// share and is told. Errors: what a probe returned; `invalid`: options outside their ranges.
[[nodiscard]] Result<RateSearch> search_rate(const ProbeRate& probe, const RateSearchOptions& options = {});

/// As an outcome `serving/<id>`: `pass` with the load, `fail` where none was sustained, `inconclusive` where the
/// highest was left undecided, or the client ended the search.
[[nodiscard]] Outcome rate_search_outcome(const RateSearch& search, const RateSearchOptions& options,
                                          const std::string& id);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/rate_search.ipp"
#endif
