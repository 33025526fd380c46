#pragma once

#include "assay/serving/server_check.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "assay/core/monotonic_time.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/serving/detail/server_feature_checker.hpp"
#include "assay/serving/detail/stream_loop.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE const std::vector<std::string>& server_check_names() {
  static const std::vector<std::string> names{
      "repeatable", "stream",       "under_load", "cross_talk", "token_limit",     "stop",       "seed",     "sampling",
      "errors",     "prefix_cache", "choices",    "logit_bias", "sampling_limits", "structured", "tokenizer"};
  return names;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<Outcome>> check_server(const ServerAddress& server,
                                                                     const ServerCheckOptions& options) {
  using Checker = detail::ServerFeatureChecker;
  static const std::map<std::string, Outcome (Checker::*)()> checks{{"repeatable", &Checker::repeatable},
                                                                    {"stream", &Checker::stream},
                                                                    {"under_load", &Checker::under_load},
                                                                    {"cross_talk", &Checker::cross_talk},
                                                                    {"token_limit", &Checker::token_limit},
                                                                    {"stop", &Checker::stop},
                                                                    {"seed", &Checker::seed},
                                                                    {"sampling", &Checker::sampling},
                                                                    {"errors", &Checker::errors},
                                                                    {"prefix_cache", &Checker::prefix_cache},
                                                                    {"choices", &Checker::choices},
                                                                    {"logit_bias", &Checker::logit_bias},
                                                                    {"sampling_limits", &Checker::sampling_limits},
                                                                    {"structured", &Checker::structured},
                                                                    {"tokenizer", &Checker::tokenizer}};
  for (const std::string& name : options.only)
    if (checks.count(name) == 0)
      return failure(ErrorKind::not_found, unknown_name("check", name, server_check_names()));
  if ((options.prompts.empty() && options.distinct == 0) || options.users == 0 || options.rounds == 0 ||
      options.tokens == 0)
    return failure(ErrorKind::invalid, "a check of a server needs a prompt, a user, a round and a token at least");
  Checker checker(server, options);
  if (options.begins) options.begins("answers without load");
  if (auto learned = checker.learn(); !learned) return learned.propagate();
  std::vector<Outcome> outcomes;
  for (const std::string& name : server_check_names()) {
    if (!options.only.empty() && std::find(options.only.begin(), options.only.end(), name) == options.only.end())
      continue;
    if (options.stop != nullptr && *options.stop) break;
    if (options.begins) options.begins(name);
    const std::int64_t start = detail::monotonic_nanoseconds();
    outcomes.push_back((checker.*checks.at(name))());
    outcomes.back().duration_seconds = static_cast<double>(detail::monotonic_nanoseconds() - start) * 1e-9;
    // What was cut short proves nothing.
    if (options.stop != nullptr && *options.stop) outcomes.pop_back();
  }
  return outcomes;
}

}  // namespace assay::inline v0
