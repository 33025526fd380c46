#include "assay/validators/faults/operation_faults.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "assay/validators/operation_suite.hpp"
#include "testing/axpy.hpp"
#include "testing/host_comparison.hpp"

using namespace assay;
using testing::Axpy;

TEST_CASE("a common fault of an operation is caught, and told by what it did") {
  Host host(1);
  const auto right = portable_operation_subject<Axpy>(host);
  const auto reason_of = [&](const std::string& fault) {
    const auto subject = with_common_fault<Axpy>(right, fault);
    CHECK(subject.name == fault);
    Suite suite;
    OperationSuiteOptions options;
    options.formats = {element_format<float32>()};
    add_operation_cases<Axpy>(suite, host, subject, options);
    for (const Case& entry : suite) {
      const Outcome outcome = entry.run({3, 1});
      if (outcome.verdict == Verdict::fail) return outcome.reason;
    }
    return std::string("none");
  };
  CHECK(reason_of("overrun").find("canary") == 0);
  CHECK(reason_of("input_overwritten") == "input x was modified");
  CHECK(reason_of("ignored_strides").find("between the rows of y") != std::string::npos);
  for (const char* fault : {"zero_output", "swallowed_nan", "one_block_too_few", "input_not_ready", "former_result", "wrong_lane"})
    CHECK(reason_of(fault) != "none");
}

TEST_CASE("a subject of a function promises the arithmetic it is given") {
  const auto subject = host_subject<Axpy>(
      "mine", [](const auto&, const OperandArray&) {}, arithmetic_in<float16>());
  CHECK(subject.run({}, {}));
  CHECK(subject.arithmetic({}).unit_roundoff() == 0x1p-11);
}
