#include "assay/faults/gemm_kernels.hpp"

#include <set>
#include <string>

#include "testing/catch.hpp"

using namespace assay;
using Op = Gemm<bfloat16, bfloat16, float32, bfloat16>;

TEST_CASE("GEMM's kernels are right in every order of summation, and have its own faults and the common ones once") {
  FaultCorpus corpus;
  add_gemm_kernels<Op>(corpus, Host(1));
  std::set<std::string> names;
  std::size_t right = 0;
  for (const CorpusKernel& kernel : corpus.kernels()) {
    CHECK(names.insert(kernel.id()).second);
    right += kernel.fault ? 0 : 1;
  }
  CHECK(right == all_summation_orders.size());
  CHECK(names.size() >= 75);
  CHECK(names.count("gemm/bf16.f32.bf16/rounded_twice") == 1);
}

TEST_CASE("a sample of GEMM's faults is caught by its default suite, and one right kernel left in peace") {
  FaultCorpus corpus;
  add_gemm_kernels<Op>(corpus, Host(2));
  CorpusRun how;
  how.most_cases = 15;
  const std::set<std::string> sample{"lanes",           "dropped_term",      "tail_of_terms", "accumulator_of_10_bits",
                                     "private_staging", "missing_barrier",   "lost_atomic",   "c_read_for_zero_beta",
                                     "zero_tile",       "rounded_at_random", "wrong_warp",    "former_tile",
                                     "input_row_edge",  "order_of_chance"};
  std::size_t found = 0;
  for (const CorpusKernel& kernel : corpus.kernels()) {
    if (sample.count(kernel.name) == 0) continue;
    ++found;
    const CorpusVerdict verdict = validate(kernel, how);
    INFO(kernel.id() << ": " << verdict.first_case << ' ' << verdict.reason);
    CHECK(verdict.as_it_should());
  }
  CHECK(found == sample.size());
}

TEST_CASE("launches of a GEMM are observed beside the reference") {
  FaultCorpus corpus;
  add_gemm_kernels<Op>(corpus, Host(2));
  const CorpusKernel& right = corpus.kernels().front();
  std::size_t launches = 0;
  REQUIRE(right.observe({}, [&](const ObservedLaunch& launch) {
    REQUIRE(launch.outputs.size() == 1);
    const LaunchOutput& c = launch.outputs[0];
    CHECK(launch.memory_findings.empty());
    for (std::size_t i = 0; i < c.computed.size(); ++i)
      if (is_finite(c.expected[i].value))
        CHECK(std::abs(c.computed[i] - c.expected[i].value) <=
              c.expected[i].error + 0x1p-8 * std::abs(c.expected[i].value) + 1e-38);
    return ++launches == 3;
  }));
  CHECK(launches == 3);
}
