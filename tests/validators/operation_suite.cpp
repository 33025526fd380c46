#include "assay/validators/operation_suite.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "testing/axpy.hpp"

using namespace assay;
using testing::Axpy;

TEST_CASE(
    "the suite of an operation has a case for each format, shape, pattern and storage, which runs and explains "
    "itself") {
  Host host(1);
  Suite suite;
  OperationSuiteOptions options;
  options.formats = {element_format<float32>(), element_format<bfloat16>()};
  add_operation_cases<Axpy>(suite, host, portable_operation_subject<Axpy>(host), options);
  REQUIRE(suite.size() == 12);
  std::set<std::string> ids;
  for (const Case& entry : suite) ids.insert(entry.id);
  CHECK(ids.size() == 12);
  CHECK(ids.count("axpy/host/bf16/32x16/normal") == 1);
  CHECK(ids.count("axpy/host/bf16/32x16/normal/padded") == 1);
  CHECK(ids.count("axpy/host/f32/1x1/normal/padded") == 0);  // large ones once
  CHECK(suite[0].labels.at("operation") == "axpy");
  CHECK(suite[0].labels.at("shape") == "32x16");
  for (const Case& entry : suite) {
    CaseContext context;
    context.seed = 5;
    const Outcome outcome = entry.run(context);
    INFO(entry.id << ": " << outcome.reason);
    CHECK(outcome.verdict == Verdict::pass);
    CHECK(entry.explain(context) == outcome.derivation);
  }
}
