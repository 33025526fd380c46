#include "assay/adapters/onednn/linear.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "adapters/onednn/bf16_instructions.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

namespace {

/// A product of bytes in rows, as `Linear` takes it.
struct Bytes {
  LinearProblem problem;
  std::vector<std::uint8_t> a, b;
  std::vector<std::int32_t> c;

  Bytes(const ElementFormat& format, Index m, Index n, Index k) {
    problem.m = m;
    problem.n = n;
    problem.k = k;
    problem.a.format = format;
    problem.b.format = element_format<std::int8_t>();
    problem.output = element_format<std::int32_t>();
    for (Index e = 0; e < m * k; ++e)
      a.push_back(static_cast<std::uint8_t>(random_bits(1, 1, static_cast<std::uint64_t>(e)).low()));
    for (Index e = 0; e < k * n; ++e)
      b.push_back(static_cast<std::uint8_t>(random_bits(1, 2, static_cast<std::uint64_t>(e)).low()));
    c.resize(static_cast<std::size_t>(m * n));
  }
  [[nodiscard]] int left(Index row, Index term) const {
    const std::uint8_t code = a[static_cast<std::size_t>(row * problem.k + term)];
    return problem.a.format == element_format<std::int8_t>() ? static_cast<std::int8_t>(code) : code;
  }
  [[nodiscard]] int right(Index term, Index column) const {
    return static_cast<std::int8_t>(b[static_cast<std::size_t>(term * problem.n + column)]);
  }
  [[nodiscard]] int exact(Index row, Index column) const {
    int sum = 0;
    for (Index term = 0; term < problem.k; ++term) sum += left(row, term) * right(term, column);
    return sum;
  }
  /// With pairs of terms added in 16 bits that saturate, A made unsigned.
  [[nodiscard]] int saturated(Index row, Index column) const {
    const int shift = problem.a.format == element_format<std::int8_t>() ? 128 : 0;
    int sum = 0;
    for (Index term = 0; term < problem.k; term += 2) {
      int pair = 0;
      for (Index own = term; own < std::min(term + 2, problem.k); ++own) {
        pair += (left(row, own) + shift) * right(own, column);
        sum -= shift * right(own, column);
      }
      sum += std::clamp(pair, -32768, 32767);
    }
    return sum;
  }
  [[nodiscard]] Result<void> run() {
    OperandArray operands;
    operands.count = LinearOperands::count;
    operands[LinearOperands::a] = contiguous_operand(a.data(), {problem.m, problem.k});
    operands[LinearOperands::b] = contiguous_operand(b.data(), {problem.k, problem.n});
    operands[LinearOperands::a].format = problem.a.format;
    operands[LinearOperands::b].format = problem.b.format;
    operands[LinearOperands::output] = contiguous_operand(c.data(), {problem.m, problem.n});
    OneDnn backend(1);
    auto stream = backend.make_stream();
    return kernel<OneDnn, Linear>::run(backend, stream.value(), problem, operands);
  }
};

}  // namespace

// Without VNNI instructions, up to 2.6.3 at least.
TEST_CASE("oneDNN's products of bytes are exact, or their pairs saturate at 16 bits, all of them") {
  for (const ElementFormat& format : {element_format<std::uint8_t>(), element_format<std::int8_t>()})
    for (const Index k : {64, 129}) {
      Bytes bytes(format, 9, 33, k);
      REQUIRE(bytes.run());
      std::size_t exact = 0, saturated = 0;
      for (Index row = 0; row < 9; ++row)
        for (Index column = 0; column < 33; ++column) {
          const int sum = bytes.c[static_cast<std::size_t>(row * 33 + column)];
          exact += sum == bytes.exact(row, column) ? 1 : 0;
          saturated += sum == bytes.saturated(row, column) ? 1 : 0;
        }
      INFO(format.name << ", k = " << k << ": " << exact << " of 297 exact, " << saturated << " by saturated pairs; "
                       << OneDnn::version());
      CHECK((exact == 297 || saturated == 297));
    }
}

TEST_CASE("oneDNN's products of bytes of 7 bits are exact") {
  Bytes bytes(element_format<std::int8_t>(), 9, 33, 129);
  for (std::uint8_t& weight : bytes.b) weight = static_cast<std::uint8_t>((weight & 127) - 64);
  REQUIRE(bytes.run());
  for (Index row = 0; row < 9; ++row)
    for (Index column = 0; column < 33; ++column)
      CHECK(bytes.c[static_cast<std::size_t>(row * 33 + column)] == bytes.exact(row, column));
}

// Up to 2.6.3 at least, its ReLU gives the larger of 0 and NaN as 0.
TEST_CASE("oneDNN's linear layers of numbers are right but for ReLU of NaN, or refused with the reason") {
  Suite numbers = testing::suite_of(operation_subject<Linear>(OneDnn(1)),
                                    {element_format<float32>(), element_format<bfloat16>()}),
        bytes = numbers;
  const auto of_bytes = [](const Case& entry) { return entry.id.rfind("int8_gemm", 0) == 0; };
  std::erase_if(numbers, of_bytes);
  std::erase_if(bytes, [&](const Case& entry) {
    return !of_bytes(entry) || !(testing::has(entry.id, "/exact_integer") || testing::has(entry.id, "/one_hot") ||
                                 testing::has(entry.id, "/log_uniform"));
  });
  const auto known = [](const std::string& id) {
    return testing::flushed_by_bf16_instructions(id) || (testing::has(id, "-relu") && testing::has(id, "/special"));
  };
  testing::require_right_but_known(numbers, 50, known);
  testing::require_right_but_known(bytes, 6, known);
}
