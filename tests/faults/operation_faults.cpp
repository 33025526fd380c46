#include "assay/faults/operation_faults.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "assay/validators/operation_suite.hpp"
#include "testing/axpy.hpp"

using namespace assay;
using testing::Axpy;

template <>
struct assay::OperationFaults<Axpy> {
  static std::vector<Fault> faults() { return {{"scale_forgotten", FaultClass::missing_work, "adds x", {"axpy"}}}; }
};

TEST_CASE("an operation's own fault is found by its name, and the text outlives the question") {
  std::string asked = "scale_forgotten";
  const std::string_view name = own_fault<Axpy>(asked);
  asked = "something else";
  CHECK(name == "scale_forgotten");
  CHECK_THROWS_WITH(own_fault<Axpy>("of nobody"), Catch::Contains("axpy has no fault 'of nobody'"));
}

TEST_CASE("a fault of one's own is done to what a right kernel wrote") {
  Host host(1);
  const auto right = portable_operation_subject<Axpy>(host);
  unsigned launches = 0;
  const auto halved = with_output_fault<Axpy>(right, "first_element_zero", [&launches](const OutputLaunch& launch) {
    ++launches;
    launch.write(0, launch.output().format.encode(0));
  });
  CHECK(halved.name == "first_element_zero");
  const auto failures_of = [&](const OperationSubject<Axpy>& subject) {
    Suite suite;
    add_operation_cases<Axpy>(suite, host, subject);
    std::size_t failures = 0;
    for (const Case& entry : suite) failures += entry.run({3, 1}).verdict == Verdict::fail ? 1 : 0;
    return failures;
  };
  CHECK(failures_of(right) == 0);
  CHECK(failures_of(halved) > 0);
  CHECK(launches > 0);
  auto refusing = right;
  refusing.run = [](const Axpy::Problem&, const OperandArray&) -> Result<void> {
    return failure(ErrorKind::device, "lost");
  };
  launches = 0;
  const auto spoilt = with_output_fault<Axpy>(refusing, "spoilt", [&launches](const OutputLaunch&) { ++launches; });
  Axpy::Problem problem;
  CHECK(spoilt.run(problem, {}).error().message == "lost");
  CHECK(launches == 0);
}

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
  for (const char* fault :
       {"zero_output", "swallowed_nan", "one_block_too_few", "input_not_ready", "former_result", "wrong_lane"})
    CHECK(reason_of(fault) != "none");
}

TEST_CASE("a subject of a function promises the arithmetic it is given") {
  const auto subject = host_subject<Axpy>(
      "mine", [](const auto&, const OperandArray&) {}, arithmetic_in<float16>());
  CHECK(subject.run({}, {}));
  CHECK(subject.arithmetic({}).unit_roundoff() == 0x1p-11);
}
