#include "assay/faults/emulated_gemm.hpp"

#include "testing/catch.hpp"
#include "validators/gemm_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// What a subject computes from A = rows of ones, B = 1, 2, 3, … down each column, scaled by 1 + column.
std::vector<float> run(const std::optional<std::string>& fault, GemmProblem problem, std::uint64_t seed = 0) {
  const GemmLayout layout = lay_out(problem).value();
  std::vector<float> a(static_cast<std::size_t>(layout.a.elements), 1.0F),
      b(static_cast<std::size_t>(layout.b.elements)), c(static_cast<std::size_t>(layout.c.elements) + 1, -7.0F);
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = static_cast<float>(static_cast<Index>(i) / problem.n % problem.k + 1) *
           static_cast<float>(static_cast<Index>(i) % problem.n + 1);
  const F32Gemm::Arguments arguments{{a.data(),
                                      {problem.batch, problem.m, problem.k},
                                      {layout.a.batch_stride, layout.a.row_stride, layout.a.column_stride}},
                                     {b.data(),
                                      {problem.batch, problem.k, problem.n},
                                      {layout.b.batch_stride, layout.b.row_stride, layout.b.column_stride}},
                                     {c.data(),
                                      {problem.batch, problem.m, problem.n},
                                      {layout.c.batch_stride, layout.c.row_stride, layout.c.column_stride}}};
  const auto subject = emulated_gemm_subject<F32Gemm>(SummationOrder::sequential, fault, seed, shared_host());
  REQUIRE(subject.run(problem, arguments).has_value());
  return c;
}

}  // namespace

TEST_CASE("without a fault the emulated kernel is right") {
  const auto c = run(std::nullopt, gemm_of(2, 3, 4));
  CHECK(c == std::vector<float>{10, 20, 30, 10, 20, 30, -7});
}

TEST_CASE("each fault does what it says") {
  const GemmProblem problem = gemm_of(18, 3, 40);
  const auto right = run(std::nullopt, problem);
  const float sum = 820;  // 1 + … + 40
  REQUIRE(right[0] == sum);
  SECTION("a dropped term is missing from every sum, a repeated one is there twice") {
    const float dropped = sum - run("dropped_term", problem, 5)[0],
                repeated = run("repeated_term", problem, 5)[0] - sum;
    CHECK(dropped >= 1);
    CHECK(dropped <= 40);
    CHECK(repeated == dropped);
    CHECK(run("dropped_term", problem, 6)[0] != run("dropped_term", problem, 5)[0]);
  }
  SECTION("a dropped tile of terms") {
    const float missing = sum - run("dropped_tile_of_terms", problem, 1)[0];
    CHECK((missing == 528 || missing == 292));  // 1 + … + 32, or 33 + … + 40
  }
  SECTION("zeros, nothing, or not the last rows") {
    for (float value : run("zeros_returned", problem)) CHECK((value == 0 || value == -7));
    for (float value : run("unwritten_output", problem)) CHECK(value == -7);
    const auto tail = run("unwritten_tail", problem);
    CHECK(tail[15 * 3] == sum);
    CHECK(tail[16 * 3] == -7);
  }
  SECTION("one element behind the output") {
    CHECK(run("canary_overwritten", problem).back() == 0);
    CHECK(right.back() == -7);
  }
  SECTION("one NaN, one neighbor") {
    int nans = 0, different = 0;
    for (float value : run("nan_written", problem)) nans += is_nan(value) ? 1 : 0;
    CHECK(nans == 1);
    const auto neighbor = run("neighbor_element", problem);
    for (std::size_t i = 0; i < right.size(); ++i) different += neighbor[i] != right[i] ? 1 : 0;
    CHECK(different == 1);
  }
}

TEST_CASE("an unknown fault is misuse, and the message has the nearest names") {
  CHECK_THROWS_WITH(emulated_gemm_subject<F32Gemm>(SummationOrder::sequential, "droped_term"),
                    contains("dropped_term"));
}

TEST_CASE("an emulated subject tells its name and its arithmetic") {
  CHECK(correct<Bf16Gemm>(SummationOrder::pairwise).name == "emulated-pairwise");
  CHECK(faulty<Bf16Gemm>("stale_tile").name == "faulty-stale_tile");
  CHECK(correct<Bf16Gemm>(SummationOrder::truncating_blocks).accumulation(gemm_of(1, 1, 1)).truncating);
}
