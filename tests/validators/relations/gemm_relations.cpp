#include "assay/validators/relations/gemm_relations.hpp"

#include "assay/faults/emulated_gemm.hpp"
#include "assay/faults/gemm_faults.hpp"
#include "validators/relations/relation_conformance.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

using namespace assay;

namespace {

using Brain = Gemm<bfloat16, bfloat16, float32, bfloat16>;
using BrainGemm = GemmOperation<Brain>;

using Wide = Gemm<bfloat16, bfloat16, float32, float32>;
using WideGemm = GemmOperation<Wide>;

OperationSubject<BrainGemm> emulated(SummationOrder order, std::optional<std::string> fault = std::nullopt) {
  return relation_subject<Brain>(emulated_gemm_subject<Brain>(order, std::move(fault), 11, Host(1)));
}

OperationSubject<WideGemm> wide(SummationOrder order) {
  return relation_subject<Wide>(emulated_gemm_subject<Wide>(order, std::nullopt, 11, Host(1)));
}

/// Its order depends on how many rows there are: right, but not batch-invariant.
OperationSubject<WideGemm> order_by_rows() {
  OperationSubject<WideGemm> subject = wide(SummationOrder::sequential);
  subject.run = [few = wide(SummationOrder::pairwise).run, many = subject.run](const GemmProblem& problem,
                                                                               const OperandArray& operands) {
    return (problem.m < 2 ? few : many)(problem, operands);
  };
  return subject;
}

}  // namespace

TEST_CASE("right GEMM kernels keep their relations, whatever their order") {
  std::vector<OperationSubject<BrainGemm>> kernels;
  for (const SummationOrder order : all_summation_orders) kernels.push_back(emulated(order));
  testing::require_right_kernels_keep<BrainGemm>(kernels, 1);
  testing::require_right_kernels_keep<WideGemm>({order_by_rows()}, 1);
}

TEST_CASE("faults of a GEMM break the relations that they do not commute with") {
  testing::require_table<BrainGemm>(
      {{"dropped_term", {"gathered", "term_added", "terms_reversed", "zero_padded"}},
       {"tail_of_terms", {"gathered", "term_added", "terms_reversed"}},
       {"dropped_tile_of_terms", {"gathered", "term_added", "terms_reversed", "zero_padded"}},
       {"repeated_term", {"gathered", "term_added", "terms_reversed", "zero_padded"}},
       {"narrow_accumulator", {}},
       {"accumulator_of_16_bits", {}},
       {"accumulator_of_13_bits", {}},
       {"accumulator_of_10_bits", {}},
       {"rounded_partial_sums", {}},
       {"narrow_inputs", {}},
       {"truncated_output", {}},
       {"sums_toward_zero", {}},
       {"fused_products", {}},
       {"rounded_before_beta", {}},
       {"neighbor_element", {"columns_reversed", "gathered", "rows_reversed", "term_added"}},
       {"stale_tile", {"columns_reversed", "gathered", "rows_reversed", "term_added"}},
       {"zero_tile", {"columns_reversed", "gathered", "rows_reversed", "term_added"}},
       {"forgotten_alpha", {}},
       {"forgotten_beta", {}},
       {"wrong_batch", {"gathered", "term_added"}},
       {"nan_written", {"columns_reversed", "gathered", "rows_reversed"}},
       {"swallowed_nan", {}},
       {"saturated_overflow", {}},
       {"flushed_subnormals", {}},
       {"zeros_returned", {"gathered", "term_added"}},
       {"unwritten_tail",
        {"columns_reversed", "gathered", "negated", "rows_reversed", "scaled", "term_added", "terms_reversed",
         "zero_padded"}},
       {"canary_overwritten",
        {"columns_reversed", "gathered", "negated", "rows_reversed", "scaled", "term_added", "terms_reversed",
         "zero_padded"}}},
      [](const std::string& fault) { return emulated(SummationOrder::sequential, fault); },
      {element_format<bfloat16>()});
}

TEST_CASE("batch invariance is judged where it is promised") {
  RelationSuiteOptions promised;
  promised.contracts = {"batch_invariant"};
  CHECK(testing::broken_relations<WideGemm>(wide(SummationOrder::sequential), 1, promised).broken.empty());
  const auto result = testing::broken_relations<WideGemm>(order_by_rows(), 1, promised);
  CHECK(result.broken == std::set<std::string>{"batch_invariant"});
}

TEST_CASE("rounding towards one side breaks the relation of signs, and no other") {
  OperationSubject<WideGemm> subject = wide(SummationOrder::sequential);
  subject.run = [right = subject.run](const GemmProblem& problem, const OperandArray& operands) -> Result<void> {
    if (auto done = right(problem, operands); !done) return done;
    for (Index e = 0; e < operands[2].size(); ++e) {
      const float value = static_cast<float>(operands[2].load(e));
      if ((std::bit_cast<std::uint32_t>(value) & 0xff) != 0)
        operands[2].store(e, static_cast<double>(std::nextafter(value, -INFINITY)));  // sums of many bits end below
    }
    return {};
  };
  CHECK(testing::broken_relations<WideGemm>(subject).broken == std::set<std::string>{"negated"});
}
