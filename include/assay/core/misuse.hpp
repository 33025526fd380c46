#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// Thrown when the caller breaks a stated precondition: a fault of the program, not of its environment.
class Misuse : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Reports misuse: throws `Misuse`, or prints the message and aborts where exceptions are disabled.
/// The message says what was given, what was expected, and what to do.
[[noreturn]] inline void misuse(const std::string& message) {
#if defined(__cpp_exceptions)
  throw Misuse(message);
#else
  std::fprintf(stderr, "assay: %s\n", message.c_str());
  std::abort();
#endif
}

/// Reports misuse unless `condition` holds. `message` is a callable, so that the text costs nothing when all is well.
template <class Message>
void expect(bool condition, Message&& message) {
  if (!condition) misuse(message());
}

}  // namespace assay::inline v0
