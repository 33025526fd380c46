#include "interruption.hpp"

#include <csignal>

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

Interruption::Interruption() {
  stop = false;
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

Interruption::~Interruption() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& Interruption::requested() const noexcept { return stop; }

}  // namespace assay_program
