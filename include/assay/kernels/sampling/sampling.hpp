#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "assay/kernels/operation.hpp"
#include "assay/kernels/sampling/explanation.hpp"
#include "assay/kernels/sampling/judgment.hpp"

namespace assay::inline v0 {

/// Nothing an element: draws are judged as a whole.
struct SamplingExpected {
  int output = 0;
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index, Index) const {
    return {0, detail::double_of(binary64_layout.infinity_bits())};
  }
};

/// One row in single precision: what stands before each token by counting, then draws by the inverse of the
/// distribution function.
struct PortableSampling {
  SamplingProblem problem;
  Operand logits, tokens;
  float* weights;  ///< 2·vocabulary a row

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index), size = problem.vocabulary;
    float *const weight = weights + row * 2 * size, *const cut = weight + size;
    float maximum = logit(row, 0);
    for (Index token = 1; token < size; ++token) maximum = logit(row, token) > maximum ? logit(row, token) : maximum;
    const bool greedy = problem.temperature == 0;
    for (Index token = 0; token < size; ++token)
      weight[token] = greedy ? (logit(row, token) == maximum ? 1.0f : 0.0f) : std::exp(logit(row, token) - maximum);
    const Index k = greedy ? 1 : problem.top_k > 0 ? problem.top_k : size;
    for (Index token = 0; token < size; ++token) {
      Index before = 0;
      for (Index other = 0; other < size; ++other)
        before += stands_before(row, other, token, problem.ties == TopKTies::exactly_k || greedy) ? 1 : 0;
      cut[token] = before < k ? weight[token] : 0;
    }
    float sum = 0;
    for (Index token = 0; token < size; ++token) sum += cut[token];
    float kept = 0;
    for (Index token = 0; token < size; ++token) {
      float before = 0;
      for (Index other = 0; other < size && problem.top_p < 1; ++other)
        before += stands_before(row, other, token, true) ? cut[other] : 0;
      weight[token] = before < static_cast<float>(problem.top_p) * sum || before == 0 ? cut[token] : 0;
      kept += weight[token];
    }
    for (Index draw = 0; draw < problem.draws; ++draw) {
      const RandomBits bits = random_bits(problem.seed, static_cast<std::uint64_t>(row * problem.draws + draw), 0);
      const float target = static_cast<float>(bits.words[0] >> 8) * 0x1p-24f * kept;
      Index token = 0, last = 0;
      float below = 0;
      for (; token < size; ++token) {
        below += weight[token];
        if (weight[token] > 0) last = token;
        if (weight[token] > 0 && target < below) break;
      }
      tokens.format.store(tokens.data, tokens.offset(row, draw), static_cast<double>(last));
    }
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION float logit(Index row, Index token) const {
    const float x = static_cast<float>(logits.at(row, token));
    return problem.temperature > 0 ? x / static_cast<float>(problem.temperature) : x;
  }
  [[nodiscard]] ASSAY_FUNCTION bool stands_before(Index row, Index a, Index b, bool by_index) const {
    const float x = logit(row, a), y = logit(row, b);
    return x > y || (x == y && by_index && a < b);
  }
};

/// Sampling from logits with temperature, top-k and top-p. Operands: `logits` (rows, vocabulary), `tokens` (rows,
/// draws). The distribution is tested, not the draw. Judged on the host.
struct Sampling {
  using Problem = SamplingProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { logits, tokens };

  [[nodiscard]] static const char* name() { return "sampling"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.format.name) + "." + problem.token_format.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem) {
    if (auto checked = check(problem); !checked) return checked.propagate();
    return std::vector<OperandSpec>{
        {"logits", OperandRole::input, problem.format, {problem.rows, problem.vocabulary}},
        {"tokens", OperandRole::output, problem.token_format, {problem.rows, problem.draws}}};
  }

  /// What each pattern is for: normal: wrong temperatures and cuts; uniform: nearly flat distributions, whose support
  /// is wide; constant: ties throughout; exact_integer: ties at the k-th place; swamping: one token has nearly all;
  /// special: a third of the tokens is masked by −∞; extreme: subnormal logits, of which the largest decides where the
  /// temperature is 0.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  /// The same problem with another seed, whose tokens are the same with a probability of 1e-17 at most: nothing where
  /// the logits leave little choice.
  [[nodiscard]] static std::optional<Problem> another_seed(const Problem& problem, const OperandArray& operands);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel,
                                                           const Arithmetic& arithmetic);
  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<SamplingExpected>> reference(B&, typename B::Stream&, const Problem&,
                                                                              const OperandArray&, RoundingModel,
                                                                              const Arithmetic&) {
    return OperationReference<SamplingExpected>{{}, nullptr};
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    auto weights =
        backend.template allocate<float>(static_cast<std::size_t>(2 * problem.rows * problem.vocabulary) + 1);
    if (!weights) return weights.propagate();
    if (auto run =
            backend.parallel_for(stream, static_cast<std::size_t>(problem.rows),
                                 PortableSampling{problem, operands[logits], operands[tokens], weights.value().data()});
        !run)
      return run;
    return backend.synchronize(stream);
  }
  [[nodiscard]] static bool judge(const Problem& problem, const OperandArray& operands, const OperandArray& before, int,
                                  const Arithmetic& arithmetic, Outcome& outcome);

  /// Tokens that may be drawn are due where they were; the likeliest in place of others: for those who look for the
  /// cause of a refusal.
  [[nodiscard]] static std::vector<ExpectedElement> due_by_choices(const Problem& problem, const OperandArray& after,
                                                                   const OperandArray& before, int,
                                                                   const Arithmetic& arithmetic);
  /// What is wrong with draws, if that is.
  [[nodiscard]] static std::optional<Diagnosis> explain(const Problem& problem, const OperandArray& after,
                                                        const OperandArray& before, const Arithmetic& arithmetic) {
    return SamplingExplanation(problem, before[logits], after[tokens], arithmetic).explanation();
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/sampling/sampling.ipp"
#endif
