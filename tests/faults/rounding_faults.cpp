#include "assay/faults/rounding_faults.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "faults/doubling.hpp"

using namespace assay;
using testing::Doubling;

namespace {

/// What a kernel writes to bfloat16 for a result.
double rounded(const std::string& name, double value) {
  bfloat16 output[1]{};
  const float input[1]{1};
  OperandArray operands;
  operands.count = 2;
  operands[0] = contiguous_operand(input, {1});
  operands[1] = contiguous_operand(output, {1});
  const std::vector<OperandSpec> specs{{"x", OperandRole::input, operands[0].format, {1}, true},
                                       {"y", OperandRole::output, operands[1].format, {1}, true}};
  CommonFault fault(name);
  (void)fault.launch(specs, operands, [&](const OperandArray& own) -> Result<void> {
    own[1].store(0, value);
    return {};
  });
  return decode(output[0]);
}

}  // namespace

TEST_CASE("results are misrounded as they would be from the kernel's own arithmetic") {
  CHECK(rounded("rounded_toward_zero", 1 + 0x1.8p-7) == 1 + 0x1p-7);
  CHECK(rounded("rounded_toward_zero", -(1 + 0x1.8p-7)) == -(1 + 0x1p-7));
  CHECK(rounded("rounded_away_from_zero", 1 + 0x1p-20) == 1 + 0x1p-7);
  CHECK(rounded("rounded_away_from_zero", 1.5) == 1.5);
  CHECK(rounded("rounded_twice", 1 + 0x1.01p-8) == 1);  // to a tie, then to even; right is up
  const double random = rounded("rounded_at_random", 1 + 0x1.8p-7);
  CHECK((random == 1 + 0x1p-7 || random == 1 + 0x1p-6));
}

TEST_CASE("what is exact in the output's format stays") {
  for (const RoundingFault& entry : rounding_faults())
    CHECK(Doubling(entry.fault.name).wrong() == 0);  // float32 doubled
}
