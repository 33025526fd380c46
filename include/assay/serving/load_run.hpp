#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/result.hpp"
#include "assay/serving/arrival_times.hpp"
#include "assay/serving/openai_request.hpp"
#include "assay/serving/stream_client.hpp"
#include "assay/serving/workload.hpp"

namespace assay::inline v0 {

/// One request of a recorded trace.
struct TraceEntry {
  double at = 0;                    ///< seconds from the beginning
  std::size_t input_words = 0;      ///< of the prompt that is made for it
  std::uint64_t output_tokens = 0;  ///< asked for at most
  std::vector<std::uint64_t> blocks =
      {};  ///< of 512 words: the same number, the same text, so that prefixes are shared
};

/// A load on a server: `users` who each wait for their answer (a closed loop), or, where there are none, requests that
/// arrive whether anybody is served or not.
struct LoadPlan {
  GenerationRequest request;         ///< what all requests have in common; `prompt` is filled in
  WorkloadOptions workload;          ///< how prompts are made
  std::vector<std::string> prompts;  ///< taken in turn instead; empty: made
  std::size_t users = 0;
  double pause = 0;               ///< seconds between an answer and the user's next request: a tool at work
  ArrivalOptions arrivals;        ///< of an open loop
  std::vector<TraceEntry> trace;  ///< instead of `arrivals`; empty: none
  double seconds = 30;            ///< during which requests begin
  std::size_t requests = 0;       ///< at most; 0: as many as begin in time
  std::size_t warm_up = 0;        ///< requests before, which are left out of what is returned
};

/// The prompt of a request of a trace: its blocks, or words of its own. The same options give the same one. O(words).
[[nodiscard]] std::string trace_prompt(const TraceEntry& entry, const WorkloadOptions& options, std::uint64_t position);

/// The prompt of a request of a plan, by its position.
[[nodiscard]] std::string planned_prompt(const LoadPlan& plan, std::uint64_t position);

/// Runs the load. A user whose request failed waits a tenth of a second, so that a server that refuses is not stormed.
/// Errors: of `run_requests`, `request_body` and `arrival_times`; `invalid`: a plan without duration.
[[nodiscard]] Result<std::vector<RequestRecord>> run_load(const ServerAddress& server, const LoadPlan& plan,
                                                          StreamClientOptions options = {});

/// The first model that the server lists; empty where it lists none. Errors: no connection.
[[nodiscard]] Result<std::string> first_model(const ServerAddress& server, const std::string& key = "");

/// Reads a trace: a JSON object a line with `timestamp` in milliseconds, `input_length` and `output_length` in tokens,
/// as Mooncake's and vLLM's; a token is taken for a word. `hash_ids`, where there are
/// any, name the prompt's blocks of 512 tokens: requests that share them share their beginning. Errors: `malformed`
/// with the line; `invalid`: times that go back.
[[nodiscard]] Result<std::vector<TraceEntry>> trace_from_text(std::string_view text);

/// Reads prompts: a line each, or JSON objects with `prompt`. Errors: `malformed`: a line that is no UTF-8 or has none.
[[nodiscard]] Result<std::vector<std::string>> prompts_from_text(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/load_run.ipp"
#endif
