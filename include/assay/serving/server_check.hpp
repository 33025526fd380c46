#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/serving/openai_request.hpp"
#include "assay/serving/stream_client.hpp"

namespace assay::inline v0 {

/// How a server's answers are checked.
struct ServerCheckOptions {
  GenerationRequest request;         ///< model, interface, and what all requests have in common
  std::vector<std::string> prompts;  ///< to answer; empty: made ones
  std::size_t distinct = 8;          ///< prompts, where they are made
  std::size_t words = 40;            ///< of a made prompt
  std::uint64_t tokens = 32;         ///< of an answer at most
  std::size_t users = 8;             ///< at the same time, under load
  std::size_t rounds = 3;            ///< how often each prompt is asked under load
  std::size_t samples = 200;         ///< tokens drawn for the test of sampling
  bool require_invariance = false;   ///< greedy answers must not depend on what else runs; otherwise this is told alone
  std::vector<std::string> only;     ///< names of checks; empty: all
  std::uint64_t seed = 1;
  double deadline = 120;  ///< of a request, in seconds
  std::string key;        ///< bearer token
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const std::string& check)> begins;  ///< called before each check
  std::function<void(const RequestRecord&)> ended;       ///< called with each record
};

/// The checks, in the order in which they run.
[[nodiscard]] const std::vector<std::string>& server_check_names();

/// Whether features of a server change its answers. One outcome `serving/check/<name>` a check:
///
/// - `repeatable`: greedy answers without load, twice: complete, not empty, the same; with a prefix cache, hot as cold
/// - `stream`: streamed text is the text of the answer that is not streamed
/// - `under_load`: the same prompts by many users at once against the answers without load; what is truncated, empty,
///   repeated or swapped between users fails by name, what differs otherwise is batch variance
/// - `cross_talk`: users with a secret each; no other's may appear
/// - `token_limit`: no more tokens than asked for, and with `ignore_eos` exactly as many
/// - `stop`: an answer ends before its stop string
/// - `seed`: the same seed, the same answer; different seeds, different ones
/// - `sampling`: first tokens at temperature 1 against the probabilities that the server tells (χ² at level 1e-3)
/// - `errors`: a request that is no JSON is refused at once, and the server lives on
///
/// What a server does not offer is `unsupported`, what decides nothing `inconclusive`. Errors: no connection at all;
/// `not_found`: an unknown name of a check; `invalid`: options.
[[nodiscard]] Result<std::vector<Outcome>> check_server(const ServerAddress& server, const ServerCheckOptions& options);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/server_check.ipp"
#endif
