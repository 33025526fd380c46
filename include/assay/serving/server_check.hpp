#pragma once

#include <string>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/serving/server_check_options.hpp"
#include "assay/serving/stream_client.hpp"

namespace assay::inline v0 {

/// The checks, in the order in which they run.
[[nodiscard]] const std::vector<std::string>& server_check_names();

/// Whether features of a server change its answers. One outcome `serving/check/<name>` a check:
///
/// - `repeatable`: greedy answers without load, twice: complete, not empty, the same; where they differ only
///   between a cold prefix cache and a hot one, that is told alone unless invariance is required
/// - `stream`: streamed text is the text of the answer that is not streamed
/// - `under_load`: the same prompts by many users at once against the answers without load; what is truncated, empty,
///   repeated or swapped between users fails by name, what differs otherwise is batch variance
/// - `cross_talk`: users with a secret each; no other's may appear
/// - `token_limit`: no more tokens than asked for, and with `ignore_eos` exactly as many
/// - `stop`: an answer ends before its stop string
/// - `seed`: the same seed, the same answer; different seeds, different ones
/// - `sampling`: first tokens at temperature 1 against the probabilities that the server tells (χ² at level 1e-3)
/// - `prefix_cache`: answers whose beginning is in a cache against those that found it cold
/// - `choices`: several greedy answers to one request are as many, and the same
/// - `logit_bias`: a bias of +100 leaves one token
/// - `sampling_limits`: top-k of 1, a tiny top-p and a min-p of 1 give the greedy answer at temperature 1
/// - `structured`: each answer that ends by itself follows the schema that was asked for
/// - `tokenizer`: text that becomes tokens becomes the same text again
/// - `errors`: a request that is no JSON is refused at once, and the server lives on
///
/// What a server does not offer is `unsupported`; what decides nothing is `inconclusive`, and so is a check that would
/// pass, but of which only some answers came, could be compared or told what is checked. Errors: no connection at all;
/// `not_found`: an unknown name of a check; `invalid`: options.
[[nodiscard]] Result<std::vector<Outcome>> check_server(const ServerAddress& server, const ServerCheckOptions& options);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/server_check.ipp"
#endif
