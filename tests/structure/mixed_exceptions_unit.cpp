// Compiled twice, with exceptions and without, and linked into one program: see mixed_exceptions_main.cpp.
#include <string>

#include "assay/backends/host.hpp"
#include "assay/backends/parallel_reduce.hpp"
#include "assay/core/result.hpp"
#include "assay/formats/convert.hpp"
#include "assay/suite/runner.hpp"
#include "mixed_exceptions.hpp"

using namespace assay;

namespace UNIT {
namespace {

struct Sum {
  double value = 0;
  void join(const Sum& other) { value += other.value; }
};
struct AddRounded {
  void operator()(std::size_t chunk, Sum& sum) const {
    for (std::size_t i = 0; i < 1000; ++i) sum.value += decode(bfloat16(static_cast<float>(1000 * chunk + i) / 7));
  }
};

}  // namespace

bool may_throw() {
  return exceptions_enabled;
}

double sum_of_rounded() {
  Host host(3);
  auto stream = host.make_stream();
  const auto sum = parallel_reduce<Sum>(host, stream.value(), 100, AddRounded());
  return sum ? sum.value().value : -1;
}

void misuse_a_result() {
  const Result<int> refused = failure(ErrorKind::device, "there is no device");
  static_cast<void>(refused.value());
}

std::string verdict_of_case(void (*body)()) {
  Case entry;
  entry.id = "case";
  entry.run = [body](const CaseContext&) {
    body();
    Outcome outcome;
    outcome.verdict = Verdict::fail;
    outcome.reason = "the body came back";
    return outcome;
  };
  NullObserver observer;
  const Run run = run_suite({entry}, {}, {}, observer);
  const Outcome& outcome = run.outcomes.front();
  return std::string(name_of(outcome.verdict)) + ": " + outcome.reason;
}

}  // namespace UNIT
