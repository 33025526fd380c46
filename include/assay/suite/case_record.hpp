#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/index.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/core/rounding_model.hpp"

namespace assay::inline v0 {

/// A member of a problem as text: a number, true or false, or a word.
struct RecordedField {
  std::string name;   ///< "outer", "axes[1].stride"
  std::string value;  ///< as it is written
};

/// What an operand holds, one code an element, row-major; of an operand that is only written, nothing.
struct RecordedOperand {
  std::string name;                  ///< as `OperandSpec` has it
  std::string format;                ///< as `FormatTraits` names it
  std::vector<Index> extents;        ///< outermost first
  std::vector<std::uint64_t> codes;  ///< in the lowest bits
};

/// A case written down: what its kernel is given and how it is judged, in words and numbers, so that it can be kept,
/// changed and run again.
struct CaseRecord {
  std::string id;                      ///< of the case that it comes from, whose kernel runs it
  std::vector<RecordedField> problem;  ///< members of the problem
  std::string data;                    ///< the pattern, where `operands` is empty
  std::uint64_t seed = 0;              ///< of the pattern
  std::vector<RecordedOperand> operands;
  RoundingModel rounding = RoundingModel::worst_case;  ///< of sums over `operands`
  Index row_padding = 0;                               ///< elements between rows
  Index misalignment = 0;                              ///< elements behind a 64-byte boundary
  unsigned repetitions = 1;                            ///< launches whose results are compared
  bool require_determinism = false;                    ///< different results of launches fail
  std::string tolerance = "derived";                   ///< as `tolerance_named` reads it
  Verdict verdict = Verdict::fail;                     ///< that came of it
  std::string reason;                                  ///< why it failed, when it was recorded
};

/// A kernel with all that a check of it needs, without their types: it runs whatever record of its operation it is
/// given. Thread safety: as `Case::run`.
class RecordedKernel {
 public:
  RecordedKernel() = default;
  RecordedKernel(const RecordedKernel&) = delete;
  RecordedKernel& operator=(const RecordedKernel&) = delete;
  virtual ~RecordedKernel() = default;

  /// Its own case: problem, pattern and storage.
  [[nodiscard]] virtual CaseRecord record(std::uint64_t seed) const = 0;
  /// Runs a record. Problems that cannot be and records that cannot be read give the verdict `error`. The outcome has
  /// labels, but no id. The tolerance is this kernel's, not the record's.
  [[nodiscard]] virtual Outcome run(const CaseRecord& record) const = 0;
  /// The record with the values of its operands instead of their pattern, as it is if it has them. Errors: as `run`.
  [[nodiscard]] virtual Result<CaseRecord> with_values(CaseRecord record) const = 0;
  /// The members of a problem that may be changed to make it simpler, each with its simplest value.
  [[nodiscard]] virtual std::vector<RecordedField> simplest() const = 0;
};

}  // namespace assay::inline v0
