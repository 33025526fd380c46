#include "interruption.hpp"

#include <array>
#include <csignal>
#include <cstddef>

#include <unistd.h>

namespace assay_program {

namespace {

constexpr std::array<int, 4> handled{SIGINT, SIGTERM, SIGPIPE, SIGXFSZ};
std::atomic<bool> stop{false};
std::atomic<bool> interrupted{false};                 // by SIGINT
std::array<struct sigaction, handled.size()> before;  // what whoever calls has for these signals: Python, say
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void request_stop(int signal) {
  stop = true;
  if (signal == SIGINT) interrupted = true;
  std::signal(signal, SIG_DFL);
  constexpr char message[] = "\nassay: stopping after the running cases; once more ends at once\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
}

}  // namespace

Interruption::Interruption(bool report_to_write) {
  stop = interrupted = false;
  for (std::size_t i = 0; i < handled.size(); ++i) sigaction(handled[i], nullptr, &before[i]);
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  if (!report_to_write) return;
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

Interruption::~Interruption() {
  for (std::size_t i = 0; i < handled.size(); ++i) sigaction(handled[i], &before[i], nullptr);
  const auto handler = before[0].sa_handler;
  if (interrupted && handler != SIG_DFL && handler != SIG_IGN) std::raise(SIGINT);  // the caller is to know of it, too
}

const std::atomic<bool>& Interruption::requested() const noexcept {
  return stop;
}

}  // namespace assay_program
