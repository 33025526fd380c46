#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/pipeline/compare_stage.hpp"
#include "assay/pipeline/stage_value.hpp"

namespace assay::inline v0 {

/// One stage's work on one request, as the process or machine that did it saw it.
struct StageSpan {
  std::string stage;
  std::string place;  ///< the process or machine, by whose clock it was timed
  double begin = 0;   ///< seconds on that clock; clocks of different places are never compared
  double end = 0;     ///< as above
};

/// A request's way through stages of several processes or machines.
struct SplitRequest {
  std::string id;                ///< unique
  double begin = 0;              ///< when it came, in seconds on the clock of the caller
  double end = 0;                ///< when it was answered, on the same clock
  std::vector<StageSpan> spans;  ///< of all places, in any order
  bool cut = false;              ///< the way that is to be taken was cut on purpose, so that the fallback must engage
  bool fell_back = false;        ///< the fallback answered
  std::optional<StageValue> answer;     ///< nothing: it was not answered
  std::optional<StageValue> reference;  ///< what is right; nothing: not known
};

/// What an application in several places promises.
struct SplitPromise {
  std::vector<std::string> stages;    ///< that each request passes once, unless the fallback answers it
  std::vector<std::string> fallback;  ///< stages of the fallback, any before it included; empty: there is none
  double deadline = 0;                ///< seconds from `begin` to `end`, whoever answers
  double late_share = 0;              ///< of requests that may miss it
  std::map<std::string, double> stage_deadlines;  ///< seconds that a stage may take, of those that promise it
  std::map<std::string, double> cost_per_second;  ///< by place, in any currency
  StageBound answers;                             ///< how far answers may be off the reference
  StageBound fallback_answers;                    ///< the same of the fallback's
};

/// Holds recorded requests to the promise:
/// - `pipeline/<name>/way`: each request passed each stage of its way, once, within sensible times.
/// - `pipeline/<name>/deadline`: too many that were late (or not answered) fail it; where `late_share` is above 0, the
///   rate's 95 % interval must lie on one side of it, or it is inconclusive. The reason names the stage that took the
///   most beyond its median in those that were late, or what lies between stages: waiting and transfer, which is what
///   the caller's clock tells beyond the stages' own durations.
/// - `pipeline/<name>/stage/<stage>` and `…/between`: median and 99th percentile, share of all time, cost a request;
///   fails where more than `late_share` of the spans are longer than the stage may take, else `new_baseline`, or `pass`
///   where a deadline is kept.
/// - `pipeline/<name>/fallback`: engaged in all requests that were cut, and in others at most in the share that may be
///   late; inconclusive where none was cut, skipped where there is no fallback.
/// - `pipeline/<name>/answers`, `…/fallback_answers`: within their bound; inconclusive where none could be compared.
/// Misuse: no stages, a deadline that is not above 0, a `late_share` outside [0, 1). O(n log n).
[[nodiscard]] std::vector<Outcome> check_split_pipeline(const std::string& name, const SplitPromise& promise,
                                                        const std::vector<SplitRequest>& requests);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/pipeline/split_pipeline.ipp"
#endif
