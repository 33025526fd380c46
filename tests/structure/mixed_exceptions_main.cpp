// Units of one program compiled with exceptions and without, linked in either order: the linker keeps one copy of each
// inline function, whichever it is. Both compute the same, a suite run by the unit with exceptions catches what a case
// throws, and misuse aborts with its message in both: it neither throws through code that could not clean up, nor goes
// on.
#include <cstdio>
#include <stdexcept>

#include "mixed_exceptions.hpp"
#include "testing/checks.hpp"
#include "testing/dying_process.hpp"

namespace {

void check_aborts(void (*body)(), const std::string& what) {
  const DyingProcess process = run_in_dying_process(body);
  check(process.signal == SIGABRT &&
            process.errors == "assay: Result::value() was called on a failure: there is no device\n",
        what + " aborts with its message; signal " + std::to_string(process.signal) + ", stderr: " + process.errors);
}

}  // namespace

int main() {
  check(with_exceptions::may_throw() && !without_exceptions::may_throw(), "the units are compiled differently");
  check(with_exceptions::sum_of_rounded() > 0 &&
            with_exceptions::sum_of_rounded() == without_exceptions::sum_of_rounded(),
        "both compute the same");

  const std::string failed = "fail: the body came back";
  check(with_exceptions::verdict_of_case([] {}) == failed, "a failure is told with exceptions");
  check(without_exceptions::verdict_of_case([] {}) == failed, "a failure is told without exceptions");
  const std::string thrown = with_exceptions::verdict_of_case([] { throw std::runtime_error("no power"); });
  check(thrown == "error: the case threw an exception: no power", "what a case throws becomes an error: " + thrown);

  check_aborts(with_exceptions::misuse_a_result, "misuse in the unit with exceptions");
  check_aborts(without_exceptions::misuse_a_result, "misuse in the unit without exceptions");
  check_aborts([] { with_exceptions::verdict_of_case(with_exceptions::misuse_a_result); }, "misuse in a case");
  return failed_checks == 0 ? 0 : 1;
}
