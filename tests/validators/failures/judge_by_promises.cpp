#include "assay/validators/failures/judge_by_promises.hpp"

#include <limits>
#include <string>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// A kernel without inputs that stored `written` where `due` was right, without any error.
PromiseJudgment judged(std::vector<float> written, const std::vector<double>& due, const std::string& promises,
                       bool outside = false) {
  DiagnosedCase failing;
  failing.specs = {{"y", OperandRole::output, element_format<float32>(), {static_cast<Index>(written.size())}}};
  failing.before.count = failing.after.count = 1;
  failing.before[0] = failing.after[0] = contiguous_operand(written.data(), {static_cast<Index>(written.size())});
  std::vector<ExpectedElement> expected;
  for (const double value : due) expected.push_back({value, 0});
  failing.outputs.push_back(failing_output("y", failing.after[0], expected, ChosenTolerance{}));
  if (outside) failing.memory_findings.emplace_back("y: an element behind the end was written");
  return judge_by_promises(failing, read_promises(promises, "promised by a test").value());
}

}  // namespace

TEST_CASE("zeros in place of subnormal results are explained by flushing alone", "[validators]") {
  const auto flushed = judged({1, 0, 2, 0}, {1, 0x1p-140, 2, -0x1p-130}, "flush_subnormals");
  CHECK(flushed.explains_all);
  CHECK(flushed.accepted == 2);
  CHECK(flushed.promises == std::vector<std::string>{"subnormals are flushed (promised by a test)"});
  CHECK(judged({0}, {0x1p-140}, "flush_subnormals=f32").explains_all);
  for (const char* other : {"default_nan", "flush_subnormals=bf16", "keep_subnormals"})
    CHECK_FALSE(judged({1, 0, 2, 0}, {1, 0x1p-140, 2, -0x1p-130}, other).explains_all);
}

TEST_CASE("nothing else is forgiven to a unit that flushes", "[validators]") {
  CHECK_FALSE(judged({0}, {0x1p-120}, "flush_subnormals").explains_all);          // a normal number was lost
  CHECK_FALSE(judged({0x1p-139F}, {0x1p-140}, "flush_subnormals").explains_all);  // neither kept nor flushed
  CHECK_FALSE(judged({0, 3}, {0x1p-140, 2}, "flush_subnormals").explains_all);
  CHECK_FALSE(judged({0}, {0x1p-140}, "flush_subnormals", true).explains_all);
  CHECK_FALSE(judged({1}, {1}, "flush_subnormals").explains_all);  // nothing was refuted
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(judged({nan}, {0x1p-140}, "flush_subnormals,default_nan").explains_all);
}
