#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "assay/core/process/file_descriptor.hpp"
#include "assay/core/result.hpp"
#include "assay/report/prometheus.hpp"

namespace assay::inline v0 {

/// What a metrics server puts up with.
struct MetricsServerOptions {
  std::string address = "127.0.0.1:9461";  ///< "HOST:PORT" of numbers, "[::1]:PORT" or "localhost:PORT"; port 0: any
  std::size_t most_connections = 16;       ///< at once; more are closed
  std::size_t most_request_bytes = 8192;   ///< of a request's head
  double deadline_seconds = 5;             ///< from a connection's beginning to its end
};

/// The form that a client asks for by its header Accept: OpenMetrics where it names it with a weight above 0.
[[nodiscard]] MetricForm metric_form_accepted(std::string_view accept);

/// Serves metrics over HTTP/1.1 to Prometheus: GET and HEAD of /metrics. One thread, a connection a request, all
/// bounded. It neither encrypts nor asks who reads: listen beyond the machine itself where that may be.
class MetricsServer {
 public:
  /// Listens. Errors: `invalid` where the address is none, `io` where it cannot be had.
  [[nodiscard]] static Result<MetricsServer> listen(MetricsServerOptions options = {});

  /// Where it listens: "127.0.0.1:9461".
  [[nodiscard]] const std::string& address() const noexcept { return address_; }

  /// Answers until `stop`, which is asked several times a second, says so. `text` is called by this thread, and should
  /// return at once; what it throws is answered by 500. Errors: `io`.
  [[nodiscard]] Result<void> serve(const std::function<std::string(MetricForm)>& text,
                                   const std::function<bool()>& stop);

 private:
  MetricsServer(MetricsServerOptions options, detail::FileDescriptor listener, std::string address)
      : options_(std::move(options)), listener_(std::move(listener)), address_(std::move(address)) {}

  MetricsServerOptions options_;
  detail::FileDescriptor listener_;
  std::string address_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/node/metrics_server.ipp"
#endif
