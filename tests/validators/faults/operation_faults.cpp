#include "assay/validators/faults/operation_faults.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "assay/validators/operation_suite.hpp"
#include "testing/axpy.hpp"
#include "testing/host_comparison.hpp"

using namespace assay;
using testing::Axpy;

TEST_CASE("every common fault of operations is caught, and told by what it did") {
  Host host(1);
  const auto right = portable_operation_subject<Axpy>(host);
  for (const Fault& fault : common_operation_faults()) {
    INFO(fault.name);
    const auto subject = with_common_fault<Axpy>(right, fault.name);
    CHECK(subject.name == fault.name);
    CHECK_FALSE(fault.effect.empty());
    Suite suite;
    OperationSuiteOptions options;
    options.formats = {element_format<float32>()};
    add_operation_cases<Axpy>(suite, host, subject, options);
    std::string reason;
    for (const Case& entry : suite) {
      const Outcome outcome = entry.run({3, 1});
      if (outcome.verdict == Verdict::fail && reason.empty()) reason = outcome.reason;
    }
    CHECK_FALSE(reason.empty());
    if (fault.name == "overrun") CHECK(reason.find("canary") == 0);
    if (fault.name == "input_overwritten") CHECK(reason == "input x was modified");
    if (fault.name == "ignored_strides") CHECK(reason.find("between the rows of y") != std::string::npos);
  }
}

TEST_CASE("a subject of a function promises the arithmetic it is given") {
  const auto subject = host_subject<Axpy>("mine", [](const auto&, const OperandArray&) {}, arithmetic_in<float16>());
  CHECK(subject.run({}, {}));
  CHECK(subject.arithmetic({}).unit_roundoff() == 0x1p-11);
}
