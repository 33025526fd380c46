#pragma once

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/faults/gemm_kernels.hpp"
#include "assay/suite/seed.hpp"
#include "detection_rules.hpp"

/// GEMM in depth: every kernel on the same data, judged by every rule.
namespace detection {

using namespace assay;
using Bf16Gemm = Gemm<bfloat16, bfloat16, float32, bfloat16>;
using F16Gemm = Gemm<float16, float16, float32, float16>;
using F32Gemm = Gemm<float32, float32, float32, float32>;

inline constexpr std::array<Index, 4> depths{3000, 6144, 11008, 14336};
inline constexpr std::size_t data_sets = all_fill_kinds.size() + 1;  ///< Assay's fills, and small integers

/// What one rule, or Assay, says of one kernel: launches that it accused, of how many.
struct Rate {
  std::size_t accused = 0, total = 0;
  void add(bool accuses) { accused += accuses ? 1 : 0, ++total; }
  void add(const Rate& other) { accused += other.accused, total += other.total; }
  [[nodiscard]] double percent() const {
    return total == 0 ? 0 : 100.0 * static_cast<double>(accused) / static_cast<double>(total);
  }
};

/// Of one kernel, over formats, depths and seeds.
struct GemmRow {
  std::string name;
  bool faulty = false;
  std::array<Rate, rules.size()> own_inputs;    ///< with the inputs that the rule's tool uses
  std::array<Rate, rules.size()> assay_inputs;  ///< a run is all of Assay's fills
  Rate assay_on_normal, assay;                  ///< on normal data alone; a run is all fills
};

/// A problem that lets the fault show: no multiple of tiles; a batch, gaps between rows, scalings where the fault is
/// there.
inline GemmProblem problem_for(const std::string& fault, Index k) {
  const auto among = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), fault) != names.end();
  };
  GemmProblem problem;
  problem.m = fault == "row_edge_of_16" ? 19 : 9;
  problem.n = 35;
  problem.k = among({"terms_beyond_the_end", "input_row_edge"}) ? k + 1 : k;
  if (among({"wrong_batch", "first_slice"})) problem.batch = 2;
  if (among({"ignored_strides", "row_overrun"})) problem.leading_dimension_c = problem.n + 3;
  if (fault == "input_strides_ignored") problem.leading_dimension_a = problem.k + 3;
  if (among({"forgotten_beta", "rounded_before_beta"})) problem.beta = 1;
  if (fault == "forgotten_alpha") problem.alpha = 0.75;
  return problem;
}

/// The bench of one choice of formats. What is right is computed once for each problem and kept.
template <class Op>
class GemmBench {
 public:
  explicit GemmBench(std::uint64_t seed)
      : seed_(seed), twin_(emulated_gemm_subject<Op>(SummationOrder::pairwise, std::nullopt, 0, Host(1))) {}

  /// Runs a kernel at one depth on all data, and adds what the rules say. Where a rule accuses the plain right kernel
  /// on the same data, its accusation of a faulty one tells nothing, and counts as none. At depths but the first, only
  /// on the inputs of tools.
  void judge(const GemmSubject<Op>& subject, Index depth, GemmRow& row, unsigned launches) {
    const GemmProblem problem = problem_for(row.name, depth);
    std::array<bool, rules.size()> any{};
    bool any_assay = false;
    const bool whole_suite = depth == depths.front();
    for (std::size_t set = 0; set < data_sets; ++set) {
      if (!whole_suite && set != own_set(Inputs::normal) && set != own_set(Inputs::uniform) &&
          set != own_set(Inputs::integers))
        continue;
      std::vector<double> output;
      const Outcome outcome = run(subject, problem, set, launches, output);
      const Right& right = right_of(problem, set);
      const bool refuted = outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error;
      if (set < all_fill_kinds.size()) any_assay = any_assay || refuted;
      if (set < all_fill_kinds.size() && all_fill_kinds[set] == FillKind::normal) row.assay_on_normal.add(refuted);
      for (std::size_t rule = 0; rule < rules.size(); ++rule) {
        const bool accuses =
            rules[rule].accuses(judged(problem, right, output)) && !(row.faulty && right.accused[rule]);
        if (set == own_set(rules[rule].inputs)) row.own_inputs[rule].add(accuses);
        if (set < all_fill_kinds.size()) any[rule] = any[rule] || accuses;
      }
    }
    if (!whole_suite) return;
    for (std::size_t rule = 0; rule < rules.size(); ++rule) row.assay_inputs[rule].add(any[rule]);
    row.assay.add(any_assay);
  }

 private:
  struct Right {
    std::vector<double> reference, twin;
    std::array<bool, rules.size()> accused{};  ///< the plain right kernel, by each rule
  };

  static std::size_t own_set(Inputs inputs) {
    if (inputs == Inputs::integers) return all_fill_kinds.size();
    const FillKind kind = inputs == Inputs::normal ? FillKind::normal : FillKind::uniform;
    return static_cast<std::size_t>(std::find(all_fill_kinds.begin(), all_fill_kinds.end(), kind) -
                                    all_fill_kinds.begin());
  }
  static Judged judged(const GemmProblem& problem, const Right& right, const std::vector<double>& output) {
    return {element_format<typename Op::FormatC>(),
            0x1p-24,
            static_cast<double>(problem.k),
            output,
            right.reference,
            right.twin};
  }

  /// The data of one set; small integers from −4 to 4, as the tools do that compare exactly.
  GemmData data_of(const GemmProblem& problem, std::size_t set, const AccumulationModel& accumulation) {
    const std::uint64_t seed = case_seed(seed_, name_of(problem) + "/" + std::to_string(set));
    if (set < all_fill_kinds.size()) return gemm_data<Op>(all_fill_kinds[set], problem, accumulation, seed);
    const auto fill = [&](std::vector<double>& values, Index count, std::uint64_t salt) {
      values.resize(static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>(assay::detail::splitmix64_finalize(seed + salt + i) % 9) - 4;
    };
    fill(integers_a_, problem.m * problem.k, 0);
    fill(integers_b_, problem.k * problem.n, std::uint64_t{1} << 40);
    GemmData data = GemmData::given(problem, integers_a_.data(), integers_b_.data());
    data.c = gemm_data<Op>(FillKind::exact_integer, problem, accumulation, seed).c;
    return data;
  }

  Outcome run(const GemmSubject<Op>& subject, const GemmProblem& problem, std::size_t set, unsigned launches,
              std::vector<double>& output) {
    GemmSubject<Op> watched = subject;
    watched.run = [&](const GemmProblem& own, const typename Op::Arguments& arguments) -> Result<void> {
      auto done = subject.run(own, arguments);
      const Operand c = assay::detail::operand_of(arguments.c);
      output.clear();
      for (Index e = 0; e < c.size(); ++e) output.push_back(c.load(e));
      return done;
    };
    GemmCheckOptions options;
    options.require_determinism = launches > 1;
    return check_gemm<Op>(host_, watched, problem, data_of(problem, set, subject.accumulation(problem)), options,
                          CaseContext{1, launches});
  }

  const Right& right_of(const GemmProblem& problem, std::size_t set) {
    const auto key = std::pair(name_of(problem), set);
    const auto known = right_.find(key);
    if (known != right_.end()) return known->second;
    Right right;
    const auto plain = emulated_gemm_subject<Op>(SummationOrder::sequential, std::nullopt, 0, Host(1));
    auto launch =
        assay::detail::observe_gemm<Op>(host_, plain, problem, data_of(problem, set, plain.accumulation(problem)));
    for (const ExpectedElement& expected : launch.value().outputs[0].expected)
      right.reference.push_back(element_format<typename Op::FormatC>().round(expected.value));
    (void)run(twin_, problem, set, 1, right.twin);
    for (std::size_t rule = 0; rule < rules.size(); ++rule)
      right.accused[rule] = rules[rule].accuses(judged(problem, right, launch.value().outputs[0].computed));
    return right_.emplace(key, std::move(right)).first->second;
  }

  std::uint64_t seed_;
  Host host_ = Host(1);
  GemmSubject<Op> twin_;
  std::vector<double> integers_a_, integers_b_;
  std::map<std::pair<std::string, std::size_t>, Right> right_;
};

/// A right kernel, or one with a fault of GEMM's own or a common one.
template <class Op>
[[nodiscard]] GemmSubject<Op> kernel_named(const std::string& name) {
  for (const SummationOrder order : all_summation_orders)
    if (name == name_of(order)) return emulated_gemm_subject<Op>(order, std::nullopt, 0, Host(1));
  return faulty_gemm_subject<Op>(name, Host(1));
}

/// One row a kernel: right ones first. `fault` flip_in_10000 is left out, which needs 46,050 launches.
inline std::vector<GemmRow> gemm_rows(std::uint64_t seed, std::size_t count_of_depths) {
  std::vector<GemmRow> rows;
  for (const SummationOrder order : all_summation_orders) {
    rows.emplace_back();
    rows.back().name = std::string(name_of(order));
  }
  std::vector<Fault> faults = gemm_faults();
  for (const Fault& fault : common_operation_faults())
    if (std::none_of(faults.begin(), faults.end(), [&](const Fault& other) { return other.name == fault.name; }) &&
        launches_to_see(fault.name) < 100)
      faults.push_back(fault);
  for (const Fault& fault : faults) {
    rows.emplace_back();
    rows.back().name = fault.name;
    rows.back().faulty = true;
  }
  const auto with = [&]<class Op>(GemmBench<Op>& bench, GemmRow& row) {
    const GemmSubject<Op> subject = kernel_named<Op>(row.name);
    for (std::size_t depth = 0; depth < count_of_depths; ++depth)
      bench.judge(subject, depths[depth], row, launches_to_see(row.name));
  };
  const auto begin_work = [&](std::size_t part, std::size_t parts) {
    GemmBench<Bf16Gemm> bf16(seed);
    GemmBench<F16Gemm> f16(seed);
    GemmBench<F32Gemm> f32(seed);
    for (std::size_t row = part; row < rows.size(); row += parts) {
      if (proof_of_invisibility("gemm", rows[row].name, Bf16Gemm::formats()).empty()) with(bf16, rows[row]);
      if (proof_of_invisibility("gemm", rows[row].name, F16Gemm::formats()).empty()) with(f16, rows[row]);
      if (proof_of_invisibility("gemm", rows[row].name, F32Gemm::formats()).empty()) with(f32, rows[row]);
      std::fprintf(stderr, "\r%zu of %zu kernels", row + 1, rows.size());
    }
  };
  Host host;
  auto stream = host.make_stream();
  constexpr std::size_t parts = 2;
  (void)host.parallel_for(stream.value(), parts, [&](std::size_t part) { begin_work(part, parts); });
  std::fprintf(stderr, "\n");
  return rows;
}

}  // namespace detection
