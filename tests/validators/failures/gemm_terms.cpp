#include "assay/validators/failures/gemm_terms.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "assay/tensor/random_bits.hpp"

using namespace assay;

namespace {

constexpr Index m = 24, n = 20, k = 200;

double a_of(Index i, Index t) {
  return static_cast<double>(random_bits(1, static_cast<std::uint64_t>(i * k + t), 0).low() >> 40) * 0x1p-23 - 1;
}
double b_of(Index t, Index j) {
  return static_cast<double>(random_bits(2, static_cast<std::uint64_t>(t * n + j), 0).low() >> 40) * 0x1p-23 - 1;
}

/// C = 2·A·B with term t counted `count(t)` times; of ones, or of numbers at random.
template <class Count>
std::optional<Diagnosis> found(Count count, bool constant = false) {
  std::vector<float> a(m * k), b(k * n);
  for (Index i = 0; i < m; ++i)
    for (Index t = 0; t < k; ++t)
      a[static_cast<std::size_t>(i * k + t)] = constant ? 1 : static_cast<float>(a_of(i, t));
  for (Index t = 0; t < k; ++t)
    for (Index j = 0; j < n; ++j)
      b[static_cast<std::size_t>(t * n + j)] = constant ? 1 : static_cast<float>(b_of(t, j));
  FailingOutput output;
  output.name = "C";
  output.extents = {1, m, n};
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) {
      double right = 0, wrong = 0;
      for (Index t = 0; t < k; ++t) {
        const double product = 2.0 * static_cast<double>(a[static_cast<std::size_t>(i * k + t)]) *
                               static_cast<double>(b[static_cast<std::size_t>(t * n + j)]);
        right += product;
        wrong += count(t) * product;
      }
      output.expected.push_back(right);
      output.actual.push_back(static_cast<double>(static_cast<float>(wrong)));
      output.error.push_back(1e-6f);
      output.violated.push_back(output.accepted(output.size() - 1).contains(output.actual.back()) ? 0 : 1);
      output.violations += output.violated.back();
    }
  return wrong_gemm_terms(output, contiguous_operand(a.data(), {1, m, k}), contiguous_operand(b.data(), {1, k, n}), 2);
}

}  // namespace

TEST_CASE("missing and repeated terms of a product are named by their index") {
  const auto missing = found([](Index t) { return t == 137 ? 0 : 1; });
  REQUIRE(missing);
  CHECK(missing->kind == "terms_missing");
  CHECK(missing->evidence.front().find("k = 137 of 200") != std::string::npos);
  const auto repeated = found([](Index t) { return t == 3 ? 2 : 1; });
  REQUIRE(repeated);
  CHECK(repeated->kind == "terms_repeated");
  CHECK(repeated->fault_class == FaultClass::repeated_work);
  CHECK(repeated->evidence.front().find("k = 3 of 200") != std::string::npos);
}

TEST_CASE("of a single term a lost product is not told from a lost factor, and both are said") {
  const std::vector<float> a{1, 2, 3, -4}, b{2, 5, -7, 1};
  const auto found_with = [&](double factor) {
    FailingOutput output;
    output.name = "C";
    output.extents = {1, 4, 4};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        output.expected.push_back(1.5 * static_cast<double>(a[i] * b[j]));
        output.actual.push_back(factor * output.expected.back());
        output.error.push_back(1e-6F);
        output.violated.push_back(1);
        ++output.violations;
      }
    return wrong_gemm_terms(output, contiguous_operand(const_cast<float*>(a.data()), {1, 4, 1}),
                            contiguous_operand(const_cast<float*>(b.data()), {1, 1, 4}), 1.5);
  };
  const auto missing = found_with(0);
  REQUIRE(missing);
  CHECK(missing->kind == "only_term_missing");  // those who shrink a case take it for another cause
  CHECK(missing->confidence == Confidence::likely);
  CHECK(missing->evidence.back().find("alpha taken for 0") != std::string::npos);
  REQUIRE(found_with(2));
  CHECK(found_with(2)->evidence.back().find("alpha doubled") != std::string::npos);
  CHECK_FALSE(found_with(1 / 1.5));  // alpha is ignored, which is for others to say
}

TEST_CASE("terms whose products are the same are not told apart") {
  const auto missing = found([](Index t) { return t == 137 ? 0 : 1; }, true);
  REQUIRE(missing);
  CHECK(missing->fault_class == FaultClass::missing_work);
  CHECK(missing->evidence.front().find(
            "the terms k = 0 of 200, or as many whose products are the same, are left out") == 0);
  CHECK(found([](Index t) { return t == 137 ? 0 : 1; })->evidence.front().find("the same") == std::string::npos);
}

TEST_CASE("errors that are no products of terms are not explained by any") {
  CHECK_FALSE(found([](Index) { return 1.01; }));
  CHECK_FALSE(found([](Index) { return 1.0; }));
}
