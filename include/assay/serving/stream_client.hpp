#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/result.hpp"
#include "assay/serving/request_record.hpp"
#include "assay/serving/stream_client_options.hpp"

namespace assay::inline v0 {

/// Reads "http://host:port/base"; or "https://…", whose port is 443 unless given; a base of
/// none is "/v1". Error `invalid`.
[[nodiscard]] Result<ServerAddress> parse_server_url(std::string_view url);

/// Sends requests at their times and reads the answers, in one thread: an event loop of epoll over HTTP/1.1. Latencies
/// are to be counted from the scheduled time, whenever the client came to it: `RequestMetrics` does. What arrives is
/// stamped by the kernel (SO_TIMESTAMPNS, on its real-time clock, converted at each read; where that clock jumped, the
/// time of the read stands in its place, and the record says so). Segments that waited together carry the time of the
/// last. A request is sent once: a refusal is a result. Only a connection that was kept and that the server had closed
/// in the meantime is made anew, which `attempts` tells. TLS is OpenSSL's, between the read and the parser: what it
/// decrypts has the kernel's stamp of the segment that completed it. Its handshake is part of the latency, as is that
/// of TCP.
///
/// Records are in the order in which requests were planned. Errors: `not_found`: the host has no address;
/// `unsupported`: not on Linux, TLS without OpenSSL; `device`: the system refuses an event loop.
[[nodiscard]] Result<std::vector<RequestRecord>> run_requests(const ServerAddress& server,
                                                              std::vector<PlannedRequest> requests,
                                                              const StreamClientOptions& options = {});

/// How many files a process may open, raised as far as it may: each stream needs one. Returns the limit now.
std::size_t raise_open_file_limit();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/stream_client.ipp"
#endif
