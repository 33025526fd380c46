#include "interruption.hpp"

#include <csignal>
#include <initializer_list>

#include <unistd.h>

namespace assay_program {

namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void request_stop(int signal) {
  stop = true;
  std::signal(signal, SIG_DFL);
  constexpr char message[] = "\nassay: stopping after the running cases; once more ends at once\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
}

}  // namespace

Interruption::Interruption(bool report_to_write) {
  stop = false;
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  if (!report_to_write) return;
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

Interruption::~Interruption() {
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
}

const std::atomic<bool>& Interruption::requested() const noexcept {
  return stop;
}

}  // namespace assay_program
