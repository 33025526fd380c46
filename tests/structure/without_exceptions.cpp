// A program whose only unit is compiled with -fno-exceptions -fno-rtti: misuse aborts with its message, refusals are
// outcomes, suites and reports work, and what the standard library throws ends the program instead of passing.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/core/detect_environment.hpp"
#include "assay/report/console.hpp"
#include "assay/report/junit.hpp"
#include "assay/suite/runner.hpp"
#include "assay/validators/device/check_launch_independence.hpp"
#include "testing/checks.hpp"
#include "testing/dying_process.hpp"
#include "testing/under_sanitizer.hpp"

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this unit is to be compiled with -fno-exceptions -fno-rtti"
#endif

namespace {

/// Memory for `allocations` blocks and no more.
struct ScarceResource {
  int allocations = 0;
  assay::RecyclingResource<> memory{};

  void* allocate(std::size_t bytes, std::size_t alignment) {
    return allocations-- > 0 ? memory.allocate(bytes, alignment) : nullptr;
  }
  void deallocate(void* pointer, std::size_t bytes, std::size_t alignment) {
    memory.deallocate(pointer, bytes, alignment);
  }
};
using ScarceHost = assay::BasicHost<ScarceResource>;

/// Halves, or only where `aligned` addresses are given.
struct Halve {
  const float* in;
  float* out;
  bool aligned;
  void operator()(std::size_t i) const {
    out[i] = aligned && reinterpret_cast<std::uintptr_t>(out) % 64 != 0 ? in[i] : in[i] / 2;
  }
};

assay::Case halving_case(const std::string& id, int allocations, bool aligned) {
  assay::Case entry;
  entry.id = id;
  entry.run = [allocations, aligned](const assay::CaseContext&) {
    assay::DeviceKernel<ScarceHost> kernel;
    kernel.name = "halve";
    kernel.inputs = {assay::kernel_input(std::vector<float>(1000, 3.0F))};
    kernel.outputs = {{1000, sizeof(float)}};
    kernel.launch = [aligned](ScarceHost& host, ScarceHost::Stream& stream, const assay::KernelOperands& at) {
      return host.parallel_for(
          stream, 1000, Halve{static_cast<const float*>(at.inputs[0]), static_cast<float*>(at.outputs[0]), aligned});
    };
    ScarceHost host(2, ScarceResource{allocations});
    assay::Outcome outcome = check_launch_independence(host, kernel);
    outcome.id.clear();
    return outcome;
  };
  return entry;
}

void check_deaths() {
  const auto misused = run_in_dying_process([] {
    const assay::Result<int> refused = assay::failure(assay::ErrorKind::device, "there is no device");
    static_cast<void>(refused.value());
  });
  check(misused.signal == SIGABRT &&
            misused.errors == "assay: Result::value() was called on a failure: there is no device\n",
        "misuse aborts with its message: " + misused.errors);

  const auto case_misused = run_in_dying_process([] {
    assay::Case entry;
    entry.id = "case";
    entry.run = [](const assay::CaseContext&) -> assay::Outcome {
      assay::misuse("extent -1 was given; give 0 or more");
    };
    assay::NullObserver observer;
    static_cast<void>(run_suite({entry}, {}, {}, observer));
  });
  check(case_misused.signal == SIGABRT && case_misused.errors == "assay: extent -1 was given; give 0 or more\n",
        "misuse in a case aborts the run: " + case_misused.errors);

  if (assay::testing::under_sanitizer()) {
    std::puts("skipped: exhausted host memory, of which sanitizers let programs die in their own ways");
    return;
  }
  const auto exhausted = run_in_dying_process([] {
    std::string text;
    text.reserve(std::numeric_limits<std::size_t>::max() / 4);
    std::puts(text.c_str());
  });
  check(exhausted.signal == SIGABRT && exhausted.errors.find("std::bad_alloc") != std::string::npos,
        "exhausted host memory ends the program: " + exhausted.errors);
}

void check_run() {
  const assay::Suite suite{halving_case("right", 1000, false), halving_case("faulty", 1000, true),
                           halving_case("starved", 2, false)};
  assay::RunOptions options;
  options.jobs = 2;
  std::FILE* const text = std::tmpfile();
  assay::Console console(text);
  const assay::Run run = run_suite(suite, options, assay::detect_environment(), console);
  check(run.exit_code() == 1 && run.outcomes.size() == 3, "the run fails");
  const auto verdict = [&](std::size_t i) {
    return std::string(name_of(run.outcomes.at(i).verdict)) + ": " + run.outcomes[i].reason;
  };
  check(verdict(0).starts_with("pass"), "a right kernel passes: " + verdict(0));
  check(verdict(1).starts_with("fail") && run.outcomes[1].label("fault") == "depends_on_alignment",
        "a faulty kernel fails: " + verdict(1));
  check(verdict(2).starts_with("error: host could not allocate"), "refused memory is an error: " + verdict(2));
  check(std::ftell(text) > 0 && std::fclose(text) == 0, "the console tells the run");
  const std::string junit = assay::junit_text(run);
  check(junit.find("<failure") != std::string::npos && junit.find("<error") != std::string::npos,
        "JUnit tells failure and error:\n" + junit);
}

}  // namespace

int main() {
  check_deaths();  // while there is one thread
  check_run();
  return failed_checks == 0 ? 0 : 1;
}
