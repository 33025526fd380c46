#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assay/serving/openai_request.hpp"
#include "assay/serving/request_record.hpp"

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
  std::uint64_t seed = 1;            ///< of prompts and of drawn tokens
  double deadline = 120;             ///< of a request, in seconds
  std::string key;                   ///< bearer token
  const std::atomic<bool>* stop = nullptr;               ///< once true, no further check begins
  std::function<void(const std::string& check)> begins;  ///< called before each check
  std::function<void(const RequestRecord&)> ended;       ///< called with each record
};

}  // namespace assay::inline v0
