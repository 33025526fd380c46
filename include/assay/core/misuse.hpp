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

namespace detail {

/// Whether any unit of the program was compiled without exceptions. The linker keeps one copy of an inline function,
/// from whichever unit; the one of such a unit would let an exception pass, but would destroy nothing on its way.
/// Accessed by the builtins: <atomic> would be a tenth of what assay.hpp costs a compiler.
inline bool some_unit_cannot_throw = false;

#if !defined(__cpp_exceptions)
namespace {
[[maybe_unused]] const bool this_unit_cannot_throw =
    (__atomic_store_n(&some_unit_cannot_throw, true, __ATOMIC_RELAXED), true);
}  // namespace
#endif

}  // namespace detail

/// Reports misuse: throws `Misuse`, or prints the message and aborts where exceptions are disabled: in this unit, or in
/// any other that includes this header and is linked into the same program or shared library. The message says what was
/// given, what was expected, and what to do.
[[noreturn]] inline void misuse(const std::string& message) {
#if defined(__cpp_exceptions)
  if (!__atomic_load_n(&detail::some_unit_cannot_throw, __ATOMIC_RELAXED)) throw Misuse(message);
#endif
  std::fprintf(stderr, "assay: %s\n", message.c_str());
  std::abort();
}

/// Reports misuse unless `condition` holds. `message` is a callable, so that the text costs nothing when all is well.
template <class Message>
void expect(bool condition, Message&& message) {
  if (!condition) misuse(message());
}

}  // namespace assay::inline v0
