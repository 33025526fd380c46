#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "assay/serving/request_record.hpp"

namespace assay::inline v0 {

/// Where a server listens.
struct ServerAddress {
  std::string host;            ///< a name or an address
  std::uint16_t port = 80;     ///< of TCP
  std::string base;            ///< of paths: "/v1"
  bool secure = false;         ///< TLS, by OpenSSL's libssl, which is opened then
  bool verified = true;        ///< its certificate must be of `host`, and of an authority that is trusted
  std::string authority = {};  ///< a file of certificates to trust (PEM); empty: the system's
};

/// A request that is to be sent.
struct PlannedRequest {
  double at = 0;                ///< seconds from the start; in a closed loop, from the end of the user's request before
  std::uint64_t user = 0;       ///< who asks
  std::string prompt;           ///< what names the prompt
  std::string method = "POST";  ///< of HTTP
  std::string path;             ///< behind the base
  std::string body;             ///< JSON
  std::uint64_t most_tokens = 0;  ///< that the body asks for; 0: no limit
};

/// How requests are made.
struct StreamClientOptions {
  double deadline = 600;                      ///< of a request, in seconds from its scheduled time
  std::string key;                            ///< sent as a bearer token; empty: none
  bool keep_connections = true;               ///< for later requests; otherwise each pays for its own
  std::size_t most_answer_bytes = 64u << 20;  ///< beyond which an answer is refused: a stream may never end
  bool keep_bodies = false;                   ///< of answers that are not streamed, in the records
  bool kernel_times = true;                   ///< stamp what arrives by the kernel; otherwise when it is read
  const std::atomic<bool>* stop = nullptr;    ///< once true, no request begins, and those that run are canceled
  /// Called with each record as soon as it ended: what it keeps is not lost, whatever becomes of the run. It delays the
  /// reading of others, not their stamps.
  std::function<void(const RequestRecord&)> ended;
  /// The next request of a user whose request just ended: a closed loop. Empty, or nothing returned: the user leaves.
  std::function<std::optional<PlannedRequest>(const RequestRecord&)> next;
};

}  // namespace assay::inline v0
