#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/tensor/operand_tensor.hpp"
#include "assay/validators/failures/failing_output.hpp"
#include "assay/validators/failures/problem_variations.hpp"

namespace assay::inline v0 {

/// What is asked of a failing case to find its cause, without the types of problem, operation and kernel. Everything
/// lies in host memory.
struct DiagnosedCase {
  /// What an output looks like beside what some other question would have for its answer.
  struct Trial {
    bool ran = false;                ///< false: the question could not be asked
    std::uint64_t elements = 0;      ///< that were compared
    std::uint64_t violations = 0;    ///< outside of their intervals
    std::uint64_t undetermined = 0;  ///< of which nothing can be said
  };

  std::vector<OperandSpec> specs;
  OperandArray before;                       ///< what the kernel was given
  OperandArray after;                        ///< the same with what it wrote
  std::vector<FailingOutput> outputs;        ///< those that were refuted
  std::vector<std::string> memory_findings;  ///< of memory that is not its to write, or that it did not write
  bool runs_differ = false;                  ///< repetitions gave other bits
  Arithmetic arithmetic;
  std::vector<ProblemVariation> variations;
  /// Judges outputs (of `after`) as answers to another problem (of `variations`; −1: the one that was asked for), other
  /// operands (`before`), other promises. It does not run where that problem is not valid or has other outputs. Empty:
  /// nothing can be tried.
  std::function<Trial(int variation, const OperandArray& before, const OperandArray& after, const Arithmetic&)> judge;
  /// Runs the kernel under test on other operands. Empty: no re-runs.
  std::function<bool(const OperandArray& operands)> rerun;
  /// The expected elements of all outputs for other operands, in the order of the specs.
  std::function<std::vector<FailingOutput>(const OperandArray& before, const OperandArray& after)> look;
  /// `judge` and `look` for data of somebody's own, of whose rounding errors nothing is known: the worst are allowed
  /// for. Empty: no other data can be asked about.
  std::function<Trial(int variation, const OperandArray& before, const OperandArray& after, const Arithmetic&)>
      judge_any_data;
  std::function<std::vector<FailingOutput>(const OperandArray& before, const OperandArray& after)>
      look_at_any_data;  ///< likewise
  /// Writes outputs that are right into operands. Empty: those expected of the outputs are right.
  std::function<bool(const OperandArray& operands)> answer;
  /// What only those who know the operation can tell; what is merely possible is said where nothing else is found. May
  /// be empty.
  std::function<std::optional<Diagnosis>()> own_explanation;
  bool tells_terms = false;   ///< `own_explanation` knows which terms of a sum are missing
  double seconds_a_look = 0;  ///< that the reference takes: what a re-run costs at least
};

namespace detail {

/// Operands of which some are replaced by copies that may be changed.
class ChangedOperands {
 public:
  explicit ChangedOperands(const OperandArray& given) : array_(given) {}

  /// The operand as a dense copy of its own.
  Operand& own(int position);
  [[nodiscard]] const OperandArray& array() const { return array_; }
  [[nodiscard]] OperandArray& array() { return array_; }

 private:
  Host host_{1};
  Result<Host::Stream> stream_ = host_.make_stream();
  std::vector<OperandTensor<Host>> tensors_;
  OperandArray array_;
};

}  // namespace detail

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/failures/diagnosed_case.ipp"
#endif
