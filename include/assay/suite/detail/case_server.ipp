#pragma once

#include "assay/suite/detail/case_server.hpp"

#include <array>
#include <cerrno>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void CaseServer::serve() {
  static char line_buffer[BUFSIZ];  // one of our own: with that of a forked parent, glibc does not change the mode
  std::setvbuf(stdout, line_buffer, _IOLBF,
               sizeof line_buffer);  // what a case has printed is in the file when it crashes
  saved_output_ = FileDescriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  output_file_ = FileIdentity::of(STDOUT_FILENO);
  forget_output();
  append_frame(outgoing_, MessageKind::ready, cases_.size(), {});
  while (const std::optional<Message> message = next_request()) {
    append_frame(outgoing_, MessageKind::started, message->ticket, {});
    if (!flush()) return;
    const Outcome outcome = perform_request(message->payload);
    reply(message->ticket, outcome);
    if (outcome.labels.count(spent_process_label) > 0) return static_cast<void>(flush());
  }
}

ASSAY_DETAIL_HEADER_INLINE Outcome CaseServer::perform_request(std::string_view payload) {
  const Result<CaseRequest> request = decode_request(payload);
  if (!request)
    return error_outcome("the runner and its worker do not understand each other: " + request.error().message);
  const auto found = cases_.find(request.value().id);
  if (found == cases_.end()) {
    Outcome outcome = error_outcome(
        "the worker's suite has no such case; the program that serves cases must build the suite that is run");
    outcome.id = request.value().id;
    return outcome;
  }
  Outcome outcome = perform_once(*found->second, request.value().options());
  std::fflush(stdout);
  if (has_own_output())
    forget_output();
  else
    repair_output(outcome);
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE void CaseServer::repair_output(Outcome& outcome) const {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    if (FileIdentity::of(stream) == output_file_) continue;
    const bool repaired =
        FileIdentity::of(saved_output_.number()) == output_file_ && ::dup2(saved_output_.number(), stream) == stream;
    outcome.diagnosis.push_back(
        std::string("the case closed or replaced its process's standard ") +
        (stream == STDOUT_FILENO ? "output" : "error") +
        (repaired ? "; it was restored for the cases that follow" : ", and it could not be restored"));
  }
}

ASSAY_DETAIL_HEADER_INLINE void CaseServer::reply(std::uint64_t ticket, const Outcome& outcome) {
  std::string bytes = encode_outcome(outcome);
  if (bytes.size() > largest_payload) {
    Outcome replacement =
        error_outcome("the outcome takes " + std::to_string(bytes.size()) + " bytes, and a worker can send " +
                      std::to_string(largest_payload) + "; make its tables, series and heat maps smaller");
    replacement.id = outcome.id;
    replacement.labels = outcome.labels;
    replacement.seed = outcome.seed;
    replacement.duration_seconds = outcome.duration_seconds;
    replacement.reproduce = outcome.reproduce;
    bytes = encode_outcome(replacement);
  }
  append_frame(outgoing_, MessageKind::performed, ticket, bytes);
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Message> CaseServer::next_request() {
  for (bool wait = false;;) {
    Result<std::optional<Message>> message = incoming_.next();
    if (!message || (message.value() && message.value()->kind != MessageKind::perform)) return std::nullopt;
    if (message.value()) return std::move(message).value();
    std::array<char, 4096> bytes;
    const ssize_t size = receive_some(channel_, bytes.data(), bytes.size(), wait);
    if (size > 0)
      incoming_.add({bytes.data(), static_cast<std::size_t>(size)});
    else if (size == 0 || wait || (errno != EAGAIN && errno != EWOULDBLOCK))
      return flush(), std::nullopt;
    else if (!flush())
      return std::nullopt;
    else
      wait = true;
  }
}

ASSAY_DETAIL_HEADER_INLINE bool CaseServer::flush() {
  std::string_view rest = outgoing_;
  while (!rest.empty()) {
    const ssize_t sent = send_some(channel_, rest.data(), rest.size(), true);
    if (sent < 0 && (errno == EBADF || errno == ENOTSOCK)) ::_exit(exit_code_of_lost_channel);
    if (sent < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  outgoing_.clear();
  return true;
}

}  // namespace assay::inline v0::detail
