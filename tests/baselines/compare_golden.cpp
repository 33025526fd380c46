#include "assay/baselines/compare_golden.hpp"

#include <cstring>
#include <limits>

#include "assay/baselines/detail/tensor_sums.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr float nan_f = std::numeric_limits<float>::quiet_NaN(), infinity_f = std::numeric_limits<float>::infinity();

/// A tensor in f32 as a baseline keeps it; whole, or with samples and sums folded into `columns`.
GoldenTensor tensor_of(const std::vector<float>& values, Index columns = 0, Index samples = 0) {
  GoldenTensor tensor;
  tensor.format = "f32";
  tensor.code_bytes = 4;
  tensor.extents = {static_cast<Index>(values.size())};
  std::vector<unsigned char> codes(4 * values.size());
  if (!values.empty()) std::memcpy(codes.data(), values.data(), codes.size());
  tensor.digest.assign(codes.begin(), codes.end());
  tensor.codes = codes;
  if (samples == 0) return tensor;
  tensor.sampled = detail::sample_positions(static_cast<Index>(values.size()), samples);
  tensor.codes.clear();
  for (const Index position : tensor.sampled)
    tensor.codes.insert(tensor.codes.end(), codes.begin() + 4 * position, codes.begin() + 4 * position + 4);
  tensor.sums = detail::sums_of(std::vector<double>(values.begin(), values.end()), columns);
  return tensor;
}

GoldenAllowance allowance_for(const GoldenTensor& tensor, double each) {
  GoldenAllowance allowance;
  allowance.elements.assign(tensor.kept(), each);
  if (!tensor.whole())
    detail::sum_allowances(std::vector<double>(static_cast<std::size_t>(tensor.elements()), each), tensor.sums.columns,
                           allowance.rows, allowance.columns);
  return allowance;
}

GoldenComparison compared(const std::vector<float>& golden, const std::vector<float>& found, double each,
                          const std::string& tolerance = "derived") {
  return compare_golden(tensor_of(golden), tensor_of(found),
                        each < 0 ? GoldenAllowance{} : allowance_for(tensor_of(golden), each), tolerance);
}

Verdict verdict(float golden, float found, double each, const std::string& tolerance = "derived") {
  return compared({golden}, {found}, each, tolerance).verdict;
}

}  // namespace

TEST_CASE("identical bits are right by any rule, NaNs and undecided elements too") {
  for (const char* rule : {"derived", "exact", "ulps=1", "atol=0", "nonsense"}) {
    const GoldenComparison same = compared({1, nan_f, infinity_f, -0.0f}, {1, nan_f, infinity_f, -0.0f}, -1, rule);
    CHECK(same.verdict == Verdict::pass);
    CHECK(same.identical);
    CHECK(same.rule == "identical bits");
  }
  CHECK(compared({}, {}, 0).verdict == Verdict::pass);
  CHECK(verdict(2, 2, infinity) == Verdict::pass);
}

TEST_CASE("two right kernels may lie on either side of the exact value: twice the allowance, and no more") {
  CHECK(verdict(1, 1.5f, 0.25) == Verdict::pass);
  CHECK(verdict(1.5f, 1, 0.25) == Verdict::pass);
  CHECK(verdict(1, std::nextafter(1.5f, 2.0f), 0.25) == Verdict::fail);
  CHECK(verdict(1, std::nextafter(0.5f, 0.0f), 0.25) == Verdict::fail);
  CHECK(verdict(1, std::nextafter(1.0f, 2.0f), 0) == Verdict::fail);
  CHECK(verdict(0.0f, -0.0f, 0) == Verdict::pass);
  const GoldenComparison failed = compared({1, 2, 3, 4}, {1, 2.5f, 4, 4}, 0.125);
  CHECK(failed.verdict == Verdict::fail);
  CHECK(failed.elements == 4);
  CHECK(failed.differing == 2);
  CHECK(failed.violations == 2);
  CHECK(failed.worst_element == 2);
  CHECK(failed.worst_ratio == 4);
  CHECK(failed.max_absolute_error == 1);
  CHECK(failed.max_relative_error == Approx(1.0 / 3));
  CHECK(failed.max_ulp_error == 0x1p22);
  CHECK_THAT(failed.reason,
             contains("2 of 4 elements") && contains("element 2, by 4 times that: 4, golden 3, allowed ±0.25"));
}

TEST_CASE("NaN equals NaN only, an infinity only itself") {
  for (const double each : {0.0, 1e30}) {
    CHECK(verdict(nan_f, 1, each) == Verdict::fail);
    CHECK(verdict(1, nan_f, each) == Verdict::fail);
    CHECK(verdict(nan_f, infinity_f, each) == Verdict::fail);
    CHECK(verdict(infinity_f, -infinity_f, each) == Verdict::fail);
    CHECK(verdict(infinity_f, 3e38f, each) == Verdict::fail);
    CHECK(verdict(nan_f, -nan_f, each) == Verdict::pass);  // another NaN
  }
  CHECK(verdict(nan_f, 1, -1, "atol=1e30") == Verdict::fail);
  CHECK(verdict(infinity_f, 3e38f, -1, "rtol=1") == Verdict::fail);
}

TEST_CASE("where the allowance is infinite or none, nothing is decided, and other violations still are") {
  CHECK(verdict(1, 2, infinity) == Verdict::inconclusive);
  CHECK(verdict(1, 2, 1e308) == Verdict::inconclusive);  // twice that is infinite
  CHECK(verdict(1, 2, std::numeric_limits<double>::quiet_NaN()) == Verdict::inconclusive);
  CHECK(verdict(1, 2, -1) == Verdict::inconclusive);
  GoldenAllowance mixed = allowance_for(tensor_of({1, 2}), infinity);
  mixed.elements[1] = 0;
  CHECK(compare_golden(tensor_of({1, 2}), tensor_of({5, 3}), mixed, "derived").verdict == Verdict::fail);
  const GoldenComparison undecided = compare_golden(tensor_of({1, 2}), tensor_of({5, 2}), mixed, "derived");
  CHECK(undecided.verdict == Verdict::inconclusive);
  CHECK(undecided.undecided == 1);
}

TEST_CASE("the rule that the record names is used, whatever the case allows, and told") {
  const float next = std::nextafter(1.0f, 2.0f), third = std::nextafter(std::nextafter(next, 2.0f), 2.0f);
  CHECK(verdict(1, next, 1e9, "exact") == Verdict::fail);
  CHECK(verdict(0.0f, -0.0f, 0, "exact") == Verdict::pass);
  CHECK(verdict(1, next, 0, "ulps=1") == Verdict::pass);
  CHECK(verdict(1, third, 0, "ulps=2") == Verdict::fail);
  CHECK(verdict(1, third, 0, "ulps=3") == Verdict::pass);
  CHECK(verdict(1, 1.5f, 0, "atol=0.5") == Verdict::pass);
  CHECK(verdict(1, 1.75f, 0, "atol=0.5") == Verdict::fail);
  CHECK(verdict(4, 5, 0, "rtol=0.25") == Verdict::pass);
  CHECK(verdict(1, 1.00005f, 0, "normal") == Verdict::pass);
  CHECK(verdict(1, 1.1f, 0, "strict") == Verdict::fail);
  CHECK_THAT(compared({1}, {next}, 0, "ulps=1").rule, contains("the record's tolerance ulps=1"));
  CHECK_THAT(compared({1}, {next}, 1).rule, contains("2*allowed"));
  const GoldenComparison unknown = compared({1}, {2}, 1, "ulp=1");
  CHECK(unknown.verdict == Verdict::inconclusive);
  CHECK_THAT(unknown.reason, contains("ulp"));
}

TEST_CASE("another shape or format is a failure, and a format that nobody knows decides nothing") {
  CHECK_THAT(compared({1, 2}, {1}, 0).reason, contains("the output is 1 of f32, and the golden 2 of f32"));
  GoldenTensor other = tensor_of({1}), foreign = tensor_of({2});
  other.format = "int32";
  CHECK(compare_golden(tensor_of({1}), other, {}, "exact").verdict == Verdict::fail);
  other.format = foreign.format = "posit32";
  const GoldenComparison compared = compare_golden(other, foreign, {}, "exact");
  CHECK(compared.verdict == Verdict::inconclusive);
  CHECK_THAT(compared.reason, contains("posit32"));
  CHECK(compare_golden(other, other, {}, "exact").verdict == Verdict::pass);
}

TEST_CASE("integers beyond 2^53 differ although their doubles do not") {
  GoldenTensor a;
  a.format = "int64";
  a.code_bytes = 8;
  a.extents = {1};
  a.digest = "a";
  a.codes = {1, 0, 0, 0, 0, 0, 0, 0x40};
  GoldenTensor b = a;
  b.digest = "b";
  b.codes[0] = 2;
  CHECK(compare_golden(a, b, {}, "exact").verdict == Verdict::fail);
  CHECK(compare_golden(a, b, {}, "atol=1").verdict == Verdict::pass);
}

TEST_CASE("of a sampled tensor, samples, sums and specials are seen") {
  std::vector<float> golden(1000);
  for (std::size_t i = 0; i < golden.size(); ++i) golden[i] = static_cast<float>(std::sin(static_cast<double>(i)));
  const GoldenTensor kept = tensor_of(golden, 40, 20);
  REQUIRE(kept.kept() < 30);
  REQUIRE(kept.sums.row_sums.size() == 25);
  const auto against = [&](const std::vector<float>& found, double each, const std::string& rule = "derived") {
    return compare_golden(kept, tensor_of(found, 40, 20), allowance_for(kept, each), rule);
  };
  CHECK(against(golden, 0).identical);

  std::vector<float> nudged = golden;
  for (float& value : nudged) value += 1e-4f;
  CHECK(against(nudged, 1e-4).verdict == Verdict::pass);
  CHECK(against(nudged, 1e-5).verdict == Verdict::fail);
  CHECK(against(nudged, -1, "atol=2e-4").verdict == Verdict::pass);
  CHECK(against(nudged, -1, "atol=1e-5").verdict == Verdict::fail);

  Index unseen = 500;
  while (std::binary_search(kept.sampled.begin(), kept.sampled.end(), unseen)) ++unseen;
  std::vector<float> hidden = golden;
  hidden[static_cast<std::size_t>(unseen)] += 1;
  const GoldenComparison sums = against(hidden, 1e-3);
  CHECK(sums.verdict == Verdict::fail);
  CHECK(sums.violations == 0);
  CHECK(sums.sum_violations == 2);  // its row and its column
  CHECK_THAT(sums.reason, contains("sums of rows and columns"));
  CHECK(against(hidden, 2).verdict == Verdict::pass);
  CHECK(against(hidden, 0, "exact").verdict == Verdict::fail);
  CHECK(against(hidden, 0, "ulps=4").verdict == Verdict::fail);

  std::vector<float> special = golden;
  special[static_cast<std::size_t>(unseen)] = nan_f;
  CHECK(against(special, 1e9).verdict == Verdict::fail);
  CHECK(against(nudged, infinity).verdict == Verdict::inconclusive);
  std::vector<float> zero = golden, negative = golden;
  zero[static_cast<std::size_t>(unseen)] = 0.0f;
  negative[static_cast<std::size_t>(unseen)] = -0.0f;
  CHECK(compare_golden(tensor_of(zero, 40, 20), tensor_of(negative, 40, 20), {}, "exact").verdict ==
        Verdict::inconclusive);
  CHECK_THROWS_AS(compare_golden(kept, tensor_of(golden, 40, 30), {}, "exact"), Misuse);
  CHECK_THROWS_AS(compare_golden(tensor_of({1, 2}), tensor_of({1, 3}), allowance_for(tensor_of({1}), 1), "derived"),
                  Misuse);
}

TEST_CASE("sums are careful, samples are in order and cover the ends") {
  const std::vector<double> hard{1, 1e100, 1, -1e100};
  CHECK(detail::sums_of(hard, 4).row_sums[0] == 2);
  const TensorSums odd = detail::sums_of({1, 2, 3, 4, 5}, 2);
  CHECK(odd.row_sums == std::vector<double>{3, 7, 5});
  CHECK(odd.column_sums == std::vector<double>{9, 6});
  for (const Index elements : {Index{1}, Index{2}, Index{1000}, Index{1} << 40}) {
    const std::vector<Index> positions = detail::sample_positions(elements, std::min<Index>(100, elements));
    CHECK(positions.front() == 0);
    CHECK(positions.back() == elements - 1);
    CHECK(std::adjacent_find(positions.begin(), positions.end(), std::greater_equal<>()) == positions.end());
  }
  CHECK(detail::folded_columns({}, 1) == 1);
  CHECK(detail::folded_columns({100, 200}, 20'000) == 200);
  CHECK(detail::folded_columns({1'000'000}, 1'000'000) == 1000);
}
