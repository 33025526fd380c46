#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/validators/check_gemm.hpp"
#include "assay/validators/minimize/detail/recorded_pattern.hpp"
#include "assay/validators/minimize/problem_fields.hpp"

namespace assay::inline v0 {

/// A GEMM kernel with one case of it, judged by the full check. Operands are recorded lane by lane, see `GemmFill`: A
/// by rows, B by columns, C by rows.
template <class Op, ParallelBackend W>
class RecordedGemm final : public RecordedKernel {
 public:
  /// Precondition: `subject` is the kernel that failed with this problem and fill.
  RecordedGemm(std::shared_ptr<W> worker, std::shared_ptr<const GemmSubject<Op>> subject, GemmProblem problem,
               FillKind fill, GemmCheckOptions check)
      : worker_(std::move(worker)), subject_(std::move(subject)), problem_(problem), fill_(fill), check_(check) {}

  [[nodiscard]] CaseRecord record(std::uint64_t seed) const override {
    CaseRecord record;
    record.problem = recorded_fields(problem_);
    record.data = name_of(fill_);
    record.seed = seed;
    record.require_determinism = check_.require_determinism;
    return record;
  }

  [[nodiscard]] Outcome run(const CaseRecord& record) const override {
    const auto problem = checked_problem(record);
    if (!problem) return detail::refused(Outcome{}, problem.error());
    GemmCheckOptions check = check_;
    check.require_determinism = record.require_determinism;
    auto stream = worker_->make_stream();
    if (!stream) return detail::refused(Outcome{}, stream.error());
    std::vector<typename W::template Buffer<double>> buffers;
    const auto data = data_of(record, problem.value(), stream.value(), buffers);
    if (!data) return detail::refused(Outcome{}, data.error());
    Outcome outcome =
        check_gemm<Op>(*worker_, *subject_, problem.value(), data.value(), check, {record.seed, record.repetitions});
    outcome.labels = {{"operation", Op::name()},
                      {"backend", subject_->name},
                      {"formats", Op::formats()},
                      {"shape", name_of(problem.value())},
                      {"data", record.operands.empty() ? record.data : "recorded"}};
    return outcome;
  }

  [[nodiscard]] Result<CaseRecord> with_values(CaseRecord record) const override {
    if (!record.operands.empty()) return record;
    const auto problem = checked_problem(record);
    if (!problem) return problem.propagate();
    const auto fill = detail::recorded_pattern(record);
    if (!fill) return fill.propagate();
    const GemmData data =
        gemm_data<Op>(fill.value(), problem.value(), subject_->accumulation(problem.value()), record.seed);
    const auto extents = extents_of(problem.value());
    record.operands = {values<typename Op::FormatA>("A", extents[0], data.a),
                       values<typename Op::FormatB>("B", extents[1], data.b),
                       values<typename Op::FormatC>("C", extents[2], data.c)};
    record.rounding = data.model;
    return record;
  }

  [[nodiscard]] std::vector<RecordedField> simplest() const override {
    GemmProblem simple;
    simple.m = simple.n = simple.k = 1;
    return detail::simplest_under(subject_->contract ? subject_->contract(problem_) : KernelContract{},
                                  recorded_fields(simple));
  }

 private:
  [[nodiscard]] Result<GemmProblem> checked_problem(const CaseRecord& record) const {
    auto problem = with_fields(problem_, record.problem);
    if (!problem) return problem;
    if (const auto layout = lay_out(problem.value()); !layout) return layout.propagate();
    return problem;
  }
  /// (batch, lanes, positions) of A, B and C, which is not there where β = 0.
  [[nodiscard]] static std::array<std::vector<Index>, 3> extents_of(const GemmProblem& problem) {
    const Index read = problem.beta != 0 ? problem.m : 0;
    return {{{problem.batch, problem.m, problem.k},
             {problem.batch, problem.n, problem.k},
             {problem.batch, read, problem.n}}};
  }
  template <Format T>
  [[nodiscard]] static RecordedOperand values(const char* name, const std::vector<Index>& extents,
                                              const GemmFill& fill) {
    RecordedOperand operand{name, FormatTraits<T>::name(), extents, {}};
    for (Index lane = 0; lane < extents[0] * extents[1]; ++lane)
      for (Index position = 0; position < extents[2]; ++position)
        operand.codes.push_back(FormatTraits<T>::to_bits(encode<T>(fill(lane, position))));
    return operand;
  }
  template <Format T>
  [[nodiscard]] static std::vector<double> decoded(const RecordedOperand& operand) {
    std::vector<double> values;
    for (const std::uint64_t code : operand.codes)
      values.push_back(decode(FormatTraits<T>::from_bits(static_cast<typename FormatTraits<T>::Bits>(code))));
    return values;
  }

  [[nodiscard]] Result<GemmData> data_of(const CaseRecord& record, const GemmProblem& problem,
                                         typename W::Stream& stream,
                                         std::vector<typename W::template Buffer<double>>& buffers) const {
    if (record.operands.empty()) {
      const auto fill = detail::recorded_pattern(record);
      if (!fill) return fill.propagate();
      return gemm_data<Op>(fill.value(), problem, subject_->accumulation(problem), record.seed);
    }
    const auto extents = extents_of(problem);
    if (record.operands.size() != 3)
      return failure(ErrorKind::malformed,
                     "the record has " + std::to_string(record.operands.size()) + " operands; a GEMM has A, B and C");
    const char* const formats[] = {FormatTraits<typename Op::FormatA>::name(),
                                   FormatTraits<typename Op::FormatB>::name(),
                                   FormatTraits<typename Op::FormatC>::name()};
    GemmData data;
    data.model = record.rounding;
    data.terms = problem.k;
    data.b.operand = GemmOperand::b;
    data.c.operand = GemmOperand::c;
    data.c.kind = FillKind::one_hot;
    GemmFill* const fills[] = {&data.a, &data.b, &data.c};
    for (std::size_t i = 0; i < 3; ++i) {
      const RecordedOperand& own = record.operands[i];
      const Index size = extents[i][0] * extents[i][1] * extents[i][2];
      if (own.format != formats[i] || static_cast<Index>(own.codes.size()) != size)
        return failure(ErrorKind::malformed, own.name + " of the record has " + std::to_string(own.codes.size()) +
                                                 " codes of " + own.format + "; its problem needs " +
                                                 std::to_string(size) + " of " + formats[i]);
      if (size == 0) continue;
      auto buffer = worker_->template allocate<double>(own.codes.size());
      if (!buffer) return buffer.propagate();
      const std::vector<double> numbers = i == 0   ? decoded<typename Op::FormatA>(own)
                                          : i == 1 ? decoded<typename Op::FormatB>(own)
                                                   : decoded<typename Op::FormatC>(own);
      if (auto copied = worker_->copy_to_device(stream, buffer.value().data(), numbers.data(), numbers.size()); !copied)
        return copied.propagate();
      if (auto done = worker_->synchronize(stream); !done) return done.propagate();
      fills[i]->given = buffer.value().data();
      fills[i]->given_lane_stride = extents[i][2];
      fills[i]->given_position_stride = 1;
      buffers.push_back(std::move(buffer).value());
    }
    return data;
  }

  std::shared_ptr<W> worker_;
  std::shared_ptr<const GemmSubject<Op>> subject_;
  GemmProblem problem_;
  FillKind fill_;
  GemmCheckOptions check_;
};

}  // namespace assay::inline v0
