#include "assay/gpgpu/kernels/described_kernel.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("what an expression in a file is refused for has line and column") {
  const PlacedExpression placed{Expression::parse("2 * (k - 9)").value(), {"kernels.json", 12, 30}};
  const ExpressionValue nine = ExpressionValue::of(std::int64_t{9});
  const ExpressionNames names{[&](std::string_view name) { return name == "k" ? &nine : nullptr; },
                              [] { return std::vector<std::string>{"k"}; }};
  CHECK(placed.integer(names, 0).value() == 0);
  CHECK(placed.integer(names, 1).error().message == "kernels.json:12:30: '2 * (k - 9)' is 0; at least 1 is expected");
  const ExpressionNames none{[](std::string_view) { return nullptr; }, [] { return std::vector<std::string>{"m"}; }};
  CHECK(placed.evaluate(none).error().message.rfind("kernels.json:12:35: unknown name 'k'", 0) == 0);
  const PlacedExpression real{Expression::parse("0.5").value(), {"kernels.json", 1, 1}};
  CHECK(real.integer(names, 0).error().message.find("is no integer") != std::string::npos);
}

TEST_CASE("a kernel knows the names that its launch uses") {
  DescribedKernel kernel;
  kernel.arguments.push_back(
      {KernelArgument::Kind::scalar, "long", {Expression::parse("A.offset + 1").value(), {}}, {}});
  kernel.global.push_back({Expression::parse("max(m, n)").value(), {}});
  CHECK(kernel.uses("A.offset"));
  CHECK(kernel.uses("n"));
  CHECK_FALSE(kernel.uses("B.offset"));
}
