#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// The interfaces of OpenAI-compatible servers.
enum class ServingInterface : std::uint8_t { completions, chat, responses };
/// In the order of `ServingInterface`.
inline constexpr std::array<std::string_view, 3> serving_interface_names{"completions", "chat", "responses"};
/// The name on command lines.
[[nodiscard]] constexpr std::string_view name_of(ServingInterface interface) noexcept {
  return serving_interface_names[static_cast<std::size_t>(interface)];
}

/// What a server is asked to generate. What is empty is not said, and the server's default holds.
struct GenerationRequest {
  ServingInterface interface = ServingInterface::chat;
  std::string model;             ///< by the name that the server gives it
  std::string system;            ///< of chat and responses
  std::string prompt;            ///< what is asked
  bool stream = true;            ///< the answer comes in events
  std::uint64_t max_tokens = 0;  ///< 0: not said
  /// Of sampling, as `SamplingParameters` has them.
  std::optional<double> temperature, top_p, min_p, presence_penalty, frequency_penalty;
  /// Of sampling; `n` answers to one request.
  std::optional<std::int64_t> top_k, seed, n;
  std::optional<std::int64_t> logprobs;  ///< of the likeliest tokens at each position
  std::vector<std::string> stop;         ///< strings before which the answer ends
  bool ignore_eos = false;  ///< generate until `max_tokens`; servers that do not know it stop early, which is told
  bool count_every_event = false;  ///< ask for a token count with every event, as vLLM gives
  std::string more;                ///< an object of JSON whose members are added, and replace
};

/// The body of the request. Errors: `malformed`: `more` is no object of JSON; text that is no UTF-8.
[[nodiscard]] Result<std::string> request_body(const GenerationRequest& request);

/// "/completions", "/chat/completions" or "/responses", behind the base path of the server.
[[nodiscard]] std::string request_path(ServingInterface interface);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/openai_request.ipp"
#endif
