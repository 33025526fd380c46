#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/monotonic_time.hpp"
#include "assay/core/process/file_descriptor.hpp"
#include "assay/core/result.hpp"
#include "assay/serving/detail/answer_stream.hpp"
#include "assay/serving/detail/tls_session.hpp"
#include "assay/serving/stream_client_options.hpp"

namespace assay::inline v0::detail {

/// The event loop of `run_requests`: connections, each with a request, in one thread.
class StreamLoop {
 public:
  StreamLoop(ServerAddress server, const StreamClientOptions& options)
      : server_(std::move(server)), options_(options) {}

  [[nodiscard]] Result<void> open();
  [[nodiscard]] std::vector<RequestRecord> run(std::vector<PlannedRequest> requests);

 private:
  enum class Phase : std::uint8_t { connecting, securing, sending, receiving };
  struct Connection {
    FileDescriptor file;
    Phase phase = Phase::connecting;
    bool kept = false;  ///< served a request before
    bool stamped = true;
    std::size_t record = 0;
    std::size_t sent = 0;
    std::string request;  ///< as it goes over the wire
    std::string plain;    ///< of TLS: what is to be encrypted once both sides agreed
    std::unique_ptr<TlsSession> tls;
    std::int64_t deadline_ns = 0;
    std::unique_ptr<AnswerStream> answer;
  };
  struct Due {
    std::int64_t time_ns;
    std::size_t record;
    bool operator<(const Due& other) const noexcept {
      return time_ns != other.time_ns ? time_ns > other.time_ns : record > other.record;
    }
  };

  void plan(PlannedRequest request, std::int64_t after_ns);
  void begin_due();
  void begin(std::size_t record, std::unique_ptr<Connection> kept);
  std::unique_ptr<Connection> take_idle();
  bool connect(Connection& connection, RequestRecord& record);
  void wait();
  void handle(std::size_t slot, std::uint32_t events);
  void send(std::size_t slot);
  void secure(std::size_t slot);
  [[nodiscard]] bool encrypt(Connection& connection);
  [[nodiscard]] bool decrypt(std::size_t slot, std::string_view& bytes);
  void receive(std::size_t slot);
  [[nodiscard]] std::int64_t arrival_ns(Connection& connection, const void* message, std::int64_t now_ns) const;
  void broken(std::size_t slot, RequestEnd end, const std::string& reason);
  void end(std::size_t slot, bool keep);
  void end_late();
  void cancel_all();
  [[nodiscard]] bool stopped() const { return options_.stop != nullptr && *options_.stop; }

  ServerAddress server_;
  const StreamClientOptions& options_;
  std::string address_;  ///< of the system's kind
  int family_ = 0;
  FileDescriptor events_, timer_;
  FileDescriptor stamping_;             ///< while it is open, the kernel stamps what arrives
  std::unique_ptr<TlsContext> tls_;     ///< of a server that speaks TLS
  std::string plain_;                   ///< what the last read decrypted
  std::deque<RequestRecord> records_;   ///< that stay where they are while more are planned
  std::deque<PlannedRequest> planned_;  ///< beside each record
  std::priority_queue<Due> due_;
  std::vector<std::unique_ptr<Connection>> connections_;  ///< by slot; empty ones are free
  std::vector<std::size_t> free_slots_;
  std::vector<std::unique_ptr<Connection>> idle_;
  std::size_t active_ = 0;
  std::int64_t armed_ns_ = 0, next_check_ns_ = 0;
  std::vector<char> buffer_ = std::vector<char>(256u << 10);
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/serving/detail/stream_loop.ipp"
#endif
